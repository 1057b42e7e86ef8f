/**
 * Imports one file into a database with the import of the service, and computes the trends. The arguments are the folder of the database,
 * the file and the current time. Prints `{"importSeconds": …, "refreshSeconds": …, "peakMegabytes": …, "bytes": …}`: CPU times, the peak
 * memory and the size of the database file.
 */

import { stat } from 'node:fs/promises';
import { openWarehouse } from '../../server/databases/open-database.js';
import { importFolders, requireStore } from '../../server/databases/warehouse.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { refreshAfterImport } from '../../warehouse/derived/refresh-as-of.js';
import { importSources } from '../../warehouse/import/import-sources.js';

const [folder = '', file = '', now = ''] = process.argv.slice(2);
const settings = readSettings({
  DATA_DIR: folder,
  DATABASE_URL: `duckdb:${folder}/scale.duckdb`,
  DATABASE_THREADS: '2',
});
const warehouse = await openWarehouse(settings, { migrating: true });
const store = requireStore(warehouse);
const used = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const started = used();
const { events } = await importSources(store, [file], { ...importFolders(settings), now: new Date(now) });
await store.useStaging((bench) => bench.run('CHECKPOINT'));
const imported = used();
await refreshAfterImport(store, events, new Date(now));
const refreshed = used();
await warehouse.close();
const { size } = await stat(`${folder}/scale.duckdb`);
const result = {
  importSeconds: imported - started,
  refreshSeconds: refreshed - imported,
  // `maxRSS` is in kilobytes.
  peakMegabytes: process.resourceUsage().maxRSS / 1024,
  bytes: size,
};
process.stdout.write(`${JSON.stringify(result)}\n`);
