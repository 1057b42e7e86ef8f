import { importSources } from '../../warehouse/import/import-sources.js';
import { NOW, openTestStore } from './test-store.js';

// Imports into the warehouse of a folder or a URL, with one batch per file, and writes a line for each progress report.
// This program runs until its standard input ends, so that a test has time to kill it.
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
