import { importSources } from '../../warehouse/import/import-sources.js';
import { NOW, openTestDatabase } from './test-warehouse.js';

// Imports into the warehouse of a folder, a batch for each file, and writes a line whenever it gets on.
const [folder = '', ...sources] = process.argv.slice(2);
const { database, store, importOptions } = await openTestDatabase(folder);
await importSources(store, sources, {
  ...importOptions,
  now: NOW,
  batchEvents: 1,
  concurrency: 1,
  onProgress: ({ files, events }) => console.log(files, events),
});
await database.close();
