import { expect } from 'chai';
import { PUBLIC_TABLES } from '../../warehouse/playground/public-tables.js';
import { PRIVATE_DATA } from '../../warehouse/private-data.js';
import { type TestWarehouse, testWarehouse } from '../warehouse/test-warehouse.js';

describe('the public tables', () => {
  let warehouse: TestWarehouse;
  before(async () => {
    warehouse = await testWarehouse();
  });
  after(() => warehouse.close());

  for (const [table, { columns }] of PUBLIC_TABLES) {
    it(`tell of every column of ${table} whether it is public`, async () => {
      const query = warehouse.database.prepare(`SELECT * FROM ${table}`);
      const result = await warehouse.database.query(query, [], { maxRows: 1, timeoutMs: 5_000 });
      const all = result.columns.map(({ name }) => name);
      expect(all).to.have.members([...columns, ...(PRIVATE_DATA.columns[table] ?? [])]);
    });
  }
});
