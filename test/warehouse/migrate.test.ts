import { expect } from 'chai';
import { migrate } from '../../warehouse/migrate.js';
import { type Migration, readMigrations } from '../../warehouse/schema/migrations.js';
import { NewerSchemaError } from '../../warehouse/schema/schema.js';
import { onEveryDatabase, type TestWarehouse } from './test-warehouse.js';

onEveryDatabase('migration', (make) => {
  let warehouse: TestWarehouse;

  let steps: Migration[];

  before(async () => {
    steps = await readMigrations();
    warehouse = await make();
  });
  after(() => warehouse.close());

  it('creates every table once', async () => {
    expect(await migrate(warehouse.store)).to.deep.equal([]);
    const names = steps.map(({ name }) => [name]);
    expect(await warehouse.rows('SELECT name FROM schema_versions ORDER BY version')).to.deep.equal(names);
    expect(names[0]).to.deep.equal(['0001-tables']);
  });

  it('fills the calendar with the days of a century, each with its Monday and its month', async () => {
    expect(
      await warehouse.rows("SELECT * FROM calendar_days WHERE day IN ('2000-01-01', '2026-03-01', '2099-12-31')"),
    ).to.deep.equal([
      ['2000-01-01', '1999-12-27', '2000-01-01'],
      ['2026-03-01', '2026-02-23', '2026-03-01'],
      ['2099-12-31', '2099-12-28', '2099-12-01'],
    ]);
    expect(await warehouse.rows('SELECT COUNT(*) FROM calendar_days')).to.deep.equal([['36525']]);
  });

  it('rejects the tables of a later version', async () => {
    await warehouse.store.write((tables) => tables.insertRows('schema_versions', [[99, '0099-x']]));
    const error = await migrate(warehouse.store).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(NewerSchemaError);
    expect((error as Error).message).to.equal(
      'The tables have version 99, which a later version of this program created. This program only supports versions up to ' +
        `${steps.at(-1)?.version}. Use the later program.`,
    );
  });
});
