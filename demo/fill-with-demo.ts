import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { storeCollections } from '../warehouse/collections.js';
import { refreshAsOf } from '../warehouse/derived/refresh-as-of.js';
import type { ImportOptions } from '../warehouse/import/import-options.js';
import { importSources } from '../warehouse/import/import-sources.js';
import type { ImportSummary } from '../warehouse/import/summary.js';
import type { Store } from '../warehouse/store/store.js';
import type { DemoOptions, DemoProgress } from './demo-plan.js';
import { generateDemo } from './generate-demo.js';
import { loadProfiles } from './load-profiles.js';

type FillOptions = Pick<ImportOptions, 'stagingDirectory' | 'downloadDirectory' | 'onProgress' | 'signal'> &
  Pick<DemoOptions, 'now' | 'seed' | 'events' | 'repositories' | 'people'> & {
    readonly onGenerated?: (progress: DemoProgress) => void;
  };

/** Generates a demo that ends at `now` and imports its events, profiles and collections. */
export async function fillWithDemo(store: Store, options: FillOptions): Promise<ImportSummary> {
  const { onGenerated, onProgress, ...common } = options;
  const directory = join(options.stagingDirectory, 'demo');
  await mkdir(directory, { recursive: true });
  try {
    const demo = await generateDemo({
      ...common,
      directory,
      ...(onGenerated === undefined ? {} : { onProgress: onGenerated }),
    });
    const summary = await importSources(store, demo.files, {
      ...common,
      complete: true,
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    // An aborted import does not throw, and keeps the files that it has already imported. A partial demo is not consistent, so this call
    // must fail.
    options.signal?.throwIfAborted();
    await store.write((tables) => loadProfiles(tables, demo));
    await store.optimize();
    await storeCollections(store, demo.collections);
    await refreshAsOf(store, options.now);
    return summary;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
