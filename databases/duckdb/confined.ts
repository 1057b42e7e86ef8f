import type { DuckDBConnection } from '@duckdb/node-api';
import type { BoundValue, Database, PreparedQuery, QueryOptions, ResultSet } from '../../engine/database.js';
import { ReaderPool } from '../reader-pool.js';
import { MemoryWatch } from './memory-watch.js';
import { Reader } from './reader.js';
import { translate } from './translate.js';

export interface ConfinedOptions {
  /** Queries that run at the same time. */
  readonly connections: number;
  /** Queries that may wait for a connection. */
  readonly maxWaiting: number;
  /** Milliseconds a query may wait for a connection before it fails as busy. */
  readonly maxWaitMs: number;
  /** The most bytes of a result. */
  readonly maxResultBytes: number;
}

/**
 * Connections for queries that nobody has looked at. They share the memory of the instance with all others, and DuckDB has
 * no limit for a part of them: so they are stopped, all that run, when a quarter of the memory is taken by
 * intermediate results, and asked to come again unless one ran alone. What is left is for the others.
 */
export class ConfinedDatabase implements Database {
  readonly name = 'duckdb';
  readonly concurrency: number;
  readonly #readers: ReaderPool<Reader>;
  readonly #watch: MemoryWatch;

  /** `connect` makes a connection of an open instance. */
  static async open(connect: () => Promise<DuckDBConnection>, options: ConfinedOptions): Promise<ConfinedDatabase> {
    const [watcher, ...connections] = await Promise.all(
      Array.from({ length: options.connections + 1 }, () => connect()),
    );
    if (watcher === undefined) throw new RangeError('no connections');
    return new ConfinedDatabase(connections, await MemoryWatch.open(watcher, MEMORY_SHARE), options);
  }

  private constructor(connections: readonly DuckDBConnection[], watch: MemoryWatch, options: ConfinedOptions) {
    this.concurrency = connections.length;
    this.#watch = watch;
    this.#readers = new ReaderPool(
      connections.map((connection) => new Reader(connection, 1, options.maxResultBytes)),
      options,
    );
  }

  prepare(sql: string): PreparedQuery {
    return { sql: translate(sql) };
  }

  query({ sql }: PreparedQuery, values: readonly BoundValue[], options: QueryOptions): Promise<ResultSet> {
    const { signal } = options;
    const read = async (reader: Reader) => {
      try {
        return await this.#watch.during((tooMuch) => {
          const either = signal === undefined ? tooMuch : AbortSignal.any([signal, tooMuch]);
          return reader.read(sql, values, { ...options, signal: either });
        });
      } finally {
        reader.forget();
      }
    };
    return this.#readers.use(read, signal);
  }

  explain({ sql }: PreparedQuery, values: readonly BoundValue[], options: QueryOptions): Promise<ResultSet> {
    return this.query({ sql: `EXPLAIN ${sql}` }, values, options);
  }

  async ping(timeoutMs: number): Promise<void> {
    await this.query({ sql: 'SELECT 1' }, [], { maxRows: 1, timeoutMs });
  }

  async close(): Promise<void> {
    await this.#readers.close(CLOSE_GRACE_MS);
    await this.#watch.close();
  }
}

const MEMORY_SHARE = 0.25;
const CLOSE_GRACE_MS = 0;
