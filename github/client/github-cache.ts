import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  wrap,
} from 'cockatiel';
import { LRUCache } from 'lru-cache';
import type { HostClient } from './github-client.js';
import { HostError } from './github-error.js';

/** What the platform told of a thing, now or when it was last asked. */
export interface Told<Value> {
  /** Undefined: the platform says that there is no such thing. */
  readonly value: Value | undefined;
  readonly toldAt: Date;
  /** Why the platform was asked again in vain since. */
  readonly failure?: HostError;
}

/** A request of which the platform is asked: what is told again is known by the route and its parameters. */
export interface HostRequest<Value> {
  readonly route: string;
  readonly parameters: Readonly<Record<string, string | number>>;
  /** Throws `HostError` for what is no such thing. */
  readonly read: (data: unknown) => Value;
}

export interface HostCacheOptions {
  /** Milliseconds for which what was told is not asked again. */
  readonly freshMs?: number;
  /** Milliseconds within which the platform has to answer. */
  readonly deadlineMs?: number;
  /** What is kept at most. */
  readonly maxBytes?: number;
  readonly clock?: () => Date;
  /** Milliseconds since any fixed moment, by which what was told grows old. */
  readonly stopwatch?: () => number;
  /** Hears, for the operator, when the platform is left alone, and when it answers again. */
  readonly onNotice?: (message: string) => void;
}

/**
 * Remembers what the platform told. After some minutes it asks whether that is still so, and while the platform fails to say
 * it goes on telling what it knows, for a day. Equal requests at the same time are one. A platform that failed several times
 * in a row is left alone for some seconds.
 */
export class HostCache {
  readonly #client: HostClient;
  readonly #options: Required<HostCacheOptions>;
  readonly #breaker = circuitBreaker(handleWhen(isAway), {
    halfOpenAfter: ASK_AGAIN_MS,
    breaker: new ConsecutiveBreaker(FAILURES),
  });
  readonly #policy = wrap(bulkhead(CALLS_AT_A_TIME), this.#breaker);
  readonly #told: LRUCache<string, Entry, HostRequest<unknown>>;

  constructor(client: HostClient, options: HostCacheOptions = {}) {
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
      this.#options.onNotice('The hosting platform is away; lookups are answered from the tables.'),
    );
    this.#breaker.onReset(() => this.#options.onNotice('The hosting platform is back.'));
    this.#told = new LRUCache({
      maxSize: this.#options.maxBytes,
      sizeCalculation: ({ bytes }, key) => bytes + 2 * key.length + ENTRY_BYTES,
      ttl: this.#options.freshMs,
      ttlResolution: 0,
      perf: { now: this.#options.stopwatch },
      noDeleteOnStaleGet: true,
      fetchMethod: async (_key, known, { options, context }) => {
        const entry = await this.#renew(context, known);
        options.ttl = this.#ttlOf(entry);
        return entry;
      },
    });
  }

  /** Milliseconds for which what was told is not asked again. */
  get freshMs(): number {
    return this.#options.freshMs;
  }

  /** Throws `HostError` when the platform does not answer and has not been heard of this. */
  async ask<Value>(request: HostRequest<Value>): Promise<Told<Value>> {
    const key = JSON.stringify([request.route, request.parameters]);
    const entry = await this.#told.fetch(key, { context: request });
    if (entry === undefined) throw new HostError('away', 'The platform did not answer.');
    return entry as Told<Value>;
  }

  async #renew(request: HostRequest<unknown>, known: Entry | undefined): Promise<Entry> {
    try {
      return await this.#get(request, known);
    } catch (error) {
      const isTellable = known !== undefined && this.#options.stopwatch() - known.since < KEPT_MS;
      if (!(error instanceof HostError) || !isTellable) throw error;
      return { ...known, failure: error };
    }
  }

  async #get({ route, parameters, read }: HostRequest<unknown>, known: Entry | undefined): Promise<Entry> {
    const { deadlineMs } = this.#options;
    const reply = await this.#policy
      .execute(() => this.#client.get(route, parameters, { deadlineMs, etag: known?.etag }))
      .catch(explain);
    const [toldAt, since] = [this.#options.clock(), this.#options.stopwatch()];
    if (reply.state === 'unchanged' && known !== undefined) {
      const { failure: _, ...told } = known;
      return { ...told, toldAt, since };
    }
    if (reply.state !== 'found') return { value: undefined, etag: undefined, toldAt, since, bytes: 0 };
    const value = read(reply.data);
    return { value, etag: reply.etag, toldAt, since, bytes: 2 * JSON.stringify(value).length };
  }

  /** That something is not there, or that the platform fails, may soon be over. */
  #ttlOf({ value, failure }: Entry): number {
    const { freshMs } = this.#options;
    return value === undefined || failure !== undefined ? Math.min(freshMs, SOON_MS) : freshMs;
  }
}

interface Entry extends Told<unknown> {
  /** `toldAt` by the stopwatch. */
  readonly since: number;
  readonly etag: string | undefined;
  readonly bytes: number;
}

/** More than these do not wait for the platform: our tables answer. */
const CALLS_AT_A_TIME = 32;
const FAILURES = 5;
const ASK_AGAIN_MS = 10_000;
const SOON_MS = 30_000;
const KEPT_MS = 24 * 3_600_000;
/** What an entry takes beside its value, about. */
const ENTRY_BYTES = 300;

function explain(error: unknown): never {
  if (error instanceof BulkheadRejectedError) {
    throw new HostError('limited', 'Too many lookups wait for the platform already.');
  }
  if (!(error instanceof BrokenCircuitError)) throw error;
  throw new HostError('away', 'The platform failed several times; it is asked again in some seconds.');
}

function isAway(error: Error): boolean {
  return error instanceof HostError && (error.failure === 'away' || error.failure === 'unreadable');
}
