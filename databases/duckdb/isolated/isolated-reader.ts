import { constants } from 'node:os';
import type { BoundValue, Deadline, ResultSet } from '../../../engine/index.js';
import { unavailable } from '../../failures.js';
import type { PooledReader } from '../../reader-pool.js';
import type { CopyOptions, DatabaseCopy } from './database-copies.js';
import { WorkerProcess } from './worker-process.js';

/** Runs one query at a time in its own worker process, which it starts when needed and ends when idle. */
export class IsolatedReader implements PooledReader {
  #worker: WorkerProcess | undefined;
  #copy: DatabaseCopy | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(private readonly options: Pick<CopyOptions, 'limits' | 'onNotice'>) {}

  /** Settles when the worker runs nothing any more: at most a second after the deadline, when the process is killed. */
  async read(
    copy: DatabaseCopy,
    sql: string,
    values: readonly BoundValue[],
    maxRows: number,
    deadline: Deadline,
  ): Promise<ResultSet> {
    clearTimeout(this.#idle);
    const worker = await this.#openedOn(copy);
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
      if (worker.crash !== undefined) this.options.onNotice?.(`${worker.crash} Its query: ${sql}`);
      // A process does not always free the memory of a query.
      if (worker.residentBytes > this.options.limits.maxIdleBytes) this.close();
      else this.#idle = setTimeout(() => this.close(), IDLE_MS).unref();
    }
  }

  interrupt(): void {
    this.#worker?.kill();
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#worker?.kill();
    void this.#copy?.release();
    this.#worker = undefined;
    this.#copy = undefined;
  }

  async #openedOn(copy: DatabaseCopy): Promise<WorkerProcess> {
    if (this.#worker !== undefined && !this.#worker.isEnded && this.#copy === copy) return this.#worker;
    this.close();
    // The service and its other requests come first.
    const worker = new WorkerProcess(constants.priority.PRIORITY_LOW);
    this.#worker = worker;
    this.#copy = copy;
    copy.use();
    const tooLong = setTimeout(() => worker.kill(), MAX_OPEN_MS);
    try {
      await worker.ask('open', { file: copy.file, limits: this.options.limits });
      return worker;
    } catch (error) {
      this.close();
      throw unavailable('The process for this query could not start.', error);
    } finally {
      clearTimeout(tooLong);
    }
  }
}

/** Time from the interrupt, which stops most queries within milliseconds, to the kill. */
const GRACE_MS = 700;
const MAX_OPEN_MS = 10_000;
/** A process without a query for so long is ended, to free its memory; a new one starts in 0.3 s. */
const IDLE_MS = 60_000;
