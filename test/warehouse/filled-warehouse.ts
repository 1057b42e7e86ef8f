import { copyFile } from 'node:fs/promises';
import { copyTables } from '../services/execute.js';
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
    await copyTables(new URL(filled.url).pathname.slice(1), url);
    return reopened(folder, url);
  };
}
