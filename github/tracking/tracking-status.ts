import { ABSENT, isDue } from './source.js';
import { SOURCES } from './sources.js';
import type { TrackedRepository } from './tracked-repositories.js';
import type { TrackingStatus } from './tracking-progress.js';

/** Counts the repositories by the state of each source. */
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
