import type { Logger } from 'pino';
import type { GitHubClient } from '../../github/client/github-client.js';
import type { Store } from '../../warehouse/store/store.js';
import type { Settings } from '../settings/settings.js';

export interface DiscovererParts {
  readonly settings: Pick<Settings, 'trackRepositories'>;
  readonly store: Store;
  /** Aborts a search when the service stops. */
  readonly signal: AbortSignal;
  readonly clock: () => Date;
  readonly logger: Logger;
}

/** The time between two searches, and the limits of each search: repositories found, and requests to GitHub. */
const EVERY_MS = 86_400_000;
const LIMITS = { limit: 100, budget: 3 };

/**
 * Creates a function that tracks rising repositories, at most once per day, until `TRACK_REPOSITORIES` repositories are tracked. The
 * function does nothing if the setting is not a number. The returned promise resolves to the number of requests sent to GitHub.
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
