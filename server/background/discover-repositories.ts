import type { Logger } from 'pino';
import type { GitHubClient } from '../../github/client/github-client.js';
import type { Store } from '../../warehouse/store/store.js';
import type { Settings } from '../settings/settings.js';

export interface DiscovererParts {
  readonly settings: Pick<Settings, 'trackRepositories'>;
  readonly store: Store;
  /** Ends a search when the service stops. */
  readonly signal: AbortSignal;
  readonly clock: () => Date;
  readonly logger: Logger;
}

/** The time between two searches, and the limits of each. A request has 100 repositories. */
const EVERY_MS = 86_400_000;
const LIMITS = { limit: 100, budget: 3 };

/**
 * Creates a function that tracks repositories that rise, at most once per day, until the number in `TRACK_REPOSITORIES` is
 * tracked; none if it is not a number. Resolves to the number of its requests to GitHub.
 */
export function createDiscoverer(parts: DiscovererParts): (client: GitHubClient) => Promise<number> {
  const { settings, store, signal, clock, logger } = parts;
  const trackUntil = Number(settings.trackRepositories);
  let searchedAt = Number.NEGATIVE_INFINITY;
  return async (client) => {
    if (!(trackUntil > 0) || signal.aborted || clock().getTime() - searchedAt < EVERY_MS) return 0;
    searchedAt = clock().getTime();
    const { discover } = await import('../../github/tracking/discover.js');
    const options = { ...LIMITS, trackUntil, wait: false, signal, clock };
    try {
      const { proposals, added, requests, stopped } = await discover(store, client, options);
      const names = proposals.slice(0, added).map(({ name }) => name);
      logger.info({ names, requests, reason: stopped }, 'repositories that rise were searched');
      return requests;
    } catch (error) {
      if (!signal.aborted) throw error;
      return 0;
    }
  };
}
