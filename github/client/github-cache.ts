import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  wrap,
} from 'cockatiel';
import { LRUCache } from 'lru-cache';
import type { GitHubClient } from './github-client.js';
import { GitHubError } from './github-error.js';

/** An answer from GitHub, possibly from the cache. */
export interface CachedAnswer<Value> {
  /** Undefined if GitHub has no such record. */
  readonly value: Value | undefined;
  readonly fetchedAt: Date;
  /** The failure of the last attempt to refresh this stale answer. */
  readonly failure?: GitHubError;
}

/** A request to GitHub. The route and its parameters are the cache key. */
export interface GitHubRequest<Value> {
  readonly route: string;
  readonly parameters: Readonly<Record<string, string | number>>;
  /** Converts the response. Throws `GitHubError` if the response does not have the expected form. */
  readonly read: (data: unknown) => Value;
}

export interface GitHubCacheOptions {
  /** Milliseconds for which an answer is fresh. Default five minutes. */
  readonly freshMs?: number;
  /** Milliseconds within which GitHub must answer. Default 3,000. */
  readonly deadlineMs?: number;
  /** The maximum size of all cached answers. Default 32 MiB. */
  readonly maxBytes?: number;
  readonly clock?: () => Date;
  /** Returns milliseconds since a fixed moment, for the age of answers. */
  readonly stopwatch?: () => number;
  /** Called with a message for the operator when the circuit breaker opens or closes. */
  readonly onNotice?: (message: string) => void;
}

/**
 * Caches answers of GitHub. A stale answer is revalidated by its etag. While GitHub fails, the cache returns stale answers that are up to a
 * day old. Concurrent equal requests share one call. A circuit breaker stops calls for ten seconds after five consecutive failures.
 */
export class GitHubCache {
  readonly #client: GitHubClient;
  readonly #options: Required<GitHubCacheOptions>;
  readonly #breaker = circuitBreaker(handleWhen(isGitHubFailure), {
    halfOpenAfter: BREAK_MS,
    breaker: new ConsecutiveBreaker(FAILURES_TO_BREAK),
  });
  readonly #policy = wrap(bulkhead(MAX_CONCURRENT_CALLS), this.#breaker);
  readonly #entries: LRUCache<string, Entry, GitHubRequest<unknown>>;

  constructor(client: GitHubClient, options: GitHubCacheOptions = {}) {
    this.#client = client;
    this.#options = {
      freshMs: 5 * 60_000,
      deadlineMs: 3_000,
      maxBytes: 32 * 1024 * 1024,
      clock: () => new Date(),
      stopwatch: () => performance.now(),
      onNotice: () => {},
      ...options,
    };
    this.#breaker.onBreak(() =>
      this.#options.onNotice('GitHub is unavailable; lookups are answered from the tables of this service.'),
    );
    this.#breaker.onReset(() => this.#options.onNotice('GitHub is available again.'));
    this.#entries = new LRUCache({
      maxSize: this.#options.maxBytes,
      sizeCalculation: ({ bytes }, key) => bytes + 2 * key.length + ENTRY_BYTES,
      ttl: this.#options.freshMs,
      ttlResolution: 0,
      perf: { now: this.#options.stopwatch },
      noDeleteOnStaleGet: true,
      fetchMethod: async (_key, stale, { options, context }) => {
        const entry = await this.#refresh(context, stale);
        options.ttl = this.#ttlOf(entry);
        return entry;
      },
    });
  }

  /** Whether the circuit breaker is open, so that no calls are made because GitHub failed. */
  get isBreakerOpen(): boolean {
    return this.#breaker.state === CircuitState.Open;
  }

  /** Milliseconds for which an answer is fresh. */
  get freshMs(): number {
    return this.#options.freshMs;
  }

  /** Returns GitHub's answer. Rejects with `GitHubError` if GitHub fails and the cache has no answer from the last day. */
  async fetch<Value>(request: GitHubRequest<Value>): Promise<CachedAnswer<Value>> {
    const key = JSON.stringify([request.route, request.parameters]);
    const entry = await this.#entries.fetch(key, { context: request });
    if (entry === undefined) throw new GitHubError('unavailable', 'GitHub did not answer.');
    return entry as CachedAnswer<Value>;
  }

  async #refresh(request: GitHubRequest<unknown>, stale: Entry | undefined): Promise<Entry> {
    try {
      return await this.#call(request, stale);
    } catch (error) {
      const isUsable = stale !== undefined && this.#options.stopwatch() - stale.since < MAX_STALE_MS;
      if (!(error instanceof GitHubError) || !isUsable) throw error;
      return { ...stale, failure: error };
    }
  }

  async #call({ route, parameters, read }: GitHubRequest<unknown>, stale: Entry | undefined): Promise<Entry> {
    const { deadlineMs } = this.#options;
    const reply = await this.#policy
      .execute(() => this.#client.get(route, parameters, { deadlineMs, etag: stale?.etag }))
      .catch(throwGitHubError);
    const [fetchedAt, since] = [this.#options.clock(), this.#options.stopwatch()];
    if (reply.state === 'unchanged' && stale !== undefined) {
      const { failure: _, ...entry } = stale;
      return { ...entry, fetchedAt, since };
    }
    if (reply.state !== 'found') return { value: undefined, etag: undefined, fetchedAt, since, bytes: 0 };
    const value = read(reply.data);
    return { value, etag: reply.etag, fetchedAt, since, bytes: 2 * JSON.stringify(value).length };
  }

  /**
   * Returns how long an entry stays fresh. Absent records and failures have a shorter time, because they may change
   * soon.
   */
  #ttlOf({ value, failure }: Entry): number {
    const { freshMs } = this.#options;
    return value === undefined || failure !== undefined ? Math.min(freshMs, SHORT_TTL_MS) : freshMs;
  }
}

interface Entry extends CachedAnswer<unknown> {
  /** The stopwatch value that corresponds to `fetchedAt`. */
  readonly since: number;
  readonly etag: string | undefined;
  readonly bytes: number;
}

/**
 * The maximum number of lookups that wait for GitHub at the same time. Further lookups are answered from the tables.
 */
const MAX_CONCURRENT_CALLS = 32;
const FAILURES_TO_BREAK = 5;
const BREAK_MS = 10_000;
const SHORT_TTL_MS = 30_000;
const MAX_STALE_MS = 24 * 3_600_000;
/** Approximate size of an entry without its value and key. */
const ENTRY_BYTES = 300;

function throwGitHubError(error: unknown): never {
  if (error instanceof BulkheadRejectedError) {
    throw new GitHubError('rate-limited', 'Too many lookups already wait for GitHub.');
  }
  if (!(error instanceof BrokenCircuitError)) throw error;
  throw new GitHubError('unavailable', 'GitHub failed several times and is not called for some seconds.');
}

function isGitHubFailure(error: Error): boolean {
  return error instanceof GitHubError && (error.failure === 'unavailable' || error.failure === 'unreadable');
}
