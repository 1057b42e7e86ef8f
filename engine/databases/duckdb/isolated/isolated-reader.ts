import { unavailableError } from '../../failures.js';
import type { BoundValue, ResultSet } from '../../interface/database.js';
import type { Deadline } from '../../interface/deadline.js';
import type { PooledReader } from '../../reader-pool.js';
import type { Times } from '../../times.js';
import type { CopyOptions, DatabaseCopy } from './database-copies.js';
import { WorkerProcess } from './worker-process.js';

/**
 * Runs one query at a time in its own worker process. The reader starts the process for a query, and ends the process
 * when it has been idle for some time.
 */
export class IsolatedReader implements PooledReader {
  readonly #options: ReaderOptions;
  readonly #startTimer: Times['startTimer'];
  #worker: WorkerProcess | undefined;
  #copy: DatabaseCopy | undefined;
  #cancelIdle: () => void = () => undefined;

  constructor(options: ReaderOptions, { startTimer }: Times) {
    this.#options = options;
    this.#startTimer = startTimer;
  }

  /**
   * Runs a query. Settles when the worker has stopped, at most one second after the deadline, because a worker that
   * continues to run is killed.
   */
  async read(
    copy: DatabaseCopy,
    sql: string,
    values: readonly BoundValue[],
    maxRows: number,
    deadline: Deadline,
  ): Promise<ResultSet> {
    this.#cancelIdle();
    const worker = await this.#openWorker(copy);
    let cancelKill = () => {};
    let removeListener = () => false;
    try {
      if (deadline.reason !== undefined) throw deadline.reason;
      removeListener = deadline.onStop(() => {
        worker.interrupt();
        cancelKill = this.#startTimer(GRACE_MS, () => worker.kill());
      });
      return await worker.ask('query', { sql, values, maxRows, timeoutMs: deadline.remainingMs + GRACE_MS });
    } finally {
      removeListener();
      cancelKill();
      if (worker.crash !== undefined) this.#options.onNotice?.(`${worker.crash} Its query: ${sql}`);
      // A process that uses too much memory after a query is closed, because a process does not always free the memory
      // of a query.
      if (worker.residentBytes > this.#options.limits.maxIdleBytes) this.close();
      else this.#cancelIdle = this.#startTimer(MAX_IDLE_MS, () => this.close());
    }
  }

  interrupt(): void {
    this.#worker?.kill();
  }

  close(): void {
    this.#cancelIdle();
    this.#worker?.kill();
    void this.#copy?.release();
    this.#worker = undefined;
    this.#copy = undefined;
  }

  /** Returns the running worker if it has opened this copy; otherwise starts a new one. */
  async #openWorker(copy: DatabaseCopy): Promise<WorkerProcess> {
    if (this.#worker !== undefined && !this.#worker.hasEnded && this.#copy === copy) return this.#worker;
    this.close();
    const worker = new WorkerProcess();
    this.#worker = worker;
    this.#copy = copy;
    copy.use();
    const cancelKill = this.#startTimer(MAX_OPEN_MS, () => worker.kill());
    try {
      await worker.ask('open', { file: copy.file, limits: this.#options.limits });
      return worker;
    } catch (error) {
      this.close();
      throw unavailableError('The process for this query could not start.', error);
    } finally {
      cancelKill();
    }
  }
}

type ReaderOptions = Pick<CopyOptions, 'limits' | 'onNotice'>;

/** The time between interrupting a query and killing its process. The interrupt stops most queries within milliseconds. */
const GRACE_MS = 700;
const MAX_OPEN_MS = 10_000;
/** A process that is idle for this long is ended to free its memory. A new process starts in 0.3 s. */
const MAX_IDLE_MS = 60_000;
