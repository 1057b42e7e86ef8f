import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { SharedWorkStatus } from '../background/shared-work.js';
import type { SentHistory } from '../live/definition-history.js';
import type { FamilyValues } from '../metrics/metrics.js';
import type { ProcessMetrics, ReadyWorker, WorkerStart } from './messages.js';
import { type WorkerExit, WorkerProcess } from './worker-process.js';

export interface WorkerPoolOptions {
  readonly count: number;
  /** Workers that do not stop within this time are killed. */
  readonly stopLimitMs: number;
  readonly logger: Logger;
}

/** A replacement worker that does not start within this time is killed. */
const START_LIMIT_MS = 120_000;

const FROM_FILES =
  'a new worker serves the definitions of the files: there were too many reloads with canaries or last good versions to repeat them';

/** The workers of a service: starts them, replaces workers that end, and restarts all of them without downtime. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #workers = new Set<WorkerProcess>();
  readonly #metrics = new WorkerMetrics();
  readonly #pauses = new RestartPauses();
  readonly #closed = new AbortController();
  readonly #failed = new AbortController();
  /** The worker that does the shared work. */
  #owner: WorkerProcess | undefined;
  /** The last status of the shared work that `#owner` sent. */
  #sharedWorkStatus: SharedWorkStatus | undefined;
  #restart: Promise<void> | undefined;
  #needsRestart = false;
  /** The definitions that the workers serve. */
  #history: SentHistory | undefined;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    // The primary process accepts all connections, so that a connection for an ended worker is passed to another one.
    cluster.schedulingPolicy = cluster.SCHED_RR;
  }

  /** Aborts, with a reason, when no worker serves any longer and no new one can be started. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /**
   * Starts all workers. The first worker prepares the tables and the secrets. Returns undefined if the signal aborts before all of them
   * listen. Throws the reason if one of them does not start.
   */
  async start(signal: AbortSignal): Promise<ReadyWorker | undefined> {
    signal.addEventListener('abort', () => void this.close(), { once: true });
    try {
      if (signal.aborted) return undefined;
      const ready = await this.#fork({ isFirst: true }).ready;
      if (this.#isClosed) return undefined;
      await Promise.all(Array.from({ length: this.#options.count - 1 }, () => this.#fork({ isFirst: false }).ready));
      return ready;
    } catch (error) {
      if (this.#isClosed) return undefined;
      await this.close();
      throw error;
    }
  }

  /** Makes all workers reload their definitions. */
  reload(): void {
    for (const worker of this.#workers) worker.reload();
  }

  /** Replaces the workers one by one, so that they run the program that is now on the disk. */
  restart(): void {
    // The program on the disk may have changed since the current restart began, so another restart is needed.
    this.#needsRestart = true;
    this.#restart ??= this.#restartAll().finally(() => {
      this.#restart = undefined;
    });
  }

  /** Stops all workers. Resolves when they have ended. */
  async close(): Promise<void> {
    this.#closed.abort();
    const { stopLimitMs, logger } = this.#options;
    const stop = async (worker: WorkerProcess) => {
      const { wasKilled } = await worker.stop('stop', stopLimitMs);
      if (wasKilled) logger.error({ worker: worker.pid }, 'a worker did not stop in time and was killed');
    };
    const workers = [...this.#workers];
    await Promise.all([...workers.map(stop), stopTogether(workers)]);
    await this.#restart;
  }

  /** Kills all workers at once. */
  kill(): void {
    for (const worker of this.#workers) worker.kill();
  }

  get #isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  #fork(start: Omit<WorkerStart, 'count'>): WorkerProcess {
    const worker = new WorkerProcess(
      { ...start, count: this.#options.count },
      {
        onDefinitions: (sender, history) => {
          if (sender.hasServed) this.#history = history;
          // A new worker that only repeats the history it received must not overwrite the history of a newer reload.
          else if (start.history === undefined) this.#useWhenServed(sender, history);
        },
        onSharedWorkStatus: (sender, status) => {
          if (sender === this.#owner) this.#shareStatus(status);
        },
        onMetrics: (sender, families) => this.#metrics.report(sender, families),
        collectMetrics: () => this.#metrics.read([...this.#workers].filter(({ hasServed }) => hasServed)),
      },
    );
    this.#workers.add(worker);
    if (start.isFirst) this.#owner = worker;
    void worker.ready.then(
      () => {
        worker.sendSharedWorkStatus(this.#sharedWorkStatus);
        this.#assignSharedWork();
      },
      () => undefined,
    );
    void worker.exited.then((exit) => this.#onExit(worker, exit));
    return worker;
  }

  #useWhenServed(worker: WorkerProcess, history: SentHistory | undefined): void {
    worker.ready.then(
      () => {
        this.#history = history;
      },
      () => undefined,
    );
  }

  /** Starts an additional worker. Resolves to the worker when it listens. */
  async #forkInTime(history?: SentHistory): Promise<WorkerProcess> {
    const worker = this.#fork({ isFirst: false, history });
    const timer = setTimeout(() => worker.kill(), START_LIMIT_MS);
    await worker.ready.finally(() => clearTimeout(timer));
    return worker;
  }

  #onExit(worker: WorkerProcess, { code, signal }: WorkerExit): void {
    this.#workers.delete(worker);
    this.#metrics.end(worker);
    if (this.#owner === worker) {
      this.#owner = undefined;
      this.#shareStatus(undefined);
    }
    this.#assignSharedWork();
    // A worker that ended before it served is handled by the caller that started it.
    if (this.#isClosed || worker.isStopping || !worker.hasServed) return;
    const pauseMs = this.#pauses.next(worker.servedMs);
    this.#options.logger.error({ worker: worker.pid, code, signal, pauseMs }, 'a worker ended and is replaced');
    void this.#replace(pauseMs);
  }

  /** After a pause, starts a worker to replace an ended one. It serves the same definitions as the other workers. */
  async #replace(firstPauseMs: number): Promise<void> {
    let pauseMs = firstPauseMs;
    for (;;) {
      await pause(pauseMs, undefined, { signal: this.#closed.signal }).catch(() => undefined);
      if (this.#isClosed) return;
      try {
        const { pid } = await this.#forkInCommon();
        this.#options.logger.info({ worker: pid }, 'a new worker serves');
        return;
      } catch (error) {
        if (this.#isClosed) return;
        const reason = (error as Error).message;
        if (![...this.#workers].some(({ isServing }) => isServing)) {
          this.#failed.abort(new Error(`No worker serves, and a new one did not start: ${reason}`));
          return;
        }
        pauseMs = this.#pauses.next(0);
        this.#options.logger.error({ reason, pauseMs }, 'a new worker did not start; the others continue');
      }
    }
  }

  /** Starts a worker, and repeats this until it serves the same definitions as the other workers. */
  async #forkInCommon(): Promise<WorkerProcess> {
    for (;;) {
      const history = this.#history;
      if (history === undefined) this.#options.logger.warn(FROM_FILES);
      const worker = await this.#forkInTime(history);
      // The definitions of the other workers changed in the meantime.
      if (this.#history === history || this.#isClosed || history === undefined) return worker;
      await worker.stop('replaced', this.#options.stopLimitMs);
    }
  }

  async #restartAll(): Promise<void> {
    const { logger, stopLimitMs } = this.#options;
    while (this.#needsRestart && !this.#isClosed) {
      this.#needsRestart = false;
      const started = performance.now();
      const old = [...this.#workers].filter(({ isStopping }) => !isStopping);
      logger.info({ workers: old.length }, 'the rolling restart begins');
      for (const worker of old) {
        // A worker that crashes is replaced by other code, so its failure is ignored here.
        await worker.ready.catch(() => undefined);
        if (this.#isClosed) return;
        if (worker.hasExited) continue;
        const replacement = await this.#forkInTime().catch((error: Error) => error);
        if (this.#isClosed) return;
        if (replacement instanceof Error) {
          const { message: reason } = replacement;
          logger.error({ reason }, 'the rolling restart ends: a new worker did not start; the other workers continue');
          break;
        }
        const { wasKilled } = await worker.stop('replaced', stopLimitMs);
        logger.info({ worker: worker.pid, by: replacement.pid, wasKilled }, 'a worker was replaced');
      }
      const isComplete = old.every(({ hasExited }) => hasExited);
      if (isComplete) logger.info({ ms: Math.round(performance.now() - started) }, 'the rolling restart is complete');
    }
  }

  /** Sends the status of the shared work to the other workers. */
  #shareStatus(status: SharedWorkStatus | undefined): void {
    this.#sharedWorkStatus = status;
    for (const worker of this.#workers) if (worker !== this.#owner) worker.sendSharedWorkStatus(status);
  }

  /** If no worker has the shared work, gives it to the newest worker. */
  #assignSharedWork(): void {
    if (this.#owner !== undefined || this.#isClosed) return;
    const newest = [...this.#workers].reverse().find(({ isServing }) => isServing);
    if (newest === undefined) return;
    this.#owner = newest;
    newest.giveSharedWork();
  }
}

/**
 * Takes workers through the steps of a stop together, so that no connection is reset: a client that gets an answer from one worker can
 * connect to another. All workers hold their answers until no connection waits, and then until none of them accepts connections.
 */
async function stopTogether(workers: readonly WorkerProcess[]): Promise<void> {
  await together(workers.map(({ drained }) => drained));
  for (const worker of workers) worker.report('all-drained');
  await together(workers.map(({ closed }) => closed));
  for (const worker of workers) worker.report('all-closed');
}

/** `steps` resolve to whether the worker reported the step. A worker that exits before says nothing about the others. */
async function together(steps: readonly Promise<boolean>[]): Promise<void> {
  const reports = steps.map(async (step) => (await step) || new Promise<never>(() => undefined));
  await Promise.race([Promise.all(steps), ...reports]);
  const limit = new AbortController();
  const late = pause(TOGETHER_MS, undefined, { signal: limit.signal }).catch(() => undefined);
  await Promise.race([Promise.all(steps), late]);
  limit.abort();
}

/** A worker does not wait longer than this for workers that are too busy to stop. */
const TOGETHER_MS = 1_000;

/** The pauses before a worker is started again. The pauses become longer while workers end soon after their start. */
class RestartPauses {
  #failures = 0;

  /** Returns the pause in milliseconds after the end of a worker that had listened for `servedMs`. */
  next(servedMs: number): number {
    if (servedMs >= STEADY_MS) this.#failures = 0;
    const pauseMs = this.#failures === 0 ? 0 : Math.min(MAX_MS, FIRST_MS * 2 ** (this.#failures - 1));
    this.#failures += 1;
    return pauseMs;
  }
}

/** A worker that served for this time did not end because of a problem at its start. */
const STEADY_MS = 60_000;
const FIRST_MS = 1_000;
const MAX_MS = 30_000;

/** The time limit for the metrics of a worker. If a worker does not answer in time, the scrape fails, because the sums would be wrong. */
const READ_MS = 5_000;

/** The metrics of the workers. The sums include workers that have ended, so that counters never decrease. */
export class WorkerMetrics {
  /** The last metrics that each worker reported. */
  readonly #reported = new Map<WorkerProcess, readonly FamilyValues[]>();
  #ended: readonly FamilyValues[] = [];

  report(worker: WorkerProcess, families: readonly FamilyValues[]): void {
    this.#reported.set(worker, families);
  }

  /** Adds the counts of an ended worker to `#ended`. */
  end(worker: WorkerProcess): void {
    const last = this.#reported.get(worker);
    if (last === undefined) return;
    this.#reported.delete(worker);
    this.#ended = this.#withoutRemoved(sumCounts([...this.#ended, ...last.filter(isCount)]));
  }

  /**
   * Requests the metrics of these workers. Returns the metrics of all workers, including ended ones. Undefined if a worker does not answer
   * in time.
   */
  async read(workers: readonly WorkerProcess[]): Promise<ProcessMetrics | undefined> {
    const answers = await Promise.all(workers.map((worker) => worker.readMetrics(READ_MS)));
    // The metrics of a worker that has ended in the meantime are in `#ended`.
    return answers.includes('late') ? undefined : [...this.#reported.values(), this.#ended];
  }

  /** If there are many operations, drops those that no running worker has counted, because their definitions have probably been removed. */
  #withoutRemoved(ended: readonly FamilyValues[]): readonly FamilyValues[] {
    if (operationsOf(ended).size <= MAX_ENDED_OPERATIONS) return ended;
    const known = operationsOf([...this.#reported.values()].flat());
    const isKept = ({ labels: { operation } }: Value) => operation === undefined || known.has(operation);
    return ended.map((family) => ({ ...family, values: family.values.filter(isKept) }));
  }
}

/** More operations than a service usually has. Above this number, counts of ended workers can be lost, as in a restart. */
const MAX_ENDED_OPERATIONS = 500;

function operationsOf(families: readonly FamilyValues[]): ReadonlySet<string | number> {
  const operations = families.flatMap(({ values }) => values.map(({ labels }) => labels.operation));
  return new Set(operations.filter((operation) => operation !== undefined));
}

function isCount({ type, aggregator }: FamilyValues): boolean {
  return type !== 'gauge' && aggregator === 'sum';
}

type Value = FamilyValues['values'][number];

/** Adds up the values with the same name and labels. */
function sumCounts(families: readonly FamilyValues[]): FamilyValues[] {
  const sums = new Map<string, { readonly family: FamilyValues; readonly values: Map<string, Value> }>();
  for (const family of families) {
    const { values } = sums.get(family.name) ?? { values: new Map<string, Value>() };
    for (const value of family.values) {
      const key = JSON.stringify([value.metricName, Object.entries(value.labels).sort()]);
      values.set(key, { ...value, value: value.value + (values.get(key)?.value ?? 0) });
    }
    sums.set(family.name, { family, values });
  }
  return [...sums.values()].map(({ family, values }) => ({ ...family, values: [...values.values()] }));
}
