import {
  type DuckDBConnection,
  type DuckDBMaterializedResult,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  DuckDBTypeId,
  StatementType,
} from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import type { BoundValue, QueryLimits, QueryOptions, ResultColumn, ResultSet } from '../../../engine/index.js';
import { withDeadline } from '../../../engine/interface/deadline.js';
import { EngineError } from '../../../engine/interface/errors.js';
import { bind } from './binding.js';
import { explainStopped } from './broken-file.js';
import { type CellReader, cellReader, ResultRows } from './cells.js';

/** A statement that is kept, and what the LIMIT at the end of its text says: a number, or the value that is one. */
interface Kept {
  readonly statement: DuckDBPreparedStatement;
  readonly limit: RegExpExecArray['groups'];
}

/** One connection that answers one query at a time, and remembers the statements that it prepared. */
export class Reader {
  readonly #connection: DuckDBConnection;
  readonly #maxBytes: number;
  /** One that goes is not in use: this connection answers one query at a time, and its earlier result has ended. */
  readonly #statements: LRUCache<string, Kept>;

  constructor(connection: DuckDBConnection, statementLimit: number, maxBytes: number) {
    this.#connection = connection;
    this.#maxBytes = maxBytes;
    this.#statements = new LRUCache({ max: statementLimit, dispose: ({ statement }) => statement.destroySync() });
  }

  read(sql: string, values: readonly BoundValue[], options: QueryOptions): Promise<ResultSet> {
    return interruptible(this.#connection, options, async () => {
      const { statement, limit } = await this.#prepared(sql);
      try {
        bind(statement, values);
        if (lastRow(limit, values) <= MAX_WHOLE_ROWS) return this.#readWhole(await statement.run(), options.maxRows);
        return await this.#readStream(await statement.stream(), options.maxRows);
      } catch (error) {
        // What it had gathered stays in memory as long as the statement does.
        this.#statements.delete(sql);
        throw error;
      }
    }).catch((error: unknown) => {
      throw explainStopped(error);
    });
  }

  /** The names of the columns of a query, which is prepared and not run. */
  describe(sql: string, limits: QueryLimits): Promise<readonly string[]> {
    return interruptible(this.#connection, limits, async () => {
      // Not kept: most texts that are looked up are seldom asked.
      const statement = await this.#select(sql, [StatementType.SELECT]);
      try {
        if (statement.columnTypeId(0) !== DuckDBTypeId.INVALID) {
          return Array.from({ length: statement.columnCount }, (_, index) => statement.columnName(index));
        }
      } finally {
        statement.destroySync();
      }
      return this.#describeWithNulls(sql);
    });
  }

  /** Where types follow from those of the values, DuckDB stops reading the query until it has values. */
  async #describeWithNulls(sql: string): Promise<readonly string[]> {
    const statement = await this.#select(`SELECT * FROM (${sql}) AS described LIMIT 0`, [StatementType.SELECT]);
    try {
      for (let index = 1; index <= statement.parameterCount; index++) statement.bindNull(index);
      return (await statement.run()).columnNames();
    } finally {
      statement.destroySync();
    }
  }

  /** Gives back what the remembered statements hold. */
  forget(): void {
    this.#statements.clear();
  }

  interrupt(): void {
    this.#connection.interrupt();
  }

  close(): void {
    this.#statements.clear();
    this.#connection.closeSync();
  }

  async #prepared(sql: string): Promise<Kept> {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const explained = EXPLAIN.exec(sql)?.[0];
    // What is explained may be anything, and EXPLAIN ANALYZE runs it.
    if (explained !== undefined)
      (await this.#select(sql.slice(explained.length), [StatementType.SELECT])).destroySync();
    const statement = await this.#select(sql, [StatementType.SELECT, StatementType.EXPLAIN]);
    const kept = { statement, limit: LIMIT.exec(sql)?.groups };
    this.#statements.set(sql, kept);
    return kept;
  }

  async #select(sql: string, types: readonly StatementType[]): Promise<DuckDBPreparedStatement> {
    const statement = await this.#connection.prepare(sql);
    if (types.includes(statement.statementType)) return statement;
    statement.destroySync();
    throw new Error(`A reader runs SELECT and EXPLAIN SELECT only; got: ${sql}`);
  }

  #readWhole(result: DuckDBMaterializedResult, maxRows: number): ResultSet {
    const { columns, readers } = columnsOf(result);
    const read = new ResultRows(readers, maxRows, this.#maxBytes);
    for (let index = 0; index < result.chunkCount && read.room > 0; index++) read.add(result.getChunk(index));
    return { columns, rows: read.rows, more: result.rowCount > maxRows };
  }

  async #readStream(result: DuckDBResult, maxRows: number): Promise<ResultSet> {
    const { columns, readers } = columnsOf(result);
    const read = new ResultRows(readers, maxRows, this.#maxBytes);
    try {
      for (let chunk = await result.fetchChunk(); chunk !== null; chunk = await result.fetchChunk()) {
        if (chunk.rowCount === 0) break;
        const hasMore = chunk.rowCount > read.room;
        read.add(chunk);
        if (!hasMore) continue;
        await this.#abandon(result);
        return { columns, rows: read.rows, more: true };
      }
    } catch (error) {
      if (error instanceof EngineError) await this.#abandon(result);
      throw error;
    }
    return { columns, rows: read.rows, more: false };
  }

  /** A result that is not read to its end would keep its snapshot, and with it the log file, until the next query. */
  async #abandon(result: DuckDBResult): Promise<void> {
    this.#connection.interrupt();
    try {
      while ((await result.fetchChunk())?.rowCount) this.#connection.interrupt();
    } catch {
      // The interrupt arrived, which is all that was wanted.
    }
  }
}

/** A result with few rows by its own LIMIT is taken as a whole: streaming it would cost two more trips to a thread. */
const MAX_WHOLE_ROWS = 50_000;

/** The most rows that the LIMIT allows. */
function lastRow({ literal, marker }: Kept['limit'] = {}, values: readonly BoundValue[]): number {
  if (marker !== undefined) return Number(values[Number(marker) - 1] ?? Number.POSITIVE_INFINITY);
  return literal === undefined ? Number.POSITIVE_INFINITY : Number(literal);
}

const LIMIT = /LIMIT (?:(?<literal>\d+)|\$(?<marker>\d+))(?: OFFSET \$?\d+)?$/;

function columnsOf(result: DuckDBResult): { readonly columns: ResultColumn[]; readonly readers: CellReader[] } {
  const readers = result.columnTypes().map(cellReader);
  return { readers, columns: readers.map(({ type }, index) => ({ name: result.columnName(index), type })) };
}

const EXPLAIN = /^\s*EXPLAIN\s+(ANALYZE\s+)?/i;

/**
 * Runs `work` on a connection that runs nothing else meanwhile, and interrupts it at its deadline. The interrupt is sent only
 * until `work` settles: DuckDB drops a pending interrupt when a query starts, so the next query of the connection is safe.
 */
function interruptible<T>(connection: DuckDBConnection, limits: QueryLimits, work: () => Promise<T>): Promise<T> {
  return withDeadline(limits, async (deadline) => {
    if (deadline.reason !== undefined) throw deadline.reason;
    let repeat: NodeJS.Timeout | undefined;
    const removeListener = deadline.onStop(() => {
      connection.interrupt();
      // A query that still waits for a thread drops the interrupt when it starts, so one interrupt is not enough.
      repeat = setInterval(() => connection.interrupt(), REPEAT_MS);
    });
    try {
      const result = await work();
      if (deadline.reason !== undefined) throw deadline.reason;
      return result;
    } catch (error) {
      throw deadline.reason ?? error;
    } finally {
      removeListener();
      clearInterval(repeat);
    }
  });
}

const REPEAT_MS = 10;
