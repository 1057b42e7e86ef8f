import { importSources } from '../../warehouse/import/import-sources.js';
import { NOW, openTestStore } from './test-store.js';

// Imports into the warehouse of a folder or, where it is given, a URL, a batch for each file, and writes a line whenever
// it gets on. Ends when its input does, so that whoever wants to kill it comes in time.
const [folder = '', url = '', ...sources] = process.argv.slice(2);
const { store, importOptions, close } = await openTestStore(folder, url === '' ? undefined : url);
await importSources(store, sources, {
  ...importOptions,
  now: NOW,
  batchEvents: 1,
  concurrency: 1,
  onProgress: ({ files, events }) => console.log(files, events),
});
await close();
process.stdin.resume();
