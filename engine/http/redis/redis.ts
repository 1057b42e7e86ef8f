import { Redis, ReplyError } from 'ioredis';
import type { Logger } from 'pino';
import { takeInRedis } from './redis-counts.js';

/**
 * A connection to a Redis server that can become unavailable at any time. A request waits for Redis for a limited time
 * and then continues without it.
 */
export interface RedisConnection {
  readonly client: Redis;
  /** Whether requests currently continue without Redis. */
  readonly isAway: boolean;
  /**
   * Runs `work` and returns its result. Rejects if Redis is unavailable or sends nothing for `timeoutMs`. After that,
   * rejects immediately until Redis answers again. `work` itself continues and still receives a late answer.
   *
   * A result proves that Redis can count requests, unless `isProof` is false, as for reads: a full Redis still answers
   * them.
   */
  ask<T>(work: () => Promise<T>, isProof?: boolean): Promise<T>;
  /** Resolves if Redis accepts a write, rejects otherwise. */
  ping(): Promise<void>;
  close(): void;
}

export interface RedisOptions {
  /** The server: `redis://user:password@host:6379/0`, or `rediss://…` for TLS. */
  readonly url: string;
  /** Milliseconds without data from Redis after which `ask` rejects. Delays of this process are excluded. */
  readonly timeoutMs: number;
  /** The time to wait for the first connection, in milliseconds. After that, connecting continues in the background. */
  readonly connectMs?: number;
  readonly logger: Logger;
  /** The clock and timers that measure how long Redis sends nothing. Default: those of the system. */
  readonly silenceTime?: SilenceTime;
}

/** Connects and waits for the first connection. After its time limit, it keeps trying to connect in the background. */
export async function openRedis(options: RedisOptions): Promise<RedisConnection> {
  const redis = new WatchedRedis(options);
  await redis.waitForConnection(options.connectMs ?? FIRST_MS);
  return redis;
}

const FIRST_MS = 1_000;
const CONNECT_MS = 2_000;
/** A connection is closed if no data arrive for this time although a command is pending. */
const SILENT_MS = 5_000;
const RECONNECT_MS = 1_000;
/** The count that pings increment. The limit of this count is too high to be reached. */
const PING = { key: 'repo-insight:pings', points: 1e15, windowMs: 60_000, known: 0, knownLeftMs: 0 };

class WatchedRedis implements RedisConnection {
  readonly client: Redis;
  readonly #watch: SilenceWatch;
  readonly #timeoutMs: number;
  readonly #logger: Logger;
  /** Functions that reject pending waits, one function per wait. */
  readonly #rejectors = new Set<(reason: Error) => void>();
  #isSilent = false;
  #isProbing = false;
  #isAway = false;

  constructor({ url, timeoutMs, logger, silenceTime }: RedisOptions) {
    this.#timeoutMs = timeoutMs;
    this.#watch = new SilenceWatch(timeoutMs, () => this.#rejectAll(), silenceTime);
    this.#logger = logger;
    this.client = new Redis(url, {
      connectTimeout: CONNECT_MS,
      socketTimeout: SILENT_MS,
      // Commands are not queued: a command that cannot be sent immediately is useless later.
      enableOfflineQueue: false,
      // Sends the commands of one iteration of the event loop together, which saves a tenth of the CPU time of a request.
      enableAutoPipelining: true,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (attempt) => Math.min(attempt * 50, RECONNECT_MS),
    });
    // Logs only the message of an error, because the error object for a rejected password contains the password.
    this.client.on('error', ({ message, code }: NodeJS.ErrnoException) => this.#setAway(message || String(code)));
    this.client.on('ready', () => this.#setBack());
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  async ask<T>(work: () => Promise<T>, isProof = true): Promise<T> {
    if (this.client.status !== 'ready') throw new Error('Redis is not connected');
    if (this.#isSilent) throw new Error('Redis does not answer');
    try {
      const answer = await this.#waitForReply(work());
      if (isProof) this.#setBack();
      return answer;
    } catch (error) {
      if (error instanceof ReplyError) this.#setAway((error as Error).message);
      throw error;
    }
  }

  async ping(): Promise<void> {
    // This check increments a count instead of sending PING, because a full Redis, a replica and an account without
    // write access answer PING although they cannot count.
    await this.#waitForReply(takeInRedis(this.client, [PING]));
  }

  close(): void {
    this.#watch.stop();
    this.client.disconnect();
  }

  /** Resolves when the first attempt to connect has succeeded or failed. */
  async waitForConnection(limitMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const failure = new Promise<string | undefined>((resolve) => {
      this.client.once('ready', () => resolve(undefined));
      this.client.once('error', () => resolve(undefined));
      timer = setTimeout(() => resolve(`no connection within ${limitMs} ms`), limitMs);
    });
    const reason = await failure;
    clearTimeout(timer);
    if (reason !== undefined) this.#setAway(reason);
  }

  /** Waits for a reply. Rejects if Redis sends nothing for too long. An error reply also counts as an answer. */
  #waitForReply<T>(reply: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#rejectors.add(reject);
      this.#watch.start();
      const settle = (isAnswer: boolean) => {
        this.#rejectors.delete(reject);
        if (this.#rejectors.size === 0) this.#watch.stop();
        if (isAnswer) this.#onAnswer();
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

  #onAnswer(): void {
    this.#watch.reset();
    if (this.#isSilent && !this.#isProbing) void this.#probe();
  }

  /** Checks whether Redis answers in time again. A late answer is ignored. */
  async #probe(): Promise<void> {
    this.#isProbing = true;
    try {
      await this.#waitForReply(this.client.ping());
      this.#setBack();
    } catch (error) {
      if (error instanceof ReplyError) this.#isSilent = false;
    } finally {
      this.#isProbing = false;
    }
  }

  #rejectAll(): void {
    this.#isSilent = true;
    const reason = new Error(`no answer within ${this.#timeoutMs} ms`);
    this.#setAway(reason.message);
    for (const reject of this.#rejectors) reject(reason);
    this.#rejectors.clear();
  }

  #setAway(reason: string): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#logger.error({ reason }, 'Redis is unavailable; requests are counted in memory until it is back');
  }

  #setBack(): void {
    this.#isSilent = false;
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#logger.info('Redis is back');
  }
}

/** The clock and timers of a `SilenceWatch`. Tests pass an object that they control. */
export interface SilenceTime {
  /** Milliseconds since any fixed moment. */
  now(): number;
  /** Runs a function after this time. The returned function cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Runs a function after all data that have already arrived were read. */
  afterReading(run: () => void): void;
}

const SYSTEM_TIME: SilenceTime = {
  now: performance.now.bind(performance),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  // `setImmediate` is right, because an iteration of the event loop runs timers first, then reads sockets, then runs immediates.
  afterReading: setImmediate,
};

/**
 * Measures how long a peer sends nothing while an answer is pending. It measures in steps, and counts only time in which this process could
 * read an answer: a blocked event loop counts as one step, even if it is blocked for long. If steps run late, this process or the machine
 * is busy, so late steps count less, and the peer gets up to four times as many steps.
 */
export class SilenceWatch {
  readonly #stepMs: number;
  readonly #onSilence: () => void;
  readonly #time: SilenceTime;
  #cancel: (() => void) | undefined;
  #silentSteps = 0;

  /** Calls `onSilence` and ends the measurement after `timeoutMs` without data. */
  constructor(timeoutMs: number, onSilence: () => void, time: SilenceTime = SYSTEM_TIME) {
    this.#time = time;
    this.#stepMs = timeoutMs / STEPS;
    this.#onSilence = onSilence;
  }

  /** Starts a measurement, unless one is running. */
  start(): void {
    if (this.#cancel !== undefined) return;
    this.#silentSteps = 0;
    this.#wait();
  }

  /** Restarts the measurement. Must be called when data arrive. */
  reset(): void {
    this.#silentSteps = 0;
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #wait(): void {
    const dueAt = this.#time.now() + this.#stepMs;
    const cancel = this.#time.after(this.#stepMs, () => {
      const lateMs = this.#time.now() - dueAt;
      this.#time.afterReading(() => {
        if (this.#cancel === cancel) this.#step(lateMs < this.#stepMs ? 1 : LATE_STEP);
      });
    });
    this.#cancel = cancel;
  }

  #step(weight: number): void {
    this.#silentSteps += weight;
    if (this.#silentSteps < STEPS) {
      this.#wait();
      return;
    }
    this.stop();
    this.#onSilence();
  }
}

/** The number of steps without data after which a peer counts as silent. */
const STEPS = 5;
/** The weight of a step that runs late by at least the length of a step. */
const LATE_STEP = 0.25;
