import { join } from 'node:path';
import { expect } from 'chai';
import { importSources } from '../../warehouse/import/import-sources.js';
import { errorOf } from '../databases/failures.js';
import { type KillAt, watchSteps } from './store-steps.js';
import { NOW } from './test-store.js';
import type { TestWarehouse } from './test-warehouse.js';

/**
 * Imports with one batch per file until a step, in which the import fails. The transaction of the step is rolled back. `killedImport` kills
 * a process instead, which costs much more time.
 */
export async function interruptedImport(
  { store, folder }: TestWarehouse,
  sources: readonly string[],
  { step, time = 1 }: KillAt,
): Promise<void> {
  let times = 0;
  const reach = async (reached: string) => {
    if (reached === step && ++times === time) throw new Error('interrupted');
  };
  const options = {
    stagingDirectory: join(folder, 'staging'),
    downloadDirectory: join(folder, 'downloads'),
    now: NOW,
    batchEvents: 1,
    concurrency: 1,
  };
  const error = await errorOf(importSources(watchSteps(store, reach), sources, options));
  expect(error.message, step).to.equal('interrupted');
}
