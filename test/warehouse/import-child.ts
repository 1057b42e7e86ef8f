import { importSources } from '../../warehouse/import/import-sources.js';
import { haltAt, watchSteps } from './store-steps.js';
import { NOW, openTestStore } from './test-store.js';

// Imports into the warehouse in a folder or at a URL, with one batch per file. Prints a line for each progress report, and when it halts at
// a step.
const [folder = '', url = '', step = '', time = '', ...sources] = process.argv.slice(2);
const { store, importOptions, close } = await openTestStore(folder, url === '' ? undefined : url);
await importSources(watchSteps(store, haltAt(step, time)), sources, {
  ...importOptions,
  now: NOW,
  batchEvents: 1,
  concurrency: 1,
  onProgress: ({ files, events }) => console.log(files, events),
});
await close();
