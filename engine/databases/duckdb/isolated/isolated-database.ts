import { translate } from '../../../sql/duckdb/translate.js';
import { unavailableError } from '../../failures.js';
import type { BoundValue, Database, PreparedQuery, QueryOptions, ResultSet } from '../../interface/database.js';
import { type Deadline, withDeadline } from '../../interface/deadline.js';
import { createOwnFolder } from '../../own-folder.js';
import { type PooledReader, ReaderPool, type WaitingLimits } from '../../reader-pool.js';
import { SYSTEM_TIMES, type Times } from '../../times.js';
import { type CopyOptions, type CopySource, DatabaseCopies, type OpenedCopy } from './database-copies.js';
import type { PublishedViews } from './protocol.js';
import { WorkerProcess } from './worker-process.js';

export interface IsolatedOptions extends WaitingLimits, Pick<CopyOptions, 'limits' | 'minFreeBytes' | 'onNotice'> {
  /** The number of queries that run at the same time, each in its own process. */
  readonly connections: number;
  /** An existing folder. The copies are in a subfolder of it. */
  readonly folder: string;
  /** The tables that queries may read. */
  readonly tables: readonly PublicPart[];
  /** The clocks and timers. Default: those of the system. */
  readonly times?: Times;
}

/** What the queries of `IsolatedDatabase` read: copies of a database file, or files that this program only reads. */
export type IsolatedSource = CopySource | ReadOnlySource;

export interface ReadOnlySource extends Omit<PublishedViews, 'tables'> {
  /** Throws an error if the file is no longer the one that the service reads. */
  readonly check: () => Promise<void>;
}

type PublishedCopies = Pick<DatabaseCopies, 'current' | 'isOutdated' | 'copyAgain' | 'close'>;

/** The columns and rows of a table that queries may read. */
export interface PublicPart {
  readonly name: string;
  readonly columns: readonly string[];
  /** A condition that selects the rows, in the MySQL dialect; undefined for all rows. */
  readonly where?: string;
}

/**
 * The published tables of a database file for untrusted queries. Each query runs in a separate process on a copy of the file that
 * only contains these tables. Files that this program only reads are not copied: the process reads them through views of the published
 * columns. So a query
 * - always ends: a process that does not stop within one second of its deadline is killed;
 * - uses at most the memory that its process may have, and no disk;
 * - cannot read unpublished data, change anything or stop the service.
 */
export class IsolatedDatabase implements Database {
  readonly name = 'duckdb';
  readonly concurrency: number;
  readonly #copies: PublishedCopies;
  readonly #readers: ReaderPool<IsolatedReader>;
  readonly #removeFolder: () => Promise<void>;

  static async open(source: IsolatedSource, options: IsolatedOptions): Promise<IsolatedDatabase> {
    const { path, remove } = await createOwnFolder(options.folder, 'isolated');
    return new IsolatedDatabase(source, options, path, remove);
  }

  private constructor(
    source: IsolatedSource,
    options: IsolatedOptions,
    folder: string,
    removeFolder: () => Promise<void>,
  ) {
    const tables = options.tables.map(({ name, columns, where }) => ({
      name,
      columns,
      select: where === undefined ? undefined : selectOf(name, columns, where),
    }));
    if ('selects' in source && tables.some(({ select }) => select !== undefined))
      throw new Error('The published tables of files that are not copied cannot have a condition.');
    this.concurrency = options.connections;
    const { times = SYSTEM_TIMES } = options;
    this.#copies =
      'selects' in source
        ? keepViews({ file: source.file, selects: source.selects, paths: source.paths, tables }, source.check)
        : new DatabaseCopies(source, { ...options, folder, tables }, times);
    this.#readers = new ReaderPool(
      Array.from({ length: options.connections }, () => new IsolatedReader(options, times)),
      options,
    );
    this.#removeFolder = removeFolder;
  }

  get pool() {
    return this.#readers.pool;
  }

  prepare(sql: string): PreparedQuery {
    return { sql: translate(sql) };
  }

  query({ sql }: PreparedQuery, values: readonly BoundValue[], options: QueryOptions): Promise<ResultSet> {
    return withDeadline(options, (deadline) => deadline.bound(this.#answer(sql, values, options.maxRows, deadline)));
  }

  /** Returns the plan as JSON, because code reads it to reject expensive queries. */
  explain({ sql }: PreparedQuery, values: readonly BoundValue[], options: QueryOptions): Promise<ResultSet> {
    return this.query({ sql: `EXPLAIN (FORMAT JSON) ${sql}` }, values, options);
  }

  async ping(timeoutMs: number): Promise<void> {
    await this.query({ sql: 'SELECT 1' }, [], { maxRows: 1, timeoutMs });
  }

  /**
   * Replaces the copy of the file by a new one; see `DatabaseCopies.copyAgain`. The old copy is removed when no worker
   * process uses it. Idle workers are closed, because they would keep it for another minute.
   */
  async copyAgain(): Promise<void> {
    await this.#copies.copyAgain();
    this.#readers.closeFree();
  }

  async close(): Promise<void> {
    await Promise.all([this.#copies.close(), this.#readers.close(0)]);
    await this.#removeFolder();
  }

  /**
   * Runs a query on a reader. The promise settles only when the worker has stopped, which can be after the deadline,
   * because the reader cannot run another query before.
   */
  async #answer(sql: string, values: readonly BoundValue[], maxRows: number, deadline: Deadline): Promise<ResultSet> {
    const reader = await this.#readers.acquire(deadline.signal, deadline.remainingMs);
    try {
      const copy = await this.#copies.current();
      if (deadline.reason !== undefined) throw deadline.reason;
      const result = await reader.read(copy, sql, values, maxRows, deadline);
      return this.#copies.isOutdated(copy) ? { ...result, copiedAt: copy.createdAt } : result;
    } finally {
      this.#readers.release(reader);
    }
  }
}

/** Returns views in the form of a copy that is never outdated, because they show the current rows of the files. */
function keepViews(views: PublishedViews, check: ReadOnlySource['check']): PublishedCopies {
  const nothing = async () => undefined;
  const opened = { opens: views, version: 0, createdAt: new Date(0), use: () => undefined, release: nothing };
  const current = async () => {
    await check();
    return opened;
  };
  return { current, isOutdated: () => false, copyAgain: nothing, close: nothing };
}

function selectOf(name: string, columns: readonly string[], where: string): string {
  return translate(`SELECT ${columns.map((column) => `\`${column}\``).join(', ')} FROM \`${name}\` WHERE ${where}`);
}

/**
 * Runs one query at a time in its own worker process. The reader starts the process for a query, and ends the process
 * when it has been idle for some time.
 */
class IsolatedReader implements PooledReader {
  readonly #options: ReaderOptions;
  readonly #startTimer: Times['startTimer'];
  #worker: WorkerProcess | undefined;
  #copy: OpenedCopy | undefined;
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
    copy: OpenedCopy,
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
  async #openWorker(copy: OpenedCopy): Promise<WorkerProcess> {
    if (this.#worker !== undefined && !this.#worker.hasEnded && this.#copy === copy) return this.#worker;
    this.close();
    const worker = new WorkerProcess();
    this.#worker = worker;
    this.#copy = copy;
    copy.use();
    const cancelKill = this.#startTimer(MAX_OPEN_MS, () => worker.kill());
    try {
      await worker.ask('open', { from: copy.opens, limits: this.#options.limits });
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
