import { expect } from 'chai';
import { listOwnTables } from '../../../warehouse/own-tables/stored-own-tables.js';
import { execute, useMysql } from '../../services/mysql.js';
import { SERVER } from '../../services/server.js';
import { serverWarehouse, type TestWarehouse } from '../test-warehouse.js';
import { CITIES, loadFile, messageOf, writeTable } from './own-files.js';

describe(`own tables on ${SERVER}`, () => {
  const server = useMysql();
  let warehouse: TestWarehouse;

  beforeEach(async () => {
    warehouse = await serverWarehouse(server.url);
    await writeTable(warehouse, 'cities.csv', CITIES.rows, CITIES.document);
  });
  afterEach(() => warehouse.close());

  const run = (...statements: string[]) => execute(warehouse.url ?? '', ...statements);
  const ownTables = async () =>
    (await run("SHOW TABLES LIKE 'own\\_%'")).flatMap((row) => Object.values(row).map(String)).sort();

  it('are loaded although a killed process has left its tables', async () => {
    await run('CREATE TABLE own_cities__next (id INT)', 'CREATE TABLE own_cities__previous (id INT)');
    await loadFile(warehouse, 'cities.csv');
    expect(await ownTables()).to.deep.equal(['own_cities']);
    expect(await warehouse.rows('SELECT code FROM own_cities')).to.deep.equal([['BE'], ['PA']]);
  });

  it('have no version after an interrupted exchange, until they are loaded again', async () => {
    await loadFile(warehouse, 'cities.csv');
    // The states after a process was killed between the removal of the version and the swap, and after the swap.
    for (const exchange of [[], ['RENAME TABLE own_cities TO own_cities__previous']]) {
      await run("DELETE FROM data_versions WHERE table_name = 'own_cities'", ...exchange);
      expect((await listOwnTables(warehouse.database)).map(({ version }) => version)).to.deep.equal([undefined]);
      await loadFile(warehouse, 'cities.csv', { replace: true });
      expect(await ownTables()).to.deep.equal(['own_cities']);
      expect(await warehouse.rows('SELECT COUNT(*) FROM own_cities')).to.deep.equal([['2']]);
      expect((await listOwnTables(warehouse.database))[0]?.version).to.be.a('string');
    }
  });

  it('have the key of their documentation, and compare text by its exact bytes', async () => {
    await loadFile(warehouse, 'cities.csv');
    const duplicate =
      "INSERT INTO own_cities (code, name, people, share, area, capital, founded, seen_at) VALUES ('BE', '', 1, 1, 1, 1, '2000-01-01', '2000-01-01')";
    expect(await messageOf(run(duplicate))).to.match(/Duplicate entry 'BE'/);
    expect(await warehouse.rows("SELECT code FROM own_cities WHERE code = 'be' OR code = 'BE '")).to.deep.equal([]);
  });

  it('can be loaded by one process at a time', async () => {
    const results = await Promise.all([
      messageOf(loadFile(warehouse, 'cities.csv')),
      messageOf(loadFile(warehouse, 'cities.csv')),
    ]);
    expect(results.sort()).to.deep.equal([
      'Another change of own tables is running on this database, in this process. Try again when it has ended.',
      'no error',
    ]);
  });
});
