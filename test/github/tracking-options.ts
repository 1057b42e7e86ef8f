import { join } from 'node:path';
import type { FollowOptions } from '../../github/tracking/follow-tracked.js';
import type { Store } from '../../warehouse/store/store.js';
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

/** Tracks repositories in the same way as if an operator had added them. */
export function trackRepositories(
  store: Store,
  repositories: readonly { readonly id: number; readonly name: string }[],
): Promise<void> {
  const rows = repositories.map(({ id, name }) => [id, name, '2026-01-01 00:00:00']);
  return store.write((tables) => tables.insertRows('sys_tracked_repos', rows));
}
