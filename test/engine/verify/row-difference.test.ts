import { expect } from 'chai';
import { listRowDifferences } from '../../../engine/index.js';

describe('the differences of rows', () => {
  const rows = (...ids: string[]) => ids.map((id) => ({ id, kind: 'rye' }));
  const list = (one: string[], other: string[], max = 100) =>
    listRowDifferences(rows(...one), rows(...other), max).map(
      ({ at, one: left, other: right }) => `${at}: ${left} ${right}`,
    );

  it('are empty for equal rows, with any order of the columns', () => {
    expect(list(['1', '2'], ['1', '2'])).to.deep.equal([]);
    expect(listRowDifferences([{ a: '1', b: '2' }], [{ b: '2', a: '1' }], 9)).to.deep.equal([]);
  });

  it('are one additional or missing row, wherever it is', () => {
    const row = '{"id":"9","kind":"rye"}';
    for (const [place, ids] of [
      ['9', '1', '2'],
      ['1', '9', '2'],
      ['1', '2', '9'],
    ].entries()) {
      expect(list(['1', '2'], ids)).to.deep.equal([`row ${place + 1}: no row ${row}`]);
      expect(list(ids, ['1', '2'])).to.deep.equal([`row ${place + 1}: ${row} no row`]);
    }
  });

  it('name the column, and missing and additional columns', () => {
    expect(list(['1', '2', '3'], ['1', '4', '3'])).to.deep.equal(['row 2, id: "2" "4"']);
    expect(listRowDifferences([{ a: '1', b: '' }], [{ a: '1', c: 'x' }], 9)).to.deep.equal([
      { at: 'row 1, b', one: '""', other: 'no cell' },
      { at: 'row 1, c', one: 'no cell', other: '"x"' },
    ]);
  });

  it('are limited', () => {
    const many = Array.from({ length: 5000 }, (_, index) => String(index));
    expect(list([], many, 3)).to.have.length(3);
    expect(
      list(
        many,
        many.map((id) => `${id}x`),
        3,
      ),
    ).to.deep.equal(['row 1, id: "0" "0x"', 'row 2, id: "1" "1x"', 'row 3, id: "2" "2x"']);
  });
});
