/**
 * Imports files into a new database with the import of the service. The arguments are a folder for the database and the
 * files.
 */

import { openWarehouse } from '../../server/databases/open-database.js';
import { importFolders, requireStore } from '../../server/databases/warehouse.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { importSources } from '../../warehouse/import/import-sources.js';
import { reportUsage } from './report.js';

const [folder = '', ...files] = process.argv.slice(2);
const settings = readSettings({ DATA_DIR: folder, DATABASE_THREADS: '2' });
const warehouse = await openWarehouse(settings, { migrating: true });
const store = requireStore(warehouse);
await reportUsage(async () => {
  await importSources(store, files, { ...importFolders(settings), now: new Date() });
  await store.useStaging((bench) => bench.run('CHECKPOINT'));
});
await warehouse.close();
