import type { EventEmitter } from 'node:events';
import { Queue, Worker } from 'bullmq';
import { TimeoutStrategy, timeout } from 'cockatiel';
import type { Stage } from '../questions/question-row.js';
import { InProcessQueue } from './in-process-queue.js';
import { CONCURRENCY, STAGES, type Work, type WorkQueue } from './work-queue.js';

export interface RedisQueueOptions {
  /** The URL of Redis: `redis://…` or `rediss://…`. */
  readonly url: string;
  /** Identifies the database, because services with different databases can share a Redis. */
  readonly namespace: string;
  /** Called with the first error after each period of success. The message contains no URL. */
  readonly onUnavailable: (reason: string) => void;
}

/**
 * The queue of several processes, with one BullMQ queue per stage. If a process cannot send an announcement, it processes the question
 * itself, without Redis.
 */
export class RedisQueue implements WorkQueue {
  readonly #options: RedisQueueOptions;
  readonly #own = new InProcessQueue();
  #queues: ReadonlyMap<Stage, Queue> = new Map();
  #workers: readonly Worker[] = [];
  #isAway = false;

  constructor(options: RedisQueueOptions) {
    this.#options = options;
  }

  async announce(stage: Stage): Promise<void> {
    const queue = this.#queues.get(stage);
    if (queue === undefined) return this.#own.announce(stage);
    try {
      await SEND.execute(() => queue.add('question', {}, FORGET));
      this.#isAway = false;
    } catch (error) {
      this.#setAway(error);
      await this.#own.announce(stage);
    }
  }

  expect(stage: Stage, waiting: number): void {
    this.#own.expect(stage, waiting);
  }

  start(work: Work): void {
    this.#own.start(work);
    this.#queues = new Map(STAGES.map((stage) => [stage, this.#watch(new Queue(stage, this.#connection(false)))]));
    this.#workers = STAGES.map((stage) => {
      const options = { ...this.#connection(true), concurrency: CONCURRENCY[stage] };
      return this.#watch(new Worker(stage, () => this.#own.process(stage), options));
    });
  }

  async close(): Promise<void> {
    // Running jobs end when the queue of this process is closed.
    const paused = Promise.all(this.#workers.map((worker) => worker.pause(true).catch(ignore)));
    await Promise.all([this.#own.close(), within(paused)]);
    const all = [...this.#workers, ...this.#queues.values()];
    await within(Promise.all(all.map((one) => one.close().catch(ignore))));
    await within(Promise.all(all.map((one) => one.disconnect().catch(ignore))));
  }

  #connection(isWorker: boolean) {
    const { url, namespace } = this.#options;
    const connection = {
      url,
      connectTimeout: 2_000,
      retryStrategy: (attempt: number) => Math.min(attempt * 50, 1_000),
      // Workers wait for Redis without a limit. Announcements wait until the next attempt to connect, at most as long as `SEND`.
      maxRetriesPerRequest: isWorker ? null : 0,
    };
    return { connection, prefix: `repo-insight:explorer:${namespace}` };
  }

  #watch<Watched extends EventEmitter>(watched: Watched): Watched {
    watched.on('error', (error: unknown) => this.#setAway(error));
    return watched;
  }

  #setAway(error: unknown): void {
    if (this.#isAway) return;
    this.#isAway = true;
    const { message, code } = error as NodeJS.ErrnoException;
    this.#options.onUnavailable(message || String(code));
  }
}

/** The time limit for one announcement. */
const SEND = timeout(1_000, TimeoutStrategy.Aggressive);
/** Jobs are not kept in Redis after they end, because the database contains the questions. */
const FORGET = { removeOnComplete: true, removeOnFail: true } as const;
const CLOSE = timeout(2_000, TimeoutStrategy.Aggressive);

function within(work: Promise<unknown>): Promise<unknown> {
  return CLOSE.execute(() => work).catch(ignore);
}

function ignore(): void {}
