import type { DuckDBConnection } from '@duckdb/node-api';
import { StagingDatabase, type StagingDatabaseOptions } from '../../engine/databases/duckdb/staging-database.js';
import { Mutex } from '../../engine/databases/mutex.js';
import { type MysqlAddress, parseMysqlUrl, placeOf } from '../../engine/databases/mysql/connection/address.js';
import { connectionOptions } from '../../engine/databases/mysql/connection/connection-options.js';
import { exactCollation, withExactCollation } from '../../engine/databases/mysql/connection/flavor.js';
import { explainError } from '../../engine/databases/mysql/connection/server-error.js';
import { acquireLock, holdLock, lockName, releaseLock } from '../../engine/databases/mysql/named-lock.js';
import { WriteConnection, type WriteLimits } from '../../engine/databases/mysql/write-connection.js';
import {
  type CopyEnds,
  createFileWriter,
  createStatementWriter,
  type WriteRows,
} from '../../engine/databases/mysql/write-from-duckdb.js';
import { Deadline } from '../../engine/index.js';
import { readMigrations, VERSIONS } from '../schema/migrations.js';
import { TableFit } from '../schema/table-fit.js';
import { changesStoredRows, readVersionedTables } from '../schema/versioned-tables.js';
import { MERGED_TABLES } from '../tables/tables.js';
import { changeVersions, SERVER_VERSIONS } from '../versions/version-table.js';
import { dropOnServer, replaceOnServer, type ServerTables } from './mysql-own-tables.js';
import { MysqlTables } from './mysql-tables.js';
import { AlreadyRunningError, type Claim, type Store, type TableReplacement, type Tables } from './store.js';

export interface MysqlStoreOptions extends StagingDatabaseOptions, WriteLimits {
  /** The `mysql://…` URL of an account that may write to the tables; see `parseMysqlUrl`. */
  readonly url: string;
  /** Called with a message for the operator, at most once. */
  readonly onNotice?: (message: string) => void;
  /** Called when a transaction that wrote tables has ended, even if its COMMIT failed. */
  readonly onCommit?: () => void;
  /** The milliseconds that `close` waits for running work before it destroys the connection. Default 5,000. */
  readonly closeGraceMs?: number;
}

/**
 * The store in a database behind the MySQL protocol. The connection and the staging database, an in-memory DuckDB, are opened on first use.
 * Named locks of the server prevent other processes from writing at the same time.
 */
export class MysqlStore implements Store {
  /** The number is limited because TiDB keeps the changes of a transaction in memory, and other servers keep them in logs. */
  readonly batchEvents = 100_000;
  readonly mergedIds = 1_000;
  readonly #options: MysqlStoreOptions;
  readonly #address: MysqlAddress;
  readonly #mutex = new Mutex();
  /** The running exclusive work, with the connection that holds its lock. Undefined while the work waits for a connection. */
  readonly #exclusiveWork = new Map<string, WriteConnection | undefined>();
  #connection: WriteConnection | undefined;
  #staging: Promise<StagingDatabase> | undefined;
  #hasNotified = false;

  constructor(options: MysqlStoreOptions) {
    this.#options = options;
    this.#address = parseMysqlUrl(options.url);
  }

  write<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.define([], work);
  }

  define<T>(statements: readonly string[], work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.#mutex.run(async () => {
      const connection = await this.#connect();
      return this.#runLocked(connection, 'transaction', TRANSACTION_WAIT_SECONDS, async () => {
        for (const statement of statements) await defineOnce(connection, statement);
        return this.#transaction(connection, async (tables) => {
          const result = await work(tables);
          if (statements.some(changesStoredRows))
            for (const table of await readVersionedTables()) tables.written.add(table);
          return result;
        });
      });
    });
  }

  replaceTable(replacement: TableReplacement): Promise<void> {
    return this.#useServer((server) => replaceOnServer(server, replacement));
  }

  dropTable(name: string, record: (tables: Tables) => Promise<void>): Promise<void> {
    return this.#useServer((server) => dropOnServer(server, name, record));
  }

  useExactCollation(tables: readonly string[]): Promise<void> {
    return this.#mutex.run(async () => {
      const connection = await this.#connect();
      const convert = () => convertTables(connection, tables);
      return this.#runLocked(connection, 'transaction', TRANSACTION_WAIT_SECONDS, convert);
    });
  }

  useStaging<T>(work: (staging: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.#mutex.run(async () => work((await this.#openStaging()).connection));
  }

  async runExclusively<T>(work: string, waitSeconds: number, run: () => Promise<T>): Promise<T> {
    // Without this check, the server would grant the lock to the same connection twice.
    if (this.#exclusiveWork.has(work)) throw new AlreadyRunningError(work, 'this process');
    this.#exclusiveWork.set(work, undefined);
    try {
      const connection = await this.#mutex.run(() => this.#connect());
      this.#exclusiveWork.set(work, connection);
      return await this.#runLocked(connection, work, waitSeconds, run);
    } finally {
      this.#exclusiveWork.delete(work);
    }
  }

  async claim(work: string): Promise<Claim> {
    // A separate connection, because the shared one is used, and can be lost, while the work runs.
    const connection = await openWriteConnection(this.#address, { ...this.#options, silenceMs: CLAIM_SILENCE_MS });
    const lock = await holdLock(connection, lockName(this.#address.database, work));
    if ('holder' in lock) throw new AlreadyRunningError(work, lock.holder);
    return lock;
  }

  /**
   * Sets the number of columnar replicas of the tables that queries scan, on a TiDB cluster. TiDB creates the replicas in the background,
   * after this method has returned. Throws if the server is not TiDB.
   */
  async replicate(replicas: number): Promise<void> {
    await this.#mutex.run(async () => {
      const connection = await this.#connect();
      if (connection.flavor !== 'tidb') {
        throw new Error(
          `Columnar replicas need TiDB, but this server is ${connection.flavor}. Remove the setting TIFLASH_REPLICAS.`,
        );
      }
      for (const table of REPLICATED) await connection.run(`ALTER TABLE ${table} SET TIFLASH REPLICA ${replicas}`);
    });
  }

  /** Does nothing: InnoDB and TiDB keep rows in the order of their keys. */
  async optimize(): Promise<void> {}

  async close(): Promise<void> {
    // Without a deadline, a stalled server would block `close` forever. The server rolls back an open transaction.
    const grace = new Deadline({ timeoutMs: this.#options.closeGraceMs ?? 5_000 });
    grace.onStop(() => this.#connection?.destroy());
    await this.#mutex.close();
    if (this.#connection?.isOpen) await this.#connection.end();
    grace.end();
    await (await this.#staging)?.close();
  }

  /** Runs work that needs several transactions, because it creates and drops tables. */
  #useServer<T>(work: (server: ServerTables) => Promise<T>): Promise<T> {
    return this.#mutex.run(async () => {
      const connection = await this.#connect();
      const staging = (await this.#openStaging()).connection;
      const transaction: ServerTables['transaction'] = (change) =>
        this.#runLocked(connection, 'transaction', TRANSACTION_WAIT_SECONDS, () =>
          this.#transaction(connection, change),
        );
      const writeRows = this.#createWriter({ from: staging, to: connection });
      return work({ connection, staging, writeRows, transaction });
    });
  }

  async #runLocked<T>(
    connection: WriteConnection,
    work: string,
    waitSeconds: number,
    run: () => Promise<T>,
  ): Promise<T> {
    const lock = lockName(this.#address.database, work);
    const holder = await acquireLock(connection, lock, waitSeconds);
    if (holder !== undefined) throw new AlreadyRunningError(work, holder);
    try {
      return await run();
    } finally {
      // If the connection has ended, the server has already released the lock.
      if (connection.isOpen) await releaseLock(connection, lock);
    }
  }

  async #transaction<T>(connection: WriteConnection, work: (tables: MysqlTables) => Promise<T>): Promise<T> {
    const database = await this.#openStaging();
    const staging = database.connection;
    const writeRows = this.#createWriter({ from: staging, to: connection });
    const tables = new MysqlTables({ connection, staging, writeRows });
    await connection.run('START TRANSACTION');
    try {
      const result = await work(tables);
      await changeVersions(SERVER_VERSIONS, connection, tables.written.names);
      await connection.run('COMMIT');
      return result;
    } catch (error) {
      await connection.run('ROLLBACK').catch(() => connection.destroy());
      throw error;
    } finally {
      if (tables.written.names.size > 0) this.#options.onCommit?.();
      await database.empty(tables.loaded);
    }
  }

  /**
   * Returns the open connection, or opens one. Throws if the connection was lost during exclusive work, because a new connection does not
   * hold the lock.
   */
  async #connect(): Promise<WriteConnection> {
    if (this.#connection?.isOpen) return this.#connection;
    for (const [work, connection] of this.#exclusiveWork) {
      if (connection !== undefined) {
        throw new Error(`The connection to the database was lost during the ${work}. Run it again.`);
      }
    }
    this.#connection = await openWriteConnection(this.#address, this.#options);
    return this.#connection;
  }

  #openStaging(): Promise<StagingDatabase> {
    this.#staging ??= this.#createStaging().catch((error: unknown) => {
      this.#staging = undefined;
      throw error;
    });
    return this.#staging;
  }

  async #createStaging(): Promise<StagingDatabase> {
    const steps = await readMigrations();
    const statements = steps.flatMap((step) => step.statements);
    return StagingDatabase.open(this.#options, [VERSIONS, ...statements]);
  }

  /**
   * Creates the function that writes rows. The writer uses LOAD DATA only on MySQL and MariaDB, because only there it is known to be part
   * of the transaction.
   */
  #createWriter(ends: CopyEnds): WriteRows {
    const { flavor, allowsLocalFiles } = ends.to;
    const isTidb = flavor === 'tidb';
    if (allowsLocalFiles && !isTidb) return createFileWriter(ends);
    if (!this.#hasNotified && !isTidb) this.#options.onNotice?.(NO_LOCAL_FILES);
    this.#hasNotified = true;
    return createStatementWriter(ends);
  }
}

const REPLICATED = ['github_events', 'github_repos', 'github_users', ...MERGED_TABLES.map(({ name }) => name)];

/** How long to wait for a transaction of another process. The largest batch can take this long. */
const TRANSACTION_WAIT_SECONDS = 600;

const CLAIM_SILENCE_MS = 30_000;

const NO_LOCAL_FILES =
  'The database does not allow LOAD DATA LOCAL (local_infile is OFF), so rows are sent as INSERT statements, which is slower.';

/** Opens a connection to the server. The error message contains the server and a solution. */
async function openWriteConnection(
  address: MysqlAddress,
  { connectTimeoutMs = 10_000, silenceMs }: WriteLimits,
): Promise<WriteConnection> {
  const limits = { connectTimeoutMs, ...(silenceMs !== undefined && { silenceMs }) };
  try {
    return await WriteConnection.open(await connectionOptions(address), limits);
  } catch (error) {
    throw explainError(error, placeOf(address), connectTimeoutMs);
  }
}

/**
 * Runs a statement that creates or changes a table. If an earlier process ran the statement and was then killed, the error that the change
 * already exists is ignored.
 */
async function defineOnce(connection: WriteConnection, statement: string): Promise<void> {
  try {
    const change = await relaxColumns(connection, withExactCollation(statement, connection.flavor));
    if (change !== undefined) await connection.run(change);
  } catch (error) {
    const number = Number((error as { errno?: unknown }).errno);
    if (!ALREADY_DONE.has(number)) throw error;
    if (number !== TABLE_EXISTS) return;
    const fit = new TableFit([statement]);
    fit.require(await connection.rows(fit.select));
  }
}

/** The error if the table exists: created by an earlier run of this statement, or by another program. */
const TABLE_EXISTS = 1050;

/** Errors that mean that the change was already made: the table, column or key already exists, or the object to drop does not exist. */
const ALREADY_DONE = new Set([TABLE_EXISTS, 1060, 1061, 1091]);

/**
 * Rewrites an ALTER TABLE with `MODIFY COLUMN name type` actions. In the migrations, these actions only mean that the column may be NULL
 * and that its text may have at least this length. So if another program created the column with a longer text type, the new statement
 * keeps this type. Returns undefined if no column changes. Returns any other statement unchanged.
 */
async function relaxColumns(connection: WriteConnection, statement: string): Promise<string | undefined> {
  const [, table, actions] = /^(?:--[^\n]*\n|\s)*ALTER TABLE (\w+)\s+(MODIFY COLUMN .*)$/s.exec(statement) ?? [];
  if (table === undefined || actions === undefined) return statement;
  const written = new Map(
    [...actions.matchAll(/MODIFY COLUMN (\w+) ([\w()]+)/g)].map(([, name = '', type = '']) => [name, type]),
  );
  const rows = await connection.rows(
    `SELECT column_name, column_type, collation_name, is_nullable FROM information_schema.columns
     WHERE table_schema = DATABASE() AND table_name = :p1`,
    [table],
  );
  const changes = rows.flatMap(([name, type, collation, isNullable]) => {
    const [wanted, current] = [written.get(String(name)), String(type)];
    if (wanted === undefined) return [];
    const isShort = lengthOf(current) < lengthOf(wanted);
    if (isNullable === 'YES' && !isShort) return [];
    return [`MODIFY COLUMN ${name} ${isShort ? wanted : current}${collation === null ? '' : ` COLLATE ${collation}`}`];
  });
  return changes.length === 0 ? undefined : `ALTER TABLE ${table} ${changes.join(', ')}`;
}

/** Returns the length of a VARCHAR, and infinity for other types. */
function lengthOf(type: string): number {
  return Number(/^varchar\((\d+)\)/i.exec(type)?.[1] ?? Number.POSITIVE_INFINITY);
}

/**
 * Converts tables with the collation of earlier program versions, `utf8mb4_bin`, to a collation that compares text by its exact bytes.
 * Tables with any other collation are not changed; `requireSchema` rejects them. After an interruption, each table is either converted or
 * unchanged: one statement converts it, or on TiDB a complete copy replaces it.
 */
async function convertTables(connection: WriteConnection, tables: readonly string[]): Promise<void> {
  const exact = exactCollation(connection.flavor);
  for (const table of tables) {
    const collations = await collationsOf(connection, table);
    if (!collations.every((collation) => collation === exact || collation === PADDING)) continue;
    if (collations.includes(PADDING)) await convert(connection, table, exact);
    // If an earlier call was interrupted after RENAME, the old table still exists under this name.
    if (connection.flavor === 'tidb') await connection.run(`DROP TABLE IF EXISTS ${table}_padded`);
  }
}

/** The collation of earlier program versions. This collation ignores trailing spaces. */
const PADDING = 'utf8mb4_bin';

/** The collations of a table and of its columns; empty if the table does not exist. */
async function collationsOf(connection: WriteConnection, table: string): Promise<string[]> {
  const rows = await connection.rows(
    `SELECT table_collation FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = :p1
     UNION
     SELECT collation_name FROM information_schema.columns
     WHERE table_schema = DATABASE() AND table_name = :p1 AND collation_name IS NOT NULL`,
    [table],
  );
  return rows.map(([collation]) => String(collation));
}

async function convert(connection: WriteConnection, table: string, exact: string): Promise<void> {
  try {
    await connection.run(`ALTER TABLE ${table} CONVERT TO CHARACTER SET utf8mb4 COLLATE ${exact}`);
  } catch (error) {
    if ((error as { errno?: unknown }).errno !== UNSUPPORTED) throw error;
    await replaceByCopy(connection, table, exact);
  }
}

/** TiDB's error for unsupported changes, such as changing the collation of a column that has an index. */
const UNSUPPORTED = 8200;

/**
 * Replaces a table by a converted copy. RENAME changes both names atomically. After an interruption, an incomplete copy may remain (before
 * RENAME), or the old table (after RENAME).
 */
async function replaceByCopy(connection: WriteConnection, table: string, exact: string): Promise<void> {
  const copy = `${table}_exact`;
  await connection.run(`DROP TABLE IF EXISTS ${copy}`);
  const [[, definition] = []] = await connection.rows(`SHOW CREATE TABLE ${table}`);
  const createCopy = String(definition).replace(`\`${table}\``, `\`${copy}\``).replaceAll(PADDING, exact);
  await connection.run(createCopy);
  await connection.run(`${await batchClause(connection, table)} INSERT INTO ${copy} SELECT * FROM ${table}`);
  const count = `SELECT (SELECT COUNT(*) FROM ${table}), (SELECT COUNT(*) FROM ${copy})`;
  const [[rows, copied] = []] = await connection.rows(count);
  if (rows !== copied) {
    throw new Error(
      `The copy of ${table} has ${copied} rows, expected ${rows}. Stop all programs that write to it, then try again.`,
    );
  }
  await connection.run(`RENAME TABLE ${table} TO ${table}_padded, ${copy} TO ${table}`);
}

const BATCH_ROWS = 10_000;

/**
 * The clause that makes TiDB commit the rows of a table in batches, because TiDB limits the size of a transaction. TiDB splits the rows by
 * the first column of an index. An id is preferred, because it has the most distinct values. Empty if there is no usable index.
 */
async function batchClause(connection: WriteConnection, table: string): Promise<string> {
  const [[column] = []] = await connection.rows(
    `SELECT column_name FROM information_schema.statistics
     WHERE table_schema = DATABASE() AND table_name = :p1 AND seq_in_index = 1 AND nullable <> 'YES'
     ORDER BY column_name LIKE '%id' DESC, index_name = 'PRIMARY' DESC LIMIT 1`,
    [table],
  );
  return column === undefined ? '' : `BATCH ON ${column} LIMIT ${BATCH_ROWS}`;
}
