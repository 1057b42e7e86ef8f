import { expect } from 'chai';
import { MAX_COLUMN_LENGTH } from '../../engine/sql/guard/text-growth.js';
import { PUBLIC_TABLES } from '../../warehouse/public-tables.js';
import { PRIVATE_DATA } from '../../warehouse/rules/private-data.js';
import { readMigrations } from '../../warehouse/schema/migrations.js';
import { type TestWarehouse, testWarehouse } from '../warehouse/test-warehouse.js';

describe('the public tables', () => {
  let warehouse: TestWarehouse;
  before(async () => {
    warehouse = await testWarehouse();
  });
  after(() => warehouse.close());

  for (const [table, { columns }] of PUBLIC_TABLES) {
    it(`list every column of ${table} as public or private`, async () => {
      const query = warehouse.database.prepare(`SELECT * FROM ${table}`);
      const result = await warehouse.database.query(query, [], { maxRows: 1, timeoutMs: 5_000 });
      const all = result.columns.map(({ name }) => name);
      expect(all).to.have.members([...columns, ...(PRIVATE_DATA.columns[table] ?? [])]);
    });
  }

  it('have no text that is longer than the guard assumes', async () => {
    const statements = (await readMigrations()).flatMap((step) => step.statements);
    const texts = statements.flatMap((sql) => {
      const table = /CREATE TABLE (\w+)/.exec(sql)?.[1] ?? '';
      return [...sql.matchAll(/^\s*(\w+) (TEXT|VARCHAR\((\d+)\))/gm)].flatMap(([, column = '', , length]) =>
        PUBLIC_TABLES.get(table)?.columns.includes(column) ? [{ column, length: Number(length ?? 'NaN') }] : [],
      );
    });
    expect(texts.length).to.be.greaterThan(30);
    const longer = texts.filter(({ length }) => !(length <= MAX_COLUMN_LENGTH));
    expect(longer.map(({ column }) => column)).to.deep.equal(['contributor_logins']);
    // The longest text in this column is a list of five logins. Each login has 40 characters and a comma.
    expect(5 * 41).to.be.lessThan(MAX_COLUMN_LENGTH);
  });
});
