import type { SourceName } from './source.js';
import { SOURCES } from './sources.js';
import type { TrackedRepository } from './tracked-repositories.js';

/** How far a source of the tracked repositories was read. */
export interface SourceStatus {
  readonly source: SourceName;
  /** Repositories whose source was read to its end at least once. */
  readonly complete: number;
  /** Repositories whose source must be read now. */
  readonly due: number;
  /** Repositories whose last attempt failed. */
  readonly failing: number;
  /** The time of the last success that is longest ago, of the complete ones; null without any. `YYYY-MM-DD HH:MM:SS`. */
  readonly oldest: string | null;
}

export interface TrackingStatus {
  readonly repositories: number;
  readonly sources: readonly SourceStatus[];
}

export function trackingStatus(tracked: readonly TrackedRepository[], now: Date): TrackingStatus {
  return {
    repositories: tracked.length,
    sources: SOURCES.map((source) => {
      const states = tracked.map(({ sources }) => sources[source.name]);
      const complete = states.filter(({ completedAt }) => completedAt !== undefined);
      return {
        source: source.name,
        complete: complete.length,
        due: states.filter((state) => source.isDue(state, now)).length,
        failing: states.filter(({ failures }) => failures > 0).length,
        oldest: complete.flatMap(({ checkedAt }) => checkedAt ?? []).sort()[0] ?? null,
      };
    }),
  };
}
