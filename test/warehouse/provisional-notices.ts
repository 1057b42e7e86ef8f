import { createEngine, PATIENT_METADATA_TIMEOUT_MS } from '../../engine/index.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { NOW } from './test-store.js';
import type { TestWarehouse } from './test-warehouse.js';

const DEFINITIONS = loadDefinitions({ endpointsDirectory: undefined });

/**
 * Runs all operations with a path prefix for each of `values`. Returns, by operation, the first notice of each answer that is about
 * provisional repositories or accounts and begins with `start`.
 */
export async function noticesBy(
  { database }: TestWarehouse,
  path: string,
  query: (value: string) => Record<string, string>,
  values: readonly string[],
  start: RegExp,
): Promise<(string | undefined)[][]> {
  const engine = createEngine({
    endpoints: (await DEFINITIONS).filter(({ definition }) => definition.path?.startsWith(path)),
    database,
    clock: () => NOW,
    stopwatch: () => 0,
    metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
  });
  const answers: (string | undefined)[][] = [];
  for (const operation of engine.endpoints) {
    const own: (string | undefined)[] = [];
    for (const value of values) {
      const { notices } = await engine.run(operation, { path: {}, query: query(value) });
      own.push(notices.find((notice) => start.test(notice) && notice.includes('counted separately')));
    }
    answers.push(own);
  }
  return answers;
}
