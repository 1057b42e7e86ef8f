import { join } from 'node:path';
import type { FollowOptions } from '../../github/tracking/follow-tracked.js';
import type { TestWarehouse } from '../warehouse/test-warehouse.js';

/** The options of a run that never waits. `now` returns milliseconds since 1970. */
export function trackingOptions({ folder }: Pick<TestWarehouse, 'folder'>, now: () => number): FollowOptions {
  return {
    stagingDirectory: join(folder, 'staging'),
    wait: false,
    signal: new AbortController().signal,
    clock: () => new Date(now()),
    now,
  };
}
