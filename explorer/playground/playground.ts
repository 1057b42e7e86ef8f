import { type Database, EngineError, type Principal, type ResultSet, Slots, withDeadline } from '../../engine/index.js';
import { guardSql, MAX_ROWS } from '../../engine/sql/guard/guard-sql.js';
import type { PublicTables } from '../../engine/sql/guard/public-table.js';
import { publicTablesOf, readColumns, type TableReferences } from '../../warehouse/reference/find-table.js';
import { type QueryPlan, readQueryPlan } from './query-cost.js';
import { explainFailure } from './query-failure.js';
import { showTables } from './show-tables.js';
import { PUBLIC_SQL, type SqlAccess } from './sql-access.js';

/** The repository or account that a query is about. The SQL may contain its id as `:repo_id` or `:user_id`. */
export interface PlaygroundContext {
  readonly type: 'repo' | 'user';
  readonly id: number;
}

/** The context of a query and the signal of its caller. */
export interface PlaygroundOptions {
  readonly context?: PlaygroundContext | undefined;
  /** Aborting this signal cancels the query in the database. */
  readonly signal?: AbortSignal;
  /** Identifies the caller of the query, because queued queries of different callers alternate. */
  readonly caller?: string;
  /** Who sends the SQL, which decides its access and rows; undefined without a credential. */
  readonly principal?: Principal | undefined;
}

/** How queries are queued for a connection. */
export interface PlaygroundQueue {
  /** The number of queries that run at the same time. The database must have at least as many connections. */
  readonly concurrency: number;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  /** Called with the caller and the milliseconds that the database worked for its query. */
  readonly onEnd?: (caller: string, ms: number) => void;
}

/**
 * Runs untrusted SQL. The database must limit the time and memory of each query: the guard alone is not enough. A single caller can use all
 * connections except one.
 */
export class Playground {
  /** The tables that the SQL may read. */
  readonly tables: TableReferences;
  readonly access: SqlAccess;
  readonly #database: Database;
  readonly #publicTables: PublicTables;
  readonly #timeoutMs: number;
  readonly #queue: PlaygroundQueue;
  readonly #slots: Slots;

  /**
   * `timeoutMs` is the time limit of each query, without its time in the queue. If `queue.concurrency` is not set, queries can use all
   * connections. By default, any caller can read all rows of the tables.
   */
  constructor(
    database: Database,
    tables: TableReferences,
    timeoutMs: number,
    { access = PUBLIC_SQL, ...queue }: Partial<PlaygroundQueue> & { readonly access?: SqlAccess } = {},
  ) {
    const { rowFilters } = access;
    for (const [key, { filterColumns }] of tables) {
      const isFiltered = rowFilters?.columnsOf(key) !== undefined;
      if (isFiltered !== (filterColumns !== undefined))
        throw new Error(`The row filter of the table ${key} is missing.`);
    }
    this.access = access;
    this.tables = tables;
    this.#publicTables = publicTablesOf(tables);
    this.#database = database;
    this.#timeoutMs = timeoutMs;
    this.#queue = { ...QUEUE, concurrency: database.concurrency, ...queue };
    const { concurrency: count, maxWaiting } = this.#queue;
    const onFull = () => overloaded(`${maxWaiting} queries are already waiting`);
    this.#slots = new Slots({ count, maxWaiting, maxPerCaller: Math.max(1, count - 1), onFull });
  }

  /** The number of queued queries. */
  get waiting(): number {
    return this.#slots.waiting;
  }

  /**
   * Runs one SELECT over public tables and returns at most 100 rows. `SHOW TABLES`, `SHOW COLUMNS` and `DESCRIBE` are answered from
   * the table reference. Throws `credential_missing` or `access_denied` for a caller without access, `SqlRejectedError` for SQL that is not
   * allowed, and `SqlFailedError` if the database cannot run the SQL. Throws `EngineError` if the database is busy or
   * unavailable, or if the query exceeds the time limit.
   */
  async run(sql: string, options: PlaygroundOptions = {}): Promise<ResultSet> {
    this.access.require(options.principal);
    const shown = showTables(sql, this.tables);
    if (shown !== undefined) return shown;
    return this.#ask(sql, options, MAX_ROWS, (...query) => this.#database.query(...query));
  }

  /** Throws `SqlRejectedError` for SQL that `run` does not allow, without running it. */
  check(sql: string): void {
    guardSql(sql, this.#publicTables);
  }

  /**
   * Returns the plan and the estimated cost of SQL that `run` would accept, without running it. Throws the errors of
   * `run`, and `SqlFailedError` if the query would read too many rows or if its cost is unknown.
   */
  async plan(sql: string, options: PlaygroundOptions = {}): Promise<QueryPlan> {
    this.access.require(options.principal);
    const result = await this.#ask(sql, options, MAX_EXPLAINED_ROWS, (...query) => this.#database.explain(...query));
    return readQueryPlan(this.#database.name, result);
  }

  async #ask(
    sql: string,
    { context, signal, caller = '', principal }: PlaygroundOptions,
    maxRows: number,
    ask: Database['query'],
  ): Promise<ResultSet> {
    const [markers, ids] = context === undefined ? [[], []] : [[`${context.type}_id`], [context.id]];
    const written = guardSql(sql, this.#publicTables, markers);
    const columnsOf = (table: string) => {
      const reference = this.tables.get(table);
      return reference && readColumns(reference);
    };
    const restricted = this.access.restrict({ ...written, markers: markers.length, columnsOf }, principal);
    const prepared = this.#database.prepare(restricted.sql);
    const options = { maxRows, timeoutMs: this.#timeoutMs, ...(signal && { signal }) };
    try {
      return await this.#runInOrder(caller, signal, () => ask(prepared, [...ids, ...restricted.values], options));
    } catch (error) {
      throw explainFailure(error);
    }
  }

  async #runInOrder<T>(caller: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const { maxWaitMs, onEnd } = this.#queue;
    let startedAt: number | undefined;
    try {
      return await withDeadline({ timeoutMs: maxWaitMs, signal }, (wait) => {
        const start = () => {
          wait.end();
          startedAt = performance.now();
          return work();
        };
        return this.#slots.run(wait, start, caller);
      });
    } catch (error) {
      const isLate = startedAt === undefined && error instanceof EngineError && error.code === 'query_timeout';
      throw isLate ? overloaded(`no connection was free for ${maxWaitMs} ms`) : error;
    } finally {
      if (startedAt !== undefined) onEnd?.(caller, performance.now() - startedAt);
    }
  }
}

function overloaded(reason: string): EngineError {
  return new EngineError('overloaded', `The database is busy: ${reason}. Try again later.`);
}

/** The queue is short, because callers of the playground can retry their query. */
const QUEUE = { maxWaiting: 16, maxWaitMs: 5_000 };

/** Plans with more rows are rejected. */
const MAX_EXPLAINED_ROWS = 1_000;
