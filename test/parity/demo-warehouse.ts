import { join } from 'node:path';
import { readSettings } from '../../server/settings/read-settings.js';
import { copyDemo, DEMO_SIZE } from '../service/demo-data.js';
import { testFile } from '../warehouse/test-store.js';
import { newDatabase, reopened, type TestWarehouse, temporaryFolder } from '../warehouse/test-warehouse.js';

/** Creates a warehouse with the demo data that all suites share, in a file or in a new database on the server of a URL. */
export async function demoWarehouse(server?: string): Promise<TestWarehouse> {
  const folder = await temporaryFolder();
  const url = server === undefined ? undefined : await newDatabase(server);
  const settings = { DATA_DIR: join(folder, 'data'), DATABASE_URL: url ?? `duckdb:${testFile(folder)}` };
  await copyDemo(readSettings({ ...settings, ...(url && { DATABASE_ALLOW_WRITING_ACCOUNT: 'yes' }) }), DEMO_SIZE);
  return reopened(folder, url);
}
