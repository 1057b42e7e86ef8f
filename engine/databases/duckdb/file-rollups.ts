import { closeSync, openSync } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { tryLock } from 'fs-native-extensions';
import { quoteName, quoteText } from '../../sql/duckdb/tree/quote.js';
import type { BoundValue } from '../interface/database.js';
import { Deadline } from '../interface/deadline.js';
import {
  AllRowsNeededError,
  createVersion,
  otherTableError,
  ROLLUP_DATABASE,
  ROLLUP_STATE,
  RollupError,
  type RollupState,
  type RollupStore,
  type RollupWrite,
  rollupVersions,
  tooManyRowsError,
  watermarkError,
} from '../interface/rollups.js';
import { interruptAtDeadline } from '../reader-pool.js';
import { bind } from './connection/binding.js';
import { readRows } from './connection/read-rows.js';
import type { EmbeddedDatabase } from './embedded.js';

export interface FileRollupsOptions {
  readonly database: EmbeddedDatabase;
  /** The folder of the files, which the database may read and write (`EmbeddedOptions.rollupFolder`). */
  readonly folder: string;
  /** The interval in which files of other processes are found. */
  readonly pollMs: number;
  readonly onNotice?: ((message: string) => void) | undefined;
  /** Called after the tables have changed. */
  readonly onChange?: () => void;
}

/** A file with the rows of a table. A refresh creates the next generation; files never change. */
interface Generation {
  readonly file: string;
  readonly number: number;
}

/**
 * Materialized tables of an embedded database: Parquet files, and a view of the newest file of each table. The views are in a separate
 * database in memory, so that the database file can be open for reading only. Several processes can share the folder.
 */
export class FileRollups implements RollupStore {
  readonly #options: FileRollupsOptions;
  readonly #timer: NodeJS.Timeout;
  #files: ReadonlyMap<string, Generation> = new Map();
  #states: ReadonlyMap<string, RollupState> = new Map();
  #last: Promise<unknown> = Promise.resolve();

  static async open(options: FileRollupsOptions): Promise<FileRollups> {
    const rollups = new FileRollups(options);
    await rollups.#follow();
    return rollups;
  }

  private constructor(options: FileRollupsOptions) {
    this.#options = options;
    const follow = () => void this.#follow().catch((error: Error) => this.#notify(error.message));
    this.#timer = setInterval(follow, options.pollMs).unref();
  }

  /** The versions of the tables that queries read now. */
  versions(): ReadonlyMap<string, string> {
    return rollupVersions(this.#states);
  }

  async states(): Promise<ReadonlyMap<string, RollupState>> {
    await this.#follow();
    return this.#states;
  }

  async largest(table: string, column: string): Promise<BoundValue> {
    const { database } = this.#options;
    const sql = `SELECT MAX(${quoteName(column)}) FROM ${viewOf(table)}`;
    const { rows } = await database.query({ sql }, [], { maxRows: 1, timeoutMs: LARGEST_MS });
    return rows[0]?.[0] ?? null;
  }

  async write(write: RollupWrite): Promise<RollupState> {
    const { database, folder } = this.#options;
    const { table, timeoutMs, signal, maxRows } = write;
    const [other] = await this.foreign([table]);
    if (other !== undefined) throw otherTableError(other);
    const version = createVersion();
    const temporary = join(folder, `${version}${TEMPORARY}`);
    const deadline = new Deadline({ timeoutMs, signal });
    try {
      const rows = await database.maintain((connection) =>
        interruptAtDeadline(this.#writeFile(connection, write, { temporary, version }), deadline, () =>
          connection.interrupt(),
        ).catch((error: unknown) => Promise.reject(deadline.reason ?? error)),
      );
      if (rows > maxRows) throw tooManyRowsError(table, maxRows);
      await synchronize(temporary);
      const number = ((await this.#findFiles()).get(table)?.[0]?.number ?? 0) + 1;
      await rename(temporary, join(folder, `${table}.${number}${ENDING}`));
      await synchronize(folder);
    } finally {
      deadline.end();
      await rm(temporary, { force: true });
    }
    await this.#removeOld(table);
    return (await this.states()).get(table) as RollupState;
  }

  async foreign(tables: readonly string[]): Promise<readonly string[]> {
    const names = tables.map(quoteText).join(', ');
    // Not duckdb_columns(), which opens the files of all views.
    const sql = `
      WITH found AS (
        SELECT database_name, table_name FROM duckdb_tables() UNION ALL SELECT database_name, view_name FROM duckdb_views()
      )
      SELECT DISTINCT table_name FROM found
      WHERE database_name = current_database() AND lower(table_name) IN (${names}) ORDER BY table_name`;
    const { rows } = await this.#options.database.query({ sql }, [], { maxRows: MAX_TABLES, timeoutMs: LARGEST_MS });
    return rows.map(([name]) => String(name));
  }

  async exclusively<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    const { folder } = this.#options;
    const lock = openSync(join(folder, 'lock'), 'a', 0o600);
    try {
      if (!tryLock(lock)) return undefined;
      // A process that was killed during a refresh left a file.
      for (const name of await readdir(folder))
        if (name.endsWith(TEMPORARY)) await rm(join(folder, name), { force: true });
      return await work();
    } finally {
      closeSync(lock);
    }
  }

  /** Stops the search for files of other processes. */
  close(): void {
    clearInterval(this.#timer);
  }

  /** Writes the rows to a new file, and returns their number. Throws a `RollupError` for rows that the table cannot contain. */
  async #writeFile(
    connection: DuckDBConnection,
    { table, columns, key, watermark, sql, values, from, maxRows, state }: RollupWrite,
    { temporary, version }: { readonly temporary: string; readonly version: string },
  ): Promise<number> {
    const { database } = this.#options;
    const list = (names: readonly string[]) => names.map(quoteName).join(', ');
    const names = list(columns.map(({ name }) => name));
    const query = database.prepare(sql).sql;
    const types = await readTypes(connection, query, values);
    const written = columns.map(({ name }, index) => writeColumn(name, types[index] ?? ''));
    const ofWatermark = types[columns.findIndex(({ name }) => name === watermark)];
    if (ofWatermark !== undefined && !WATERMARK_TYPE.test(ofWatermark)) throw watermarkError(watermark, ofWatermark);
    const marker = `$${values.length + 1}`;
    const isFrom = from && `${quoteName(from.column)} >= ${marker}`;
    const computed = `SELECT ${written.join(', ')} FROM (${query}) AS computed`;
    if (from !== undefined) {
      const [next, known] = [computed, `SELECT ${names} FROM ${viewOf(table)}`];
      const ofNext = await readTypes(connection, next, values);
      // A union of other types would change the stored values.
      if (String(ofNext) !== String(await readTypes(connection, known, []))) throw new AllRowsNeededError();
    }
    const rows =
      isFrom === undefined
        ? computed
        : `${computed} WHERE ${isFrom} UNION ALL SELECT ${names} FROM ${viewOf(table)} WHERE NOT ${isFrom}`;
    const facts = { ...state, dataAsOf: state.dataAsOf ?? '', version };
    const metadata = Object.entries(facts).map(([name, text]) => `${name}: ${quoteText(text)}`);
    await readRows(
      connection,
      `COPY (SELECT * FROM (${rows}) ORDER BY ${list(key)} LIMIT ${maxRows + 1}) TO ${quoteText(temporary)}
       (FORMAT parquet, COMPRESSION zstd, KV_METADATA {${metadata.join(', ')}})`,
      from === undefined ? values : [...values, from.value],
    );
    const required = columns.filter(({ name, isNullable }) => !isNullable || key.includes(name));
    const missing = required.map(({ name }) => `COUNT(*) FILTER (WHERE ${quoteName(name)} IS NULL)`);
    const [[count = 0, keys = 0, ...nulls] = []] = await readRows(
      connection,
      `SELECT COUNT(*), COUNT(DISTINCT row(${list(key)})), ${missing.join(', ')} FROM ${readFile(temporary)}`,
    );
    const nullable = required.find((_, index) => Number(nulls[index]) > 0);
    if (nullable !== undefined)
      throw new RollupError(`A row of ${table} has no ${nullable.name}, which is not nullable.`);
    if (count !== keys) throw new RollupError(`Two rows of ${table} have the same key (${key.join(', ')}).`);
    return Number(count);
  }

  /** Makes queries read the newest files. Calls run one after the other. */
  #follow(): Promise<void> {
    const run = this.#last.then(() => this.#replaceViews());
    this.#last = run.catch(() => undefined);
    return run;
  }

  async #replaceViews(): Promise<void> {
    const { database, onChange } = this.#options;
    const newest = new Map(
      [...(await this.#findFiles())].flatMap(([table, [first]]) => (first ? [[table, first]] : [])),
    );
    const changed = [...newest].filter(([table, { file }]) => this.#files.get(table)?.file !== file);
    const removed = [...this.#files.keys()].filter((table) => !newest.has(table));
    if (changed.length === 0 && removed.length === 0) return;
    // Not in the transaction, which a damaged file would abort.
    const found = await database.maintain((connection) => this.#readStates(connection, changed));
    const kept = [...this.#states].filter(([table]) => !removed.includes(table) && !found.has(table));
    const read = [...found].flatMap(([table, state]) => (state === undefined ? [] : [[table, state] as const]));
    const states = new Map([...kept, ...read]);
    await database.write(async (connection) => {
      for (const table of [...removed, ...found.keys()]) await connection.run(`DROP VIEW IF EXISTS ${viewOf(table)}`);
      for (const [table] of read)
        await connection.run(
          `CREATE VIEW ${viewOf(table)} AS SELECT * FROM ${readFile(newest.get(table)?.file ?? '')}`,
        );
      await connection.run(`CREATE OR REPLACE VIEW ${viewOf(ROLLUP_STATE)} AS ${writeStates(states)}`);
    });
    this.#files = newest;
    this.#states = states;
    onChange?.();
  }

  /**
   * Reads the states of files. A damaged file, and a file with the name of a table of the database, have no state and no view, so that
   * their tables are computed again.
   */
  async #readStates(connection: DuckDBConnection, files: readonly (readonly [table: string, file: Generation])[]) {
    const states = new Map<string, RollupState | undefined>();
    const names = files.map(([table]) => table);
    const foreign = new Set(names.length === 0 ? [] : (await this.foreign(names)).map((name) => name.toLowerCase()));
    for (const [table, { file }] of files) {
      try {
        if (foreign.has(table)) throw otherTableError(table);
        states.set(table, await readState(connection, file));
      } catch (error) {
        this.#notify(`${file}: ${(error as Error).message}`);
        states.set(table, undefined);
      }
    }
    return states;
  }

  /** Returns the files of each table, the newest first. */
  async #findFiles(): Promise<ReadonlyMap<string, readonly Generation[]>> {
    const { folder } = this.#options;
    const files = new Map<string, Generation[]>();
    for (const name of await readdir(folder)) {
      const [, table, number] = FILE.exec(name) ?? [];
      if (table === undefined) continue;
      files.set(table, [...(files.get(table) ?? []), { file: join(folder, name), number: Number(number) }]);
    }
    for (const generations of files.values()) generations.sort((one, other) => other.number - one.number);
    return files;
  }

  /** Removes old files, except the previous one, which other processes may read until they find the new one. */
  async #removeOld(table: string): Promise<void> {
    for (const { file } of (await this.#findFiles()).get(table)?.slice(2) ?? []) await rm(file, { force: true });
  }

  #notify(message: string): void {
    this.#options.onNotice?.(`The materialized tables cannot be read: ${message}`);
  }
}

const LARGEST_MS = 60_000;
const MAX_TABLES = 10_000;
const ENDING = '.parquet';
const TEMPORARY = '.temporary';
const FILE = /^([a-z0-9_]+)\.([1-9]\d{0,14})\.parquet$/;
const WATERMARK_TYPE =
  /^(DATE|TIMESTAMP|TIMESTAMP_M?S|TIMESTAMP WITH TIME ZONE|U?(TINY|SMALL|BIG|)INT|U?INTEGER|U?HUGEINT)$/;
/** The types that a file does not have, and those with which it stores their values. Without the cast, HUGEINT would become DOUBLE. */
const STORED_TYPES: readonly (readonly [type: RegExp, storedAs: string])[] = [
  [/^U?HUGEINT$/, 'DECIMAL(38, 0)'],
  [/^(BIT|ENUM\(.*\))$/s, 'VARCHAR'],
  [/^TIMESTAMP_M?S$/, 'TIMESTAMP'],
];
/** The types, also of nested values, that Parquet stores without loss. */
const EXACT_TYPES: ReadonlySet<string> = new Set(
  (
    'BOOLEAN TINYINT SMALLINT INTEGER BIGINT UTINYINT USMALLINT UINTEGER UBIGINT FLOAT DOUBLE DECIMAL VARCHAR JSON BLOB BIT UUID ENUM DATE ' +
    'TIME TIMESTAMP TIMESTAMP_S TIMESTAMP_MS TIMESTAMP_NS TIMESTAMPTZ STRUCT MAP SQLNULL'
  ).split(' '),
);

function viewOf(table: string): string {
  return `${ROLLUP_DATABASE}.main.${quoteName(table)}`;
}

/** Returns the types of the columns of a query. */
async function readTypes(connection: DuckDBConnection, sql: string, values: readonly BoundValue[]): Promise<string[]> {
  const statement = await connection.prepare(`SELECT * FROM (${sql}) AS computed LIMIT 0`);
  try {
    bind(statement, values);
    return (await statement.run()).columnTypes().map(String);
  } finally {
    statement.destroySync();
  }
}

/** Writes a column with a type that a file has. Throws a `RollupError` for a type whose values a file changes. */
function writeColumn(name: string, type: string): string {
  const column = quoteName(name);
  const [, storedType] = STORED_TYPES.find(([pattern]) => pattern.test(type)) ?? [];
  if (storedType !== undefined) return `CAST(${column} AS ${storedType}) AS ${column}`;
  const words = type
    .replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, '')
    .replace(/\bTIMESTAMP WITH TIME ZONE\b/g, 'TIMESTAMPTZ')
    .match(/[A-Z]\w*/g);
  if (words?.every((word) => EXACT_TYPES.has(word)) ?? true) return column;
  throw new RollupError(`The column ${name} has the type ${type}, whose values a file changes: use CAST(… AS CHAR).`);
}

/** Without `hive_partitioning = false`, a folder such as `shop=a` would replace the values of the column `shop`. */
function readFile(file: string): string {
  return `read_parquet(${quoteText(file)}, hive_partitioning = false)`;
}

/** Throws an Error for a file that is damaged, or that a refresh did not write. */
async function readState(connection: DuckDBConnection, file: string): Promise<RollupState> {
  const path = quoteText(file);
  const entries = await readRows(connection, `SELECT decode(key), decode(value) FROM parquet_kv_metadata(${path})`);
  const all = Object.fromEntries(entries) as Partial<Record<keyof RollupState, string>>;
  const { version, definition, refreshedAt, fullAt, dataAsOf, sources } = all;
  if (version === undefined || definition === undefined || refreshedAt === undefined || fullAt === undefined)
    throw new Error('The file has no state of a materialized table.');
  const [[rows = 0] = []] = await readRows(connection, `SELECT COUNT(*) FROM ${readFile(file)}`);
  return {
    version,
    definition,
    refreshedAt,
    fullAt,
    dataAsOf: dataAsOf || null,
    sources: sources ?? '',
    rows: Number(rows),
  };
}

/** Writes the SELECT of the view with the states of all tables. */
function writeStates(states: ReadonlyMap<string, RollupState>): string {
  const time = (text: string | null) => `TRY_CAST(${text === null ? 'NULL' : quoteText(text)} AS TIMESTAMP)`;
  const rows = [...states].map(([table, { definition, refreshedAt, dataAsOf, rows: count, version }]) => {
    const texts = [table, version, definition].map(quoteText).join(', ');
    return `(${texts}, ${time(refreshedAt)}, ${time(dataAsOf)}, CAST(${count} AS BIGINT))`;
  });
  const none = `('', '', '', ${time(null)}, ${time(null)}, CAST(0 AS BIGINT))`;
  return `
    SELECT * FROM (VALUES ${[none, ...rows].join(', ')}) AS states(table_name, version, definition, refreshed_at, data_as_of, row_count)
    WHERE table_name <> ''`;
}

async function synchronize(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
