import { expect } from 'chai';
import { flattenRows } from '../../engine/charts/flatten-rows.js';

describe('rows of an answer for charts and tables', () => {
  it('are one row for each object of a list', () => {
    const fields = [
      { name: 'item', columnType: 'VARCHAR', list: 'items' },
      { name: 'id', columnType: 'BIGINT' },
      { name: 'tags', columnType: 'JSON', list: 'items' },
    ];
    const data = [
      {
        id: 1,
        items: [
          { item: 'a', tags: ['x'] },
          { item: null, tags: null },
        ],
      },
      { id: 2, items: [] },
    ];
    expect(flattenRows(fields, data)).to.deep.equal([
      { id: 1, item: 'a', tags: '["x"]' },
      { id: 1, item: null, tags: null },
      { id: 2, item: null, tags: null },
    ]);
  });

  it('have JSON values as text', () => {
    const fields = ['id', 'value'].map((name) => ({ name, columnType: 'JSON' }));
    const rows = [{ a: 1 }, [true], true, 'text', 1.5, null].map((value, id) => ({ id, value }));
    expect(flattenRows(fields, rows).map(({ value }) => value)).to.deep.equal([
      '{"a":1}',
      '[true]',
      'true',
      'text',
      1.5,
      null,
    ]);
  });
});
