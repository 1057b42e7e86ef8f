import { SELECT_SHARES, toMonthShare } from '../../warehouse/coverage.js';
import type { Tables } from '../../warehouse/store/store.js';
import { ABSENT, isDue } from './source.js';
import { SOURCES } from './sources.js';
import type { TrackedRepository } from './tracked-repositories.js';
import type { TrackingStatus, TypeShare } from './tracking-progress.js';

/** Counts the tracked repositories by the state of each source. */
export function trackingStatus(tracked: readonly TrackedRepository[], now: Date): TrackingStatus {
  return {
    repositories: tracked.length,
    sources: SOURCES.map((source) => {
      const states = tracked.map(({ sources }) => sources[source.name]);
      const complete = states.filter(({ completedAt }) => completedAt !== undefined);
      return {
        source: source.name,
        complete: complete.length,
        due: states.filter((state) => isDue(source, state, now)).length,
        failing: states.filter(({ failures }) => failures > 0).length,
        oldest:
          complete
            .filter(({ error }) => error !== ABSENT)
            .flatMap(({ checkedAt }) => checkedAt ?? [])
            .sort()[0] ?? null,
      };
    }),
  };
}

/** Reads the share of each event type in the newest month that was compared. */
export async function readShares(tables: Pick<Tables, 'rows'>): Promise<TypeShare[]> {
  const rows = await tables.rows(`${SELECT_SHARES} WHERE repositories > 0 ORDER BY month`);
  const newest = new Map(rows.map(toMonthShare).map((month) => [month.type, month]));
  return [...newest.values()]
    .flatMap(({ type, month, share, repositories }) => (share === null ? [] : [{ type, month, share, repositories }]))
    .sort((a, b) => (a.type < b.type ? -1 : 1));
}
