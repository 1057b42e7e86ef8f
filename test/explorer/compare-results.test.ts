import { expect } from 'chai';
import { type Expectation, equalsExpectation } from '../../bench/evaluation/compare-results.js';
import type { Cell } from '../../engine/index.js';

const ROWS: Cell[][] = [
  ['a/one', 30, '2026-01-01'],
  ['b/two', 20, '2026-02-01'],
  ['c/three', 20, '2026-03-01'],
];

describe('the comparison of results', () => {
  const CASES: readonly [string, boolean, Partial<Expectation>, Cell[][]][] = [
    ['equal rows', true, {}, ROWS],
    ['rows in another order', true, {}, [...ROWS].reverse()],
    [
      'columns in another order, with an additional one',
      true,
      {},
      ROWS.map(([name, stars]) => [7, stars ?? 0, name ?? '']),
    ],
    [
      'equal numbers as text, DECIMAL or bigint',
      true,
      {},
      [
        ['a/one', '30'],
        ['b/two', '20.0000'],
        ['c/three', 20n],
      ],
    ],
    [
      'text in another case',
      true,
      {},
      [
        ['A/One', 30],
        ['b/two', 20],
        ['c/three', 20],
      ],
    ],
    [
      'a different value',
      false,
      {},
      [
        ['a/one', 31],
        ['b/two', 20],
        ['c/three', 20],
      ],
    ],
    [
      'values of other rows',
      false,
      {},
      [
        ['a/one', 20],
        ['b/two', 30],
        ['c/three', 20],
      ],
    ],
    ['a missing column', false, {}, [['a/one'], ['b/two'], ['c/three']]],
    ['a missing row', false, {}, ROWS.slice(0, 2)],
    ['an additional row', false, {}, [...ROWS, ['d/four', 1]]],
    ['a repeated row', false, {}, [...ROWS.slice(0, 2), ROWS[1] ?? []]],
    ['no rows', false, {}, []],
    [
      'a month without day, and a day with a time',
      true,
      { columns: ['day'] },
      [['2026-01'], ['2026-02-01 00:00:00'], ['2026-03-01']],
    ],
    ['rows in the required order', true, { order: 'stars' }, ROWS],
    ['ties in another order', true, { order: 'stars' }, [ROWS[0] ?? [], ROWS[2] ?? [], ROWS[1] ?? []]],
    ['rows that are not in the required order', false, { order: 'stars' }, [...ROWS].reverse()],
    [
      'other rows in a tie',
      false,
      { order: 'stars' },
      [
        ['a/one', 30],
        ['b/two', 20],
        ['d/four', 20],
      ],
    ],
    [
      'other rows in a tie at the limit',
      true,
      { order: 'stars', isCut: true },
      [
        ['a/one', 30],
        ['b/two', 20],
        ['d/four', 20],
      ],
    ],
    [
      'other rows before a tie at the limit',
      false,
      { order: 'stars', isCut: true },
      [
        ['d/four', 30],
        ['b/two', 20],
        ['c/three', 20],
      ],
    ],
    ['less than ten rows and less than all rows', false, { order: 'stars', isOpenEnded: true }, ROWS.slice(0, 2)],
    ['more rows than expected', true, { order: 'stars', isOpenEnded: true }, [...ROWS, ['d/four', 1]]],
  ];
  for (const [what, isEqual, changes, rows] of CASES) {
    it(`${isEqual ? 'accepts' : 'rejects'} ${what}${changes.order === undefined ? '' : ' of a ranking'}`, () => {
      const columns = (rows[0] ?? []).map((_, index) => `column_${index}`);
      const result = { columns, rows, truncated: false };
      expect(equalsExpectation(result, { ...expectation(ROWS), ...changes })).to.equal(isEqual);
    });
  }

  it('accepts no rows only if no rows are expected', () => {
    const nothing = { columns: ['a', 'b'], rows: [], truncated: false };
    expect(equalsExpectation(nothing, expectation([]))).to.equal(true);
    expect(equalsExpectation({ columns: ['a', 'b'], rows: ROWS, truncated: false }, expectation([]))).to.equal(false);
  });

  it('compares the rows at the start if a result is truncated or an open-ended ranking has ten rows', () => {
    const long: Cell[][] = Array.from({ length: 120 }, (_, index) => [`r${index}`, 500 - index]);
    const first = { columns: ['name', 'n'], rows: long.slice(0, 100), truncated: true };
    expect(equalsExpectation(first, expectation(long))).to.equal(true);
    expect(equalsExpectation({ ...first, truncated: false }, expectation(long))).to.equal(false);
    const ten = { columns: ['name', 'n'], rows: long.slice(0, 10), truncated: false };
    expect(equalsExpectation(ten, { ...expectation(long), order: 'stars', isOpenEnded: true })).to.equal(true);
    const nine = { ...ten, rows: long.slice(0, 9) };
    expect(equalsExpectation(nine, { ...expectation(long), order: 'stars', isOpenEnded: true })).to.equal(false);
  });

  it('compares ids exactly and other numbers to four decimals', () => {
    const one = (cell: Cell) => ({ columns: ['x'], rows: [[cell]], truncated: false });
    const equal = (got: Cell, wanted: Cell) =>
      equalsExpectation(one(got), {
        result: one(wanted),
        columns: ['x'],
        order: undefined,
        isOpenEnded: false,
        isCut: false,
      });
    expect([equal('9007199254740993', 9007199254740993n), equal('9007199254740992', 9007199254740993n)]).to.deep.equal([
      true,
      false,
    ]);
    expect([equal(34.38601, '34.3860'), equal(34.386, '34.387'), equal(null, ''), equal(null, 0)]).to.deep.equal([
      true,
      false,
      true,
      false,
    ]);
  });

  it('names the columns that a reference query does not return', () => {
    const { result } = expectation(ROWS);
    expect(() => equalsExpectation(result, { ...expectation(ROWS), columns: ['forks'] })).to.throw(
      'The expected result has no column forks; it has name, stars, day.',
    );
  });
});

function expectation(rows: Cell[][]): Expectation {
  const result = { columns: ['name', 'stars', 'day'], rows, truncated: false };
  return { result, columns: ['name', 'stars'], order: undefined, isOpenEnded: false, isCut: false };
}
