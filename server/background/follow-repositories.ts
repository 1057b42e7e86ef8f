import type { Logger } from 'pino';
import type { GitHubClient } from '../../github/client/github-client.js';
import type { FollowSummary } from '../../github/tracking/follow-tracked.js';
import type { TrackingReport } from '../../github/tracking/tracking-progress.js';
import { AlreadyRunningError, type Store } from '../../warehouse/store/store.js';
import type { Settings } from '../settings/settings.js';
import { createDiscoverer } from './discover-repositories.js';
import { type RepeatedWork, repeat } from './repeat.js';

/** What the follower has done in this process. */
export interface RepositoriesReport {
  /** The state after the last run. Undefined before the first run ends. */
  readonly status: TrackingReport | undefined;
  /** The requests to GitHub since the start. */
  readonly requests: number;
}

export interface RepositoryFollower {
  readonly report: RepositoriesReport;
  /** Starts reading: immediately, and then every ten minutes. */
  start(): Pick<RepeatedWork, 'stop'>;
}

export interface RepositoriesParts {
  readonly settings: Pick<Settings, 'trackRepositories' | 'githubToken'>;
  /** Creates the client for GitHub, which does not retry failed requests. */
  readonly createGitHub: (onNotice: (message: string) => void) => Promise<GitHubClient>;
  /** Without write access (undefined), the repositories are not followed. */
  readonly store: Store | undefined;
  /** The folder from which the database may read files. */
  readonly stagingDirectory: string;
  readonly clock: () => Date;
  readonly logger: Logger;
  /** Called after the report has changed. */
  readonly onChange: () => void;
}

/** The time between two runs. A run that reaches a rate limit ends, and the next run continues. */
const EVERY_MS = 600_000;
/**
 * The maximum number of requests per run. Per hour, they use less than half of GitHub's rate limit for a token, or for an address without
 * one.
 */
const BUDGET = { perToken: 400, anonymous: 5 };

/**
 * Creates the follower that reads those tracked repositories that are due. Returns undefined without `TRACK_REPOSITORIES`. Problems are
 * logged and retried; they never stop a running service.
 */
export function createRepositoryFollower(parts: RepositoriesParts): RepositoryFollower | undefined {
  const { settings, createGitHub, store, stagingDirectory, clock, logger } = parts;
  if (settings.trackRepositories === 'no' || store === undefined) return undefined;
  const tokens = settings.githubToken?.split(',').length ?? 0;
  const budget = tokens * BUDGET.perToken || BUDGET.anonymous;
  const stopping = new AbortController();
  let [status, requests]: [TrackingReport | undefined, number] = [undefined, 0];
  let requestsLeft: readonly (number | null)[] = [];
  const discoverWhenDue = createDiscoverer({ settings, store, signal: stopping.signal, clock, logger });
  const run = async () => {
    // The modules for GitHub are only loaded by services that need them.
    const [{ followTracked }, { listTracked }, { readShares, trackingStatus }, client] = await Promise.all([
      import('../../github/tracking/follow-tracked.js'),
      import('../../github/tracking/tracked-repositories.js'),
      import('../../github/tracking/tracking-status.js'),
      createGitHub((message) => logger.warn(message)),
    ]);
    try {
      const onNotice = (message: string) => logger.info(message);
      const options = { budget, wait: false, signal: stopping.signal, stagingDirectory, clock, onNotice };
      const summary = await followTracked(store, client, options);
      requests += summary.requests;
      requestsLeft = client.requestsLeft();
      logSummary(summary, logger);
      requests += await discoverWhenDue(client);
    } catch (error) {
      if (!(error instanceof AlreadyRunningError)) throw error;
      logger.info('another process follows the tracked repositories');
    }
    if (stopping.signal.aborted) return;
    status = await store.write(async (tables) => ({
      ...trackingStatus(await listTracked(tables), clock()),
      shares: await readShares(tables),
      requestsLeft,
    }));
    parts.onChange();
  };
  return {
    get report() {
      return { status, requests };
    },
    start: () => {
      const work = repeat('following tracked repositories', EVERY_MS, run, logger);
      void work.now();
      return {
        stop: () => {
          stopping.abort(new Error('The service stops.'));
          return work.stop();
        },
      };
    },
  };
}

function logSummary({ stopped, ...counts }: FollowSummary, logger: Logger): void {
  if (counts.requests === 0 && stopped === undefined) return;
  logger.info({ ...counts, reason: stopped }, 'the sources of tracked repositories were read');
}
