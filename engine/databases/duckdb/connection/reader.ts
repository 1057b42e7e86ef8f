import type {
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBMaterializedResult,
  DuckDBPreparedStatement,
  DuckDBResult,
} from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import type { BoundValue, DescribedColumn, QueryOptions, ResultSet, StreamOptions } from '../../interface/database.js';
import { type Deadline, type QueryLimits, withDeadline } from '../../interface/deadline.js';
import { EngineError } from '../../interface/errors.js';
import { interruptAtDeadline } from '../../reader-pool.js';
import { DuckDBTypeId, StatementType } from '../driver/node-api.js';
import { TextColumn } from '../driver/text-column.js';
import { type CellReader, columnsOf, describeType, openChunk, ResultRows } from '../results/cells.js';
import { bind } from './binding.js';
import { CachedStatement, type Execution, ValueTable } from './cached-statement.js';
import { explainFatalError } from './file-errors.js';

/** A cached statement. `limit` is the LIMIT at the end of its text: a literal number, or the placeholder of a bound value. */
interface CacheEntry {
  readonly statement: CachedStatement;
  readonly limit: RegExpExecArray['groups'];
}

export interface ReaderLimits {
  /** The number of prepared statements that the connection caches. */
  readonly statements: number;
  /** The maximum bytes of a result. */
  readonly maxBytes: number;
  readonly keptPlans: number;
  /** Whether views read files, whose number can change between two executions of a statement. */
  readonly readsFiles?: boolean;
}

/** A connection that runs one query at a time. It caches prepared statements. */
export class Reader {
  readonly #connection: DuckDBConnection;
  readonly #maxBytes: number;
  /**
   * The cache can destroy an evicted statement immediately. An evicted statement is never in use, because this
   * connection runs one query at a time and reads each result to the end.
   */
  readonly #statements: LRUCache<string, CacheEntry>;
  readonly #values: ValueTable;
  readonly #readsFiles: boolean;

  constructor(connection: DuckDBConnection, { statements, maxBytes, keptPlans, readsFiles = false }: ReaderLimits) {
    this.#connection = connection;
    this.#maxBytes = maxBytes;
    this.#readsFiles = readsFiles;
    this.#statements = new LRUCache({
      max: statements,
      ttl: MAX_STATEMENT_AGE_MS,
      dispose: ({ statement }) => statement.destroy(),
    });
    this.#values = new ValueTable(connection, keptPlans);
  }

  read(sql: string, values: readonly BoundValue[], options: QueryOptions): Promise<ResultSet> {
    return runInterruptible(this.#connection, options, async (deadline) => {
      await this.#replaceFullTable();
      const { statement, limit } = await this.#prepareCached(sql);
      const isSmall = maxRowsOf(limit, values) <= MAX_MATERIALIZED_ROWS;
      const limits = { maxRows: options.maxRows, maxBytes: this.#maxBytes };
      const execution: Execution = {
        execute: async (prepared) =>
          isSmall
            ? readMaterialized(await prepared.run(), limits)
            : readStreamed(this.#connection, await prepared.stream(), limits),
        interrupt: () => this.#connection.interrupt(),
        hasStopped: () => deadline.reason !== undefined,
      };
      try {
        return await statement.read(values, execution);
      } catch (error) {
        // The statement is removed because its partial result stays in memory until it is destroyed.
        this.#statements.delete(sql);
        throw error;
      } finally {
        // A prepared statement keeps the list of the files that it reads.
        if (this.#readsFiles) this.#statements.delete(sql);
      }
    }).catch((error: unknown) => {
      throw explainFatalError(error);
    });
  }

  /** Passes the rows of a query to a receiver while DuckDB computes them. */
  stream(sql: string, values: readonly BoundValue[], options: StreamOptions): Promise<{ readonly more: boolean }> {
    return runInterruptible(this.#connection, options, async () => {
      // This statement is not cached, because its execution takes much longer than its preparation.
      const statement = await this.#prepare(sql, [StatementType.SELECT]);
      try {
        bind(statement, values);
        return await passRows(this.#connection, await statement.stream(), options);
      } finally {
        statement.destroySync();
      }
    }).catch((error: unknown) => {
      throw explainFatalError(error);
    });
  }

  /** Returns the columns of a query. It prepares the query and does not run it. */
  describe(sql: string, limits: QueryLimits): Promise<readonly DescribedColumn[]> {
    return runInterruptible(this.#connection, limits, async () => {
      // This statement is not cached, because most described queries never run on this connection.
      const statement = await this.#prepare(sql, [StatementType.SELECT]);
      try {
        if (statement.columnTypeId(0) !== DuckDBTypeId.INVALID) {
          return Array.from({ length: statement.columnCount }, (_, index) => ({
            name: statement.columnName(index),
            ...describeType(statement.columnType(index)),
          }));
        }
      } finally {
        statement.destroySync();
      }
      return this.#describeWithNulls(sql);
    });
  }

  /**
   * Describes a query with NULL as the value of each placeholder. DuckDB needs bound values if the types of the columns
   * depend on the types of the values.
   */
  async #describeWithNulls(sql: string): Promise<readonly DescribedColumn[]> {
    const statement = await this.#prepare(`SELECT * FROM (${sql}) AS described LIMIT 0`, [StatementType.SELECT]);
    try {
      for (let index = 1; index <= statement.parameterCount; index++) statement.bindNull(index);
      const result = await statement.run();
      return result.columnTypes().map((type, index) => ({ name: result.columnName(index), ...describeType(type) }));
    } finally {
      statement.destroySync();
    }
  }

  /** Destroys the cached statements and frees their memory. */
  clearStatements(): void {
    this.#statements.clear();
  }

  interrupt(): void {
    this.#connection.interrupt();
  }

  close(): void {
    this.#statements.clear();
    this.#connection.closeSync();
  }

  async #replaceFullTable(): Promise<void> {
    if (!this.#values.isFull) return;
    this.#statements.clear();
    await this.#values.drop();
  }

  async #prepareCached(sql: string): Promise<CacheEntry> {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    // Frees the memory of kept plans that are no longer used.
    this.#statements.purgeStale();
    const explain = EXPLAIN.exec(sql)?.[0];
    // Any statement can follow EXPLAIN, and EXPLAIN ANALYZE runs it. So this line checks that the explained statement
    // is a SELECT.
    if (explain !== undefined) (await this.#prepare(sql.slice(explain.length), [StatementType.SELECT])).destroySync();
    const prepared = await this.#prepare(sql, [StatementType.SELECT, StatementType.EXPLAIN]);
    const statement = new CachedStatement(sql, prepared, explain === undefined ? this.#values : undefined);
    const created = { statement, limit: LIMIT.exec(sql)?.groups };
    this.#statements.set(sql, created);
    return created;
  }

  /** Throws unless the statement has one of these types. */
  async #prepare(sql: string, types: readonly StatementType[]): Promise<DuckDBPreparedStatement> {
    const statement = await this.#connection.prepare(sql);
    if (types.includes(statement.statementType)) return statement;
    statement.destroySync();
    throw new Error(`Expected a SELECT or EXPLAIN SELECT, got: ${sql}`);
  }
}

/**
 * The maximum age of a prepared statement. A new statement gets a join order that suits the current table sizes. After
 * a schema change, DuckDB plans an old statement again at each execution.
 */
const MAX_STATEMENT_AGE_MS = 60_000;

/** A result with a LIMIT up to this number is materialized, because streaming it costs two more round trips to a thread. */
const MAX_MATERIALIZED_ROWS = 50_000;

/** Returns the maximum number of rows that the LIMIT allows. Returns infinity if there is no LIMIT. */
function maxRowsOf({ literal, marker }: CacheEntry['limit'] = {}, values: readonly BoundValue[]): number {
  if (marker !== undefined) return Number(values[Number(marker) - 1] ?? Number.POSITIVE_INFINITY);
  return literal === undefined ? Number.POSITIVE_INFINITY : Number(literal);
}

const LIMIT = /LIMIT (?:(?<literal>\d+)|\$(?<marker>\d+))(?: OFFSET \$?\d+)?$/;

const EXPLAIN = /^\s*EXPLAIN\s+(?:ANALYZE\s+|\(FORMAT JSON\)\s+)?/i;

/**
 * Runs `work` on a connection that nothing else uses, and interrupts it at its deadline. No interrupt is sent after
 * `work` has settled. DuckDB drops a pending interrupt when a query starts, so an interrupt cannot stop the next query
 * of the connection.
 */
function runInterruptible<T>(
  connection: DuckDBConnection,
  limits: QueryLimits,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  return withDeadline(limits, async (deadline) => {
    if (deadline.reason !== undefined) throw deadline.reason;
    try {
      const result = await interruptAtDeadline(work(deadline), deadline, () => connection.interrupt());
      if (deadline.reason !== undefined) throw deadline.reason;
      return result;
    } catch (error) {
      throw deadline.reason ?? error;
    }
  });
}

interface ResultLimits {
  readonly maxRows: number;
  /** A result with more bytes fails. */
  readonly maxBytes: number;
}

/** Reads a result that DuckDB has completely in memory. */
function readMaterialized(result: DuckDBMaterializedResult, { maxRows, maxBytes }: ResultLimits): ResultSet {
  const { columns, readers } = columnsOf(result);
  const collected = new ResultRows(readers, maxRows, maxBytes);
  for (let index = 0; index < result.chunkCount && collected.remainingRows > 0; index++)
    collected.add(result.getChunk(index));
  return { columns, rows: collected.rows, more: result.rowCount > maxRows };
}

/** Reads a result while DuckDB computes it. */
async function readStreamed(
  connection: DuckDBConnection,
  result: DuckDBResult,
  { maxRows, maxBytes }: ResultLimits,
): Promise<ResultSet> {
  const { columns, readers } = columnsOf(result);
  const collected = new ResultRows(readers, maxRows, maxBytes);
  try {
    for (let chunk = await result.fetchChunk(); chunk !== null; chunk = await result.fetchChunk()) {
      if (chunk.rowCount === 0) break;
      const hasMore = chunk.rowCount > collected.remainingRows;
      collected.add(chunk);
      if (!hasMore) continue;
      await abandonResult(connection, result);
      return { columns, rows: collected.rows, more: true };
    }
  } catch (error) {
    if (error instanceof EngineError) await abandonResult(connection, result);
    throw error;
  }
  return { columns, rows: collected.rows, more: false };
}

/** Passes the rows of a result to a receiver while DuckDB computes them. DuckDB waits while the receiver is busy. */
async function passRows(
  connection: DuckDBConnection,
  result: DuckDBResult,
  { deadline, maxRows, receive }: StreamOptions,
): Promise<{ readonly more: boolean }> {
  const { columns, readers } = columnsOf(result);
  let remaining = maxRows;
  try {
    receive.columns(columns);
    for (let chunk = await result.fetchChunk(); chunk !== null; chunk = await result.fetchChunk()) {
      if (chunk.rowCount === 0) break;
      const count = Math.min(chunk.rowCount, remaining);
      remaining -= count;
      const readRows = openChunk(chunk, readers);
      const batch = batchRows(chunk, readers);
      for (let first = 0; first < count; first += batch) {
        const taken = receive.rows(readRows(first, Math.min(first + batch, count)));
        if (taken !== undefined) await deadline.bound(taken);
      }
      if (count === chunk.rowCount) continue;
      await abandonResult(connection, result);
      return { more: true };
    }
  } catch (error) {
    await abandonResult(connection, result);
    throw error;
  }
  return { more: false };
}

/** Returns the number of rows per batch: a whole chunk, or fewer rows if their texts are long. */
function batchRows(chunk: DuckDBDataChunk, readers: readonly CellReader[]): number {
  const bytes = readers.reduce(
    (sum, { isText }, column) => sum + (isText ? new TextColumn(chunk, column).bytes : 0),
    0,
  );
  return Math.max(1, Math.floor((chunk.rowCount * BATCH_BYTES) / Math.max(bytes, BATCH_BYTES)));
}

const BATCH_BYTES = 1024 * 1024;

/**
 * Discards the rest of a result. An unfinished result keeps its snapshot of the database until the next query, and
 * until then DuckDB cannot truncate the write-ahead log.
 */
async function abandonResult(connection: DuckDBConnection, result: DuckDBResult): Promise<void> {
  connection.interrupt();
  try {
    while ((await result.fetchChunk())?.rowCount) connection.interrupt();
  } catch {
    // The interrupted query is expected to fail.
  }
}
