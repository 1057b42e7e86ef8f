import type { DuckDBConnection } from '@duckdb/node-api';
import { Workbench, type WorkbenchOptions } from '../../databases/duckdb/staging-database.js';
import { Turns } from '../../databases/mutex.js';
import { type MysqlAddress, parseMysqlUrl, placeOf } from '../../databases/mysql/connection/address.js';
import { connectionOptions } from '../../databases/mysql/connection/connection-options.js';
import { withExactCollation } from '../../databases/mysql/connection/flavor.js';
import { explainError } from '../../databases/mysql/connection/server-error.js';
import { giveLockBack, lockName, takeLock } from '../../databases/mysql/named-lock.js';
import { WriteConnection, type WriteLimits } from '../../databases/mysql/write-connection.js';
import { type Ends, type RowsOut, rowsAsFile, rowsAsStatements } from '../../databases/mysql/write-from-duckdb.js';
import { migrations, VERSIONS } from '../schema/migrations.js';
import { TableFit } from '../schema/table-fit.js';
import { MERGED_TABLES } from '../tables/tables.js';
import { allowNull } from './allow-null.js';
import { convertTables } from './exact-text.js';
import { MysqlTables } from './mysql-tables.js';
import { OccupiedError, type Store, type Tables } from './store.js';

export interface MysqlStoreOptions extends WorkbenchOptions, WriteLimits {
  /** `mysql://…` of an account that may change the tables; see `parseMysqlUrl`. */
  readonly url: string;
  /** Hears, once, what the operator may want to change. */
  readonly onNotice?: (message: string) => void;
  /** Milliseconds that `close` waits for work at hand before it cuts the connection. Default 5,000. */
  readonly closeGraceMs?: number;
}

/**
 * The store in a database behind MySQL's protocol. It connects and makes its workbench, a DuckDB in memory, when they are
 * first needed. Locks of the server's keep other processes from writing at the same time.
 */
export class MysqlStore implements Store {
  /** Fewer than a file takes: a transaction's changes lie in memory of TiDB, and in logs of others. */
  readonly batchEvents = 100_000;
  readonly #options: MysqlStoreOptions;
  readonly #address: MysqlAddress;
  readonly #turns = new Turns();
  /** Work that is done alone, and the connection that has its lock once it is taken. */
  readonly #held = new Map<string, WriteConnection | undefined>();
  #connection: WriteConnection | undefined;
  #workbench: Promise<Workbench> | undefined;
  #noticed = false;

  constructor(options: MysqlStoreOptions) {
    this.#options = options;
    this.#address = parseMysqlUrl(options.url);
  }

  write<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.define([], work);
  }

  define<T>(statements: readonly string[], work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.#turns.take(async () => {
      const connection = await this.#connected();
      return this.#locked(connection, 'transaction', TRANSACTION_WAIT_SECONDS, async () => {
        for (const statement of statements) await defineOnce(connection, statement);
        return this.#transaction(connection, work);
      });
    });
  }

  compareExactly(tables: readonly string[]): Promise<void> {
    return this.#turns.take(async () => {
      const connection = await this.#connected();
      const convert = () => convertTables(connection, tables);
      return this.#locked(connection, 'transaction', TRANSACTION_WAIT_SECONDS, convert);
    });
  }

  workbench<T>(work: (bench: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.#turns.take(async () => work((await this.#bench()).connection));
  }

  async alone<T>(work: string, waitSeconds: number, run: () => Promise<T>): Promise<T> {
    // The server would give a connection a lock that it has already.
    if (this.#held.has(work)) throw new OccupiedError(work, 'this process');
    this.#held.set(work, undefined);
    try {
      const connection = await this.#turns.take(() => this.#connected());
      this.#held.set(work, connection);
      return await this.#locked(connection, work, waitSeconds, run);
    } finally {
      this.#held.delete(work);
    }
  }

  /**
   * Keeps so many columnar replicas of the tables that are read as a whole, on a cluster of TiDB. It makes them by itself
   * and after this returns. Throws where the server is no TiDB.
   */
  async replicate(replicas: number): Promise<void> {
    await this.#turns.take(async () => {
      const connection = await this.#connected();
      if (connection.flavor !== 'tidb') {
        throw new Error(
          `Only TiDB has columnar replicas; this server is ${connection.flavor}. Unset TIFLASH_REPLICAS.`,
        );
      }
      for (const table of REPLICATED) await connection.run(`ALTER TABLE ${table} SET TIFLASH REPLICA ${replicas}`);
    });
  }

  /** InnoDB and TiDB keep rows in the order of their keys. */
  async settle(): Promise<void> {}

  async close(): Promise<void> {
    // A server that stalls would keep whoever closes for ever; what is cut is rolled back.
    const cut = setTimeout(() => this.#connection?.destroy(), this.#options.closeGraceMs ?? 5_000);
    await this.#turns.close();
    if (this.#connection?.isOpen) await this.#connection.end();
    clearTimeout(cut);
    await (await this.#workbench)?.close();
  }

  async #locked<T>(connection: WriteConnection, work: string, waitSeconds: number, run: () => Promise<T>): Promise<T> {
    const lock = lockName(this.#address.database, work);
    const holder = await takeLock(connection, lock, waitSeconds);
    if (holder !== undefined) throw new OccupiedError(work, holder);
    try {
      return await run();
    } finally {
      // With the connection the lock is gone, too.
      if (connection.isOpen) await giveLockBack(connection, lock);
    }
  }

  async #transaction<T>(connection: WriteConnection, work: (tables: Tables) => Promise<T>): Promise<T> {
    const workbench = await this.#bench();
    const bench = workbench.connection;
    const tables = new MysqlTables({ connection, bench, out: this.#rowsOut({ from: bench, to: connection }) });
    await connection.run('START TRANSACTION');
    try {
      const result = await work(tables);
      await connection.run('COMMIT');
      return result;
    } catch (error) {
      await connection.run('ROLLBACK').catch(() => connection.destroy());
      throw error;
    } finally {
      await workbench.empty(tables.brought);
    }
  }

  /** Work that is done alone must not go on over another connection, which would not have its lock. */
  async #connected(): Promise<WriteConnection> {
    if (this.#connection?.isOpen) return this.#connection;
    for (const [work, connection] of this.#held) {
      if (connection !== undefined) throw new Error(`The connection to the database was lost during the ${work}.`);
    }
    const { connectTimeoutMs = 10_000, silenceMs } = this.#options;
    const limits = { connectTimeoutMs, ...(silenceMs !== undefined && { silenceMs }) };
    try {
      this.#connection = await WriteConnection.open(await connectionOptions(this.#address), limits);
      return this.#connection;
    } catch (error) {
      throw explainError(error, placeOf(this.#address), connectTimeoutMs);
    }
  }

  #bench(): Promise<Workbench> {
    this.#workbench ??= this.#openBench().catch((error: unknown) => {
      this.#workbench = undefined;
      throw error;
    });
    return this.#workbench;
  }

  async #openBench(): Promise<Workbench> {
    const steps = await migrations();
    const statements = steps.flatMap((step) => step.statements);
    return Workbench.open(this.#options, [VERSIONS, ...statements]);
  }

  /** Only of MySQL and MariaDB it is known that loading a file is a part of the transaction. */
  #rowsOut(ends: Ends): RowsOut {
    const { flavor, takesFiles } = ends.to;
    const isTidb = flavor === 'tidb';
    if (takesFiles && !isTidb) return rowsAsFile(ends);
    if (!this.#noticed && !isTidb) this.#options.onNotice?.(NO_FILES);
    this.#noticed = true;
    return rowsAsStatements(ends);
  }
}

const REPLICATED = ['github_events', 'github_repos', 'github_users', ...MERGED_TABLES.map(({ name }) => name)];

/** As long as somebody else's largest batch may take. */
const TRANSACTION_WAIT_SECONDS = 600;

const NO_FILES =
  'The database takes no files from its clients (local_infile is OFF), so rows are sent as INSERT statements, which takes longer.';

/** Runs a statement that makes or changes a table; that it was run before, by a process that was killed, is no error. */
async function defineOnce(connection: WriteConnection, statement: string): Promise<void> {
  try {
    const change = await allowNull(connection, withExactCollation(statement, connection.flavor));
    if (change !== undefined) await connection.run(change);
  } catch (error) {
    const number = Number((error as { errno?: unknown }).errno);
    if (!DONE_BEFORE.has(number)) throw error;
    if (number !== TABLE_EXISTS) return;
    const fit = new TableFit([statement]);
    fit.require(await connection.rows(fit.select));
  }
}

/** Ours, of a process that was killed, or somebody else's. */
const TABLE_EXISTS = 1050;

/** There is that table, column or key already; there is none to drop. */
const DONE_BEFORE = new Set([TABLE_EXISTS, 1060, 1061, 1091]);
