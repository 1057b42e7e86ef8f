import { join } from 'node:path';
import { expect } from 'chai';
import { importSources } from '../../warehouse/import/import-sources.js';
import { errorOf } from '../databases/failures.js';
import { watchSteps } from './store-steps.js';
import { NOW } from './test-store.js';
import type { TestWarehouse } from './test-warehouse.js';

/**
 * Imports until a step, in which the import fails. Its transaction is rolled back. `killedImport` kills a process instead, which costs
 * much more time.
 */
export async function interruptedImport(
  { store, folder }: TestWarehouse,
  sources: readonly string[],
  step: string,
): Promise<void> {
  const reach = async (reached: string) => {
    if (reached === step) throw new Error('interrupted');
  };
  const folders = { stagingDirectory: join(folder, 'staging'), downloadDirectory: join(folder, 'downloads') };
  const error = await errorOf(importSources(watchSteps(store, reach), sources, { ...folders, now: NOW }));
  expect(error.message, step).to.equal('interrupted');
}
