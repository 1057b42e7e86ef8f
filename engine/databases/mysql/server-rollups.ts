import { quoteName } from '../../sql/reading/lexemes.js';
import type { BoundValue, Cell, Database } from '../interface/database.js';
import { Deadline } from '../interface/deadline.js';
import {
  AllRowsNeededError,
  createVersion,
  otherTableError,
  ROLLUP_STATE,
  type RollupColumn,
  RollupError,
  type RollupState,
  type RollupStore,
  type RollupWrite,
  tooManyRowsError,
  watermarkError,
} from '../interface/rollups.js';
import { parseMysqlUrl } from './connection/address.js';
import { connectionOptions } from './connection/connection-options.js';
import { toPositional, writeForServer } from './connection/select.js';
import { acquireLock, lockName, releaseLock } from './named-lock.js';
import { WriteConnection } from './write-connection.js';

/**
 * Materialized tables in the database of a server. A refresh is one transaction, which also writes the state of the table. Only the first
 * refresh of a definition fills a new table, which then gets its name with one statement.
 */
export class ServerRollups implements RollupStore {
  readonly #database: Database;
  readonly #url: string;
  readonly #onChange: () => void;

  /** `database` reads the tables; the account of `url` creates them in the same database. `onChange` is called after each refresh. */
  constructor(database: Database, url: string, onChange: () => void) {
    this.#database = database;
    this.#url = url;
    this.#onChange = onChange;
  }

  async states(): Promise<ReadonlyMap<string, RollupState>> {
    return readServerStates(this.#database);
  }

  async largest(table: string, column: string): Promise<BoundValue> {
    const sql = `SELECT MAX(${quoteName(column)}) FROM ${quoteName(table)}`;
    return (await readState(this.#database, sql, READ_MS))[0]?.[0] ?? null;
  }

  async write(write: RollupWrite): Promise<RollupState> {
    const { table } = write;
    const known = (await this.states()).get(table);
    const exists = known !== undefined && (await this.#exists(table));
    const replace = async (connection: WriteConnection) => {
      const lines = await writeColumns(connection, write);
      const kept =
        exists && known.definition === write.state.definition && (await readLayout(connection, table)) === lines;
      if (kept) return refresh(connection, write);
      if (write.from !== undefined) throw new AllRowsNeededError();
      if (known === undefined) await requireOwn(connection, table);
      return create(connection, write, lines);
    };
    // Another process can have the lock of `exclusively` if its connection was lost.
    const written = await this.#use(write, (connection) =>
      this.#locked(connection, 'rollup rows', () => replace(connection)),
    );
    if (written === undefined)
      throw new RollupError(`Another process writes materialized tables. The previous rows of ${table} stay.`);
    this.#onChange();
    return written;
  }

  async foreign(tables: readonly string[]): Promise<readonly string[]> {
    const options = { maxRows: MAX_TABLES, timeoutMs: READ_MS };
    const { rows } = await this.#database.query({ sql: selectTables(tables) }, [], options);
    const own = new Set(await readOwnTables(this.#database));
    return rows.map(([name]) => String(name)).filter((name) => !own.has(name));
  }

  async exclusively<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    return this.#use({ timeoutMs: NO_LIMIT_MS }, (connection) =>
      this.#locked(connection, 'rollups', async () => {
        await connection.run(CREATE_STATE);
        return work();
      }),
    );
  }

  /** Whether a table exists. Another program can have dropped a table with a state. */
  async #exists(table: string): Promise<boolean> {
    const sql = `SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = '${table}' AND table_type = 'BASE TABLE'`;
    return (await this.#database.query({ sql }, [], { maxRows: 1, timeoutMs: READ_MS })).rows.length > 0;
  }

  /**
   * Runs work with a lock; resolves to undefined if another connection has it. The lock is released explicitly, because the server can keep
   * that of a connection shortly after its end.
   */
  async #locked<Result>(connection: WriteConnection, name: string, work: () => Promise<Result>) {
    const lock = lockName(parseMysqlUrl(this.#url).database, name);
    if ((await acquireLock(connection, lock, 0)) !== undefined) return undefined;
    try {
      return await work();
    } finally {
      if (connection.isOpen) await releaseLock(connection, lock);
    }
  }

  /** Opens a connection for `work`. At the time limit, the server stops the statement, and the transaction is rolled back. */
  async #use<Result>(
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
    work: (connection: WriteConnection) => Promise<Result>,
  ): Promise<Result> {
    const options = await connectionOptions(parseMysqlUrl(this.#url));
    const connection = await WriteConnection.open(options);
    const deadline = new Deadline({ timeoutMs, ...(signal && { signal }) });
    try {
      // A division by zero is NULL, as in a SELECT.
      await connection.run("SET SESSION sql_mode = REPLACE(@@sql_mode, 'ERROR_FOR_DIVISION_BY_ZERO', '')");
      const [[id] = []] = await connection.rows('SELECT CONNECTION_ID()');
      deadline.onStop((reason) => {
        // Without the KILL, the server would run the statement to its end.
        const kill = async () => {
          const other = await WriteConnection.open(options);
          await other.run(`KILL ${id}`).finally(() => other.end());
        };
        void kill()
          .catch(() => undefined)
          .finally(() => connection.destroy(reason));
      });
      return await work(connection).catch((error: unknown) => Promise.reject(deadline.reason ?? error));
    } finally {
      deadline.end();
      if (connection.isOpen) await connection.end();
    }
  }
}

/** Returns the states of the materialized tables of a database; none if it has no table of states. */
export async function readServerStates(
  database: Database,
  timeoutMs = READ_MS,
): Promise<ReadonlyMap<string, RollupState>> {
  const columns = 'table_name, version, definition, refreshed_at, full_at, data_as_of, sources, row_count';
  const rows = await readState(
    database,
    `SELECT ${columns} FROM ${ROLLUP_STATE} WHERE refreshed_at IS NOT NULL`,
    timeoutMs,
  );
  return new Map(
    rows.map(([table, version, definition, refreshedAt, fullAt, dataAsOf, sources, count]) => [
      String(table),
      {
        ...{ version: String(version), definition: String(definition), refreshedAt: String(refreshedAt) },
        fullAt: String(fullAt),
        ...{ dataAsOf: dataAsOf === null ? null : String(dataAsOf), sources: String(sources), rows: Number(count) },
      },
    ]),
  );
}

async function readOwnTables(database: Database): Promise<readonly string[]> {
  const rows = await readState(database, `SELECT table_name FROM ${ROLLUP_STATE}`, READ_MS);
  return rows.map(([name]) => String(name));
}

async function readState(database: Database, sql: string, timeoutMs: number): Promise<readonly (readonly Cell[])[]> {
  try {
    return (await database.query({ sql }, [], { maxRows: MAX_TABLES, timeoutMs })).rows;
  } catch (error) {
    if (errnoOf(error) !== NO_TABLE && errnoOf((error as Error).cause) !== NO_TABLE) throw error;
    return [];
  }
}

const READ_MS = 60_000;
const MAX_TABLES = 10_000;
/** The longest time of a Node timer. */
const NO_LIMIT_MS = 2_147_483_647;

/** A table whose first refresh has not ended has no `refreshed_at`. */
const CREATE_STATE = `
  CREATE TABLE IF NOT EXISTS ${ROLLUP_STATE} (
    table_name VARCHAR(64) NOT NULL PRIMARY KEY,
    version VARCHAR(32) NOT NULL,
    definition VARCHAR(64) NOT NULL,
    refreshed_at DATETIME,
    full_at DATETIME,
    data_as_of DATETIME,
    sources TEXT NOT NULL,
    layout TEXT NOT NULL,
    row_count BIGINT NOT NULL
  ) COMMENT 'The last refresh of each materialized table of repo-insight.'`;

/** The table that a refresh fills before it has its name, and the view whose columns have the types of a query. */
const NEXT = `${ROLLUP_STATE}_next`;
const TYPES = `${ROLLUP_STATE}_types`;
const WATERMARK_TYPE = /^(date|datetime|timestamp|(tiny|small|medium|big|)int)\b/;

const NO_TABLE = 1146;

function errnoOf(error: unknown): unknown {
  return (error as { readonly errno?: unknown } | undefined)?.errno;
}

function selectTables(names: readonly string[]): string {
  const list = names.map((name) => `'${name}'`).join(', ');
  return `
    SELECT table_name FROM information_schema.tables
    WHERE table_schema = DATABASE() AND LOWER(table_name) IN (${list}) ORDER BY table_name`;
}

/** Throws a `RollupError` for a table that another program created. Other accounts may not see the table. */
async function requireOwn(connection: WriteConnection, table: string): Promise<void> {
  const own = await connection.rows(`SELECT 1 FROM ${ROLLUP_STATE} WHERE table_name = :p1`, [table]);
  const [[other] = []] = own.length > 0 ? [] : await connection.rows(selectTables([table]));
  if (other !== undefined) throw otherTableError(String(other));
}

/** Replaces the rows of a table whose definition has not changed. */
async function refresh(connection: WriteConnection, write: RollupWrite): Promise<RollupState> {
  const { table, from, maxRows } = write;
  // With this level, InnoDB does not lock the rows that the query reads, so that other programs can change them.
  if (connection.flavor !== 'tidb') await connection.run('SET TRANSACTION ISOLATION LEVEL READ COMMITTED');
  await connection.run('START TRANSACTION');
  try {
    const condition = from === undefined ? '' : ` WHERE ${quoteName(from.column)} >= :p1`;
    await connection.change(`DELETE FROM ${quoteName(table)}${condition}`, from === undefined ? [] : [from.value]);
    const inserted = await insert(connection, write, table);
    const rows = from === undefined ? inserted : await countRows(connection, table);
    if (rows > maxRows) throw tooManyRowsError(table, maxRows);
    const state = await recordState(connection, write, rows);
    await connection.run('COMMIT');
    return state;
  } catch (error) {
    if (connection.isOpen) await connection.run('ROLLBACK');
    throw explain(error, write);
  }
}

/** Creates the table of a new or changed definition with all its rows. Until these are complete, an earlier table stays. */
async function create(connection: WriteConnection, write: RollupWrite, layout: string): Promise<RollupState> {
  const { table, maxRows, description } = write;
  const ofTable = 'WHERE table_name = :p1';
  try {
    await connection.change(
      `INSERT IGNORE INTO ${ROLLUP_STATE} (table_name, version, definition, sources, layout, row_count) VALUES (:p1, '', '', '', '', 0)`,
      [table],
    );
    await connection.run(`DROP TABLE IF EXISTS ${NEXT}`);
    await connection.run(
      `CREATE TABLE ${NEXT} (${layout}) COMMENT ${connection.literal(description.slice(0, MAX_COMMENT))}`,
    );
    const rows = await insert(connection, { ...write, from: undefined }, NEXT);
    if (rows > maxRows) throw tooManyRowsError(table, maxRows);
    // An interruption between these statements leaves a table that is not current, and is computed again.
    await connection.change(`UPDATE ${ROLLUP_STATE} SET refreshed_at = NULL, layout = :p2 ${ofTable}`, [table, layout]);
    await connection.run(`DROP TABLE IF EXISTS ${quoteName(table)}`);
    await connection.run(`RENAME TABLE ${NEXT} TO ${quoteName(table)}`);
    return await recordState(connection, write, rows);
  } catch (error) {
    if (connection.isOpen) {
      await connection.run(`DROP TABLE IF EXISTS ${NEXT}`);
      await connection.change(`DELETE FROM ${ROLLUP_STATE} ${ofTable} AND version = ''`, [table]);
    }
    throw explain(error, write);
  }
}

/** Returns the columns and the key with which a table was created. */
async function readLayout(connection: WriteConnection, table: string): Promise<string | undefined> {
  const [[layout] = []] = await connection.rows(`SELECT layout FROM ${ROLLUP_STATE} WHERE table_name = :p1`, [table]);
  return layout === undefined ? undefined : String(layout);
}

/** Inserts the rows of the query on the server, so that their values do not change. Returns their number. */
async function insert(connection: WriteConnection, write: RollupWrite, into: string): Promise<number> {
  const { columns, sql, values, from, maxRows } = write;
  const { text, settings } = writeForServer(sql, connection.flavor);
  const names = columns.map(({ name }) => quoteName(name)).join(', ');
  const condition = from === undefined ? '' : ` WHERE ${quoteName(from.column)} >= :p${values.length + 1}`;
  return connection.change(
    `${settings}INSERT INTO ${quoteName(into)} (${names}) SELECT ${names} FROM (${text}\n) AS computed${condition} LIMIT ${maxRows + 1}`,
    from === undefined ? values : [...values, from.value],
  );
}

async function countRows(connection: WriteConnection, table: string): Promise<number> {
  const [[count = 0] = []] = await connection.rows(`SELECT COUNT(*) FROM ${quoteName(table)}`);
  return Number(count);
}

async function recordState(
  connection: WriteConnection,
  { table, state }: RollupWrite,
  rows: number,
): Promise<RollupState> {
  const version = createVersion();
  const { definition, refreshedAt, fullAt, dataAsOf, sources } = state;
  await connection.change(
    `UPDATE ${ROLLUP_STATE} SET version = :p1, definition = :p2, refreshed_at = :p3, full_at = :p4, data_as_of = :p5, sources = :p6,
       row_count = :p7
     WHERE table_name = :p8`,
    [version, definition, refreshedAt, fullAt, dataAsOf, sources, rows, table],
  );
  return { ...state, version, rows };
}

/** Writes the columns and the key of a table with the types of the query, which the server determines for a view. */
async function writeColumns(connection: WriteConnection, write: RollupWrite): Promise<string> {
  const { columns, key, watermark = '' } = write;
  await connection.run(`DROP VIEW IF EXISTS ${TYPES}`);
  await connection.run(`CREATE VIEW ${TYPES} AS ${writeLiterals(connection, write)}`);
  const types = await connection
    .rows(
      `SELECT column_name, column_type, collation_name FROM information_schema.columns
       WHERE table_schema = DATABASE() AND table_name = :p1`,
      [TYPES],
    )
    .finally(() => connection.run(`DROP VIEW ${TYPES}`));
  const typeOf = new Map(types.map(([name, type, collation]) => [String(name), [String(type), collation] as const]));
  const [ofWatermark] = typeOf.get(watermark) ?? [];
  if (ofWatermark !== undefined && !WATERMARK_TYPE.test(ofWatermark)) throw watermarkError(watermark, ofWatermark);
  const lines = columns.map((column) => {
    const { name, isNullable, description: comment } = column;
    const [type = '', collation = null] = typeOf.get(name) ?? [];
    const collate = collation === null ? '' : ` COLLATE ${collation}`;
    const isRequired = !isNullable || key.includes(name);
    return `${quoteName(name)} ${connection.flavor === 'tidb' ? writeTidbType(type, column) : type}${collate} ${isRequired ? 'NOT NULL' : 'NULL'} COMMENT ${connection.literal(comment.slice(0, MAX_COLUMN_COMMENT))}`;
  });
  return [...lines, `PRIMARY KEY (${key.map(quoteName).join(', ')})`].join(', ');
}

/**
 * Replaces types that TiDB states for a view, but that do not accept or keep all values: texts of expressions, and quotients and averages,
 * for which it states the digits of the dividend. Throws a `RollupError` for a number whose digits are unknown.
 */
function writeTidbType(type: string, { name, dataType, scale }: RollupColumn): string {
  const [, length] = /^var_string\((\d+)\)$/.exec(type) ?? [];
  if (length !== undefined)
    return Number(length) > MAX_VARCHAR ? 'LONGTEXT' : `VARCHAR(${Math.max(1, Number(length))})`;
  const isFraction = type.startsWith('decimal') && ['DECIMAL', 'DOUBLE', 'FLOAT'].includes(dataType);
  if (isFraction && dataType === 'DECIMAL' && scale === undefined)
    throw new RollupError(`The column ${name} has no scale, which a stored DECIMAL needs on TiDB: add scale.`);
  return isFraction || type === 'decimal(0,0)' ? 'DECIMAL(65, 30)' : type;
}

const MAX_VARCHAR = 16_383;
const MAX_COLUMN_COMMENT = 1_024;
const MAX_COMMENT = 2_048;

/** Writes the query with literals, because a view cannot have placeholders. */
function writeLiterals(connection: WriteConnection, { sql, values }: RollupWrite): string {
  const { parts, order } = toPositional(writeForServer(sql, connection.flavor).text);
  const literals = order.map((place) => {
    const value = values[place] ?? null;
    return connection.literal(typeof value === 'boolean' ? Number(value) : value);
  });
  return parts.map((part, index) => part + (literals[index] ?? '')).join('');
}

/** The server's errors for rows that the table cannot contain. */
const ROW_ERRORS: Readonly<Record<number, (write: RollupWrite) => string>> = {
  1062: ({ table, key }) => `Two rows of ${table} have the same key (${key.join(', ')}).`,
  1048: ({ table }) => `A row of ${table} has no value in a column that is not nullable.`,
};

function explain(error: unknown, write: RollupWrite): unknown {
  const errno = Number(errnoOf(error));
  const message = ROW_ERRORS[errno]?.(write);
  return message === undefined ? error : new RollupError(message, { cause: error });
}
