import { copyFile } from 'node:fs/promises';
import { execute } from '../services/mysql.js';
import { testFile } from './test-store.js';
import { type MakeWarehouse, newDatabase, reopened, type TestWarehouse, temporaryFolder } from './test-warehouse.js';

/**
 * Fills one warehouse before the tests of the calling suite. Returns a function that creates a warehouse with the same rows: a copy is
 * much cheaper than an import.
 */
export function filledOnce(make: MakeWarehouse, fill: (warehouse: TestWarehouse) => Promise<void>): MakeWarehouse {
  let filled: TestWarehouse;
  before(async () => {
    filled = await make();
    await fill(filled);
    await filled.leave();
  });
  after(() => filled.close());
  return async () => {
    const folder = await temporaryFolder();
    if (filled.url === undefined) {
      await copyFile(testFile(filled.folder), testFile(folder));
      return reopened(folder, undefined);
    }
    const url = await newDatabase(filled.url);
    await copyTables(filled.url, url);
    return reopened(folder, url);
  };
}

/** Copies all tables of a database into an empty database on the same server. */
export async function copyTables(fromUrl: string, url: string): Promise<void> {
  const from = new URL(fromUrl).pathname.slice(1);
  const tables = (await execute(url, `SHOW TABLES FROM ${from}`)).flatMap((row) => Object.values(row).map(String));
  const copies = tables.flatMap((table) => [
    `CREATE TABLE ${table} LIKE ${from}.${table}`,
    `INSERT INTO ${table} SELECT * FROM ${from}.${table}`,
  ]);
  await execute(url, ...copies);
}
