import type { BoundValue, ResultSet } from '../../../engine/index.js';
import { Deadline } from '../../../engine/interface/deadline.js';
import { unavailableError } from '../../failures.js';
import type { PooledReader } from '../../reader-pool.js';
import type { CopyOptions, DatabaseCopy } from './database-copies.js';
import { WorkerProcess } from './worker-process.js';

/**
 * Runs one query at a time in its own worker process. The reader starts the process for a query, and ends the process
 * when it has been idle for some time.
 */
export class IsolatedReader implements PooledReader {
  readonly #options: Pick<CopyOptions, 'limits' | 'onNotice'>;
  #worker: WorkerProcess | undefined;
  #copy: DatabaseCopy | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: Pick<CopyOptions, 'limits' | 'onNotice'>) {
    this.#options = options;
  }

  /**
   * Runs a query. Settles when the worker has stopped. This is at most one second after the deadline, because a worker
   * that continues to run is killed.
   */
  async read(
    copy: DatabaseCopy,
    sql: string,
    values: readonly BoundValue[],
    maxRows: number,
    deadline: Deadline,
  ): Promise<ResultSet> {
    clearTimeout(this.#idleTimer);
    const worker = await this.#openWorker(copy);
    let grace: NodeJS.Timeout | undefined;
    let removeListener = () => false;
    try {
      if (deadline.reason !== undefined) throw deadline.reason;
      removeListener = deadline.onStop(() => {
        worker.interrupt();
        grace = setTimeout(() => worker.kill(), GRACE_MS);
      });
      return await worker.ask('query', { sql, values, maxRows, timeoutMs: deadline.remainingMs + GRACE_MS });
    } finally {
      removeListener();
      clearTimeout(grace);
      if (worker.crash !== undefined) this.#options.onNotice?.(`${worker.crash} Its query: ${sql}`);
      // A process that uses too much memory after a query is closed, because a process does not always free the memory
      // of a query.
      if (worker.residentBytes > this.#options.limits.maxIdleBytes) this.close();
      else this.#idleTimer = setTimeout(() => this.close(), MAX_IDLE_MS).unref();
    }
  }

  interrupt(): void {
    this.#worker?.kill();
  }

  close(): void {
    clearTimeout(this.#idleTimer);
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
    const deadline = new Deadline({ timeoutMs: MAX_OPEN_MS });
    deadline.onStop(() => worker.kill());
    try {
      await worker.ask('open', { file: copy.file, limits: this.#options.limits });
      return worker;
    } catch (error) {
      this.close();
      throw unavailableError('The process for this query could not start.', error);
    } finally {
      deadline.end();
    }
  }
}

/** The time from the interrupt to the kill. The interrupt stops most queries within milliseconds. */
const GRACE_MS = 700;
const MAX_OPEN_MS = 10_000;
/** A process that is idle for this long is ended, to free its memory. A new one starts in 0.3 s. */
const MAX_IDLE_MS = 60_000;
