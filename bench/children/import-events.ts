/** The import of this program into a new database: arguments are a folder for it and the files. */
import { readSettings } from '../../server/settings.js';
import { importFolders, openWarehouse } from '../../server/warehouse.js';
import { importSources } from '../../warehouse/import/import-sources.js';
import { reportTo } from './report.js';

const [folder = '', ...files] = process.argv.slice(2);
const settings = readSettings({ DATA_DIR: folder, DATABASE_THREADS: '2' });
const database = await openWarehouse(settings);
await reportTo(async () => {
  await importSources(database, files, { ...importFolders(settings), now: new Date() });
  await database.maintain((connection) => connection.run('CHECKPOINT'));
});
await database.close();
