/** The import of this program into a new database: arguments are a folder for it and the files. */
import { readSettings } from '../../server/settings/read-settings.js';
import { importFolders, openWarehouse, requireStore } from '../../server/warehouse.js';
import { importSources } from '../../warehouse/import/import-sources.js';
import { reportTo } from './report.js';

const [folder = '', ...files] = process.argv.slice(2);
const settings = readSettings({ DATA_DIR: folder, DATABASE_THREADS: '2' });
const warehouse = await openWarehouse(settings, { migrating: true });
const store = requireStore(warehouse);
await reportTo(async () => {
  await importSources(store, files, { ...importFolders(settings), now: new Date() });
  await store.useStaging((bench) => bench.run('CHECKPOINT'));
});
await warehouse.close();
