import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import type { EmbeddedDatabase } from '../../engine/databases/duckdb/embedded.js';
import { migrate } from '../../warehouse/migrate.js';
import { addUnsortedRows, sortTables } from '../../warehouse/schema/clustering.js';
import { EmbeddedStore } from '../../warehouse/store/embedded-store.js';
import { openTestFile } from './test-store.js';
import { temporaryFolder } from './test-warehouse.js';

const TABLE = { name: 'mv_repo_stars', order: ['repo_id', 'user_id', 'day'] };

describe('the order of rows in a file', () => {
  let folder: string;
  let database: EmbeddedDatabase;

  before(async () => {
    folder = await temporaryFolder();
    database = await openTestFile(folder);
    await migrate(new EmbeddedStore(database));
  });
  after(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  const rows = (sql: string) =>
    database.maintain(async (connection) => (await connection.runAndReadAll(sql)).getRowsJson());
  const add = (count: number, from: number) =>
    database.write(async (connection) => {
      await connection.run(`
        INSERT INTO mv_repo_stars
        SELECT hash(i) % 1000, i, DATE '2026-01-01' FROM range(${from}, ${from + count}) numbers(i)`);
      await addUnsortedRows(connection, new Map([[TABLE.name, count]]));
    });
  const disorder = () =>
    rows(`
      SELECT COUNT(*) FROM (SELECT repo_id, LAG(repo_id) OVER (ORDER BY rowid) AS before FROM mv_repo_stars)
      WHERE repo_id < before`);

  it('is restored in a large table after more than a fifth of its rows were added', async () => {
    await add(100_000, 0);
    expect(await sortTables(database, [TABLE])).to.deep.equal([]);
    await add(200_000, 100_000);
    const before = await rows('SELECT * FROM mv_repo_stars ORDER BY user_id LIMIT 1000');
    expect(await sortTables(database, [TABLE])).to.deep.equal(['mv_repo_stars']);
    expect(await disorder()).to.deep.equal([['0']]);
    expect(await rows('SELECT * FROM mv_repo_stars ORDER BY user_id LIMIT 1000')).to.deep.equal(before);
    expect(await rows('SELECT COUNT(*), COUNT(DISTINCT user_id) FROM mv_repo_stars')).to.deep.equal([
      ['300000', '300000'],
    ]);
  });

  it('is not restored after few rows were added', async () => {
    await add(50_000, 300_000);
    expect(await sortTables(database, [TABLE])).to.deep.equal([]);
    await add(50_000, 350_000);
    expect(await sortTables(database, [TABLE])).to.deep.equal(['mv_repo_stars']);
  });
});
