import { ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';

/** A Redis that may be away at any time: nobody waits for it longer than a moment, and nothing depends on it. */
export interface RedisConnection {
  readonly client: Redis;
  /**
   * Gives what `work` gets from Redis; rejects when it is away, or has not answered in time. One that stalls is asked once
   * a second, so that only that one waits.
   */
  ask<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when Redis takes what is written, rejects otherwise. */
  ping(timeoutMs: number): Promise<void>;
  close(): void;
}

export interface RedisOptions {
  /** `redis://user:password@host:6379/0`, or `rediss://…`. */
  readonly url: string;
  /** Milliseconds that `ask` waits for an answer. */
  readonly timeoutMs: number;
  readonly logger: Logger;
}

/** Connects, waiting a moment so that the first requests find it; one that is away is waited for behind the scenes. */
export async function openRedis(options: RedisOptions): Promise<RedisConnection> {
  const redis = new WatchedRedis(options);
  await redis.firstWord();
  return redis;
}

/** Time for the first connection; a service starts without one. */
const FIRST_MS = 1_000;
const CONNECT_MS = 2_000;
/** A connection on which nothing has come for so long, though something was asked, is given up. */
const SILENT_MS = 5_000;
const RECONNECT_MS = 1_000;
/** Answers that are missed in a row before Redis is taken for stalled, and how long it is left alone then. */
const MISSES = 5;
const ASK_AGAIN_MS = 1_000;
const PING_KEY = 'repo-insight:ping';
const PING_SECONDS = 60;

class WatchedRedis implements RedisConnection {
  readonly client: Redis;
  readonly #breaker = circuitBreaker(handleAll, {
    halfOpenAfter: ASK_AGAIN_MS,
    breaker: new ConsecutiveBreaker(MISSES),
  });
  readonly #timeoutMs: number;
  readonly #logger: Logger;
  #isAway = false;

  constructor({ url, timeoutMs, logger }: RedisOptions) {
    this.#timeoutMs = timeoutMs;
    this.#logger = logger;
    this.client = new Redis(url, {
      connectTimeout: CONNECT_MS,
      socketTimeout: SILENT_MS,
      // What cannot be sent now is of no use later.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (attempt) => Math.min(attempt * 50, RECONNECT_MS),
    });
    // Only the message: the error of a refused password carries the password.
    this.client.on('error', ({ message, code }: NodeJS.ErrnoException) => this.#lose(message || String(code)));
    this.client.on('ready', () => this.#regain());
    this.#breaker.onBreak((reason) => this.#lose('error' in reason ? reason.error.message : 'it does not answer'));
    this.#breaker.onReset(() => this.#regain());
  }

  ask<T>(work: () => Promise<T>): Promise<T> {
    if (this.client.status !== 'ready') return Promise.reject(new Error('there is no connection'));
    return this.#breaker.execute(() => answerWithin(this.#timeoutMs, work()));
  }

  async ping(timeoutMs: number): Promise<void> {
    // One that is full, or the copy of another, answers a ping and counts nothing.
    await answerWithin(timeoutMs, this.client.set(PING_KEY, '', 'EX', PING_SECONDS));
  }

  close(): void {
    this.client.disconnect();
  }

  /** Resolves when the first attempt to connect has ended, well or not. */
  async firstWord(): Promise<void> {
    const word = new Promise<void>((resolve) => {
      this.client.once('ready', resolve);
      this.client.once('error', () => resolve());
    });
    await answerWithin(FIRST_MS, word).catch(({ message }: Error) => this.#lose(message));
  }

  #lose(reason: string): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#logger.error({ reason }, 'Redis is away; requests are counted in memory until it is back');
  }

  #regain(): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#logger.info('Redis is back');
  }
}

/** An answer that came in while this process was busy is taken before the time is said to be over. */
function answerWithin<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`no answer within ${ms} ms`));
    const timer = setTimeout(() => setImmediate(giveUp), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
