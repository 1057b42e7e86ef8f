import { Redis, ReplyError } from 'ioredis';
import type { Logger } from 'pino';
import { takeInRedis } from './redis-counts.js';
import { SilenceWatch } from './silence-watch.js';

/** A Redis that may be away at any time: a request waits a bounded time for it, and nothing depends on it. */
export interface RedisConnection {
  readonly client: Redis;
  /**
   * Gives what `work` gets from Redis. Rejects when Redis is away, or says nothing for `timeoutMs`; from then on it rejects at
   * once, until Redis answers again. The work itself goes on and still gets an answer that comes late.
   */
  ask<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when Redis takes what is written, rejects otherwise. */
  ping(): Promise<void>;
  close(): void;
}

export interface RedisOptions {
  /** `redis://user:password@host:6379/0`, or `rediss://…`. */
  readonly url: string;
  /** Milliseconds of silence after which `ask` gives up. Delays of this process do not count. */
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
/** Counts as limits do, without an end. */
const PING = { key: 'repo-insight:pings', points: 1e15, windowMs: 60_000, known: 0, knownLeftMs: 0 };

class WatchedRedis implements RedisConnection {
  readonly client: Redis;
  readonly #watch: SilenceWatch;
  readonly #timeoutMs: number;
  readonly #logger: Logger;
  /** Gives up a wait, one for each. */
  readonly #waits = new Set<(reason: Error) => void>();
  #isSilent = false;
  #isProbed = false;
  #isAway = false;

  constructor({ url, timeoutMs, logger }: RedisOptions) {
    this.#timeoutMs = timeoutMs;
    this.#watch = new SilenceWatch(timeoutMs, () => this.#giveUp());
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
  }

  async ask<T>(work: () => Promise<T>): Promise<T> {
    if (this.client.status !== 'ready') throw new Error('there is no connection');
    if (this.#isSilent) throw new Error('it does not answer');
    try {
      const answer = await this.#answerOf(work());
      this.#regain();
      return answer;
    } catch (error) {
      if (error instanceof ReplyError) this.#lose((error as Error).message);
      throw error;
    }
  }

  async ping(): Promise<void> {
    // A Redis that is full, a replica, or an account without a right answers a plain PING and counts nothing.
    await this.#answerOf(takeInRedis(this.client, [PING]));
  }

  close(): void {
    this.#watch.stop();
    this.client.disconnect();
  }

  /** Resolves when the first attempt to connect has ended, well or not. */
  async firstWord(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const word = new Promise<string | undefined>((resolve) => {
      this.client.once('ready', () => resolve(undefined));
      this.client.once('error', () => resolve(undefined));
      timer = setTimeout(() => resolve(`no connection within ${FIRST_MS} ms`), FIRST_MS);
    });
    const reason = await word;
    clearTimeout(timer);
    if (reason !== undefined) this.#lose(reason);
  }

  /** Rejects when Redis is silent for too long. An error that Redis replies with is an answer, too. */
  #answerOf<T>(reply: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waits.add(reject);
      this.#watch.start();
      const settle = (isAnswer: boolean) => {
        this.#waits.delete(reject);
        if (this.#waits.size === 0) this.#watch.stop();
        if (isAnswer) this.#hear();
      };
      reply.then(
        (answer) => {
          resolve(answer);
          settle(true);
        },
        (error: unknown) => {
          reject(error);
          settle(error instanceof ReplyError);
        },
      );
    });
  }

  #hear(): void {
    this.#watch.hear();
    if (this.#isSilent && !this.#isProbed) void this.#probe();
  }

  /** An answer that comes late does not show that the next one comes in time. */
  async #probe(): Promise<void> {
    this.#isProbed = true;
    try {
      await this.#answerOf(this.client.ping());
      this.#regain();
    } catch (error) {
      if (error instanceof ReplyError) this.#isSilent = false;
    } finally {
      this.#isProbed = false;
    }
  }

  #giveUp(): void {
    this.#isSilent = true;
    const reason = new Error(`no answer within ${this.#timeoutMs} ms`);
    this.#lose(reason.message);
    for (const giveUp of this.#waits) giveUp(reason);
    this.#waits.clear();
  }

  #lose(reason: string): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#logger.error({ reason }, 'Redis is away; requests are counted in memory until it is back');
  }

  #regain(): void {
    this.#isSilent = false;
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#logger.info('Redis is back');
  }
}
