import type { DuckDBConnection } from '@duckdb/node-api';
import { copyRowsToDuckdb } from '../../engine/databases/mysql/read-into-duckdb.js';
import type { WriteConnection } from '../../engine/databases/mysql/write-connection.js';
import type { WriteRows } from '../../engine/databases/mysql/write-from-duckdb.js';
import type { BoundValue, Cell } from '../../engine/index.js';
import { type ComputedTable, columnsOf, type GroupTable, type Merge } from '../schema/derived-table.js';
import { WrittenTables, writtenTable } from '../versions/written-tables.js';
import type { IdAssignment, NewRows, PlainValue, Tables } from './store.js';

/** The connections of a transaction on a server. */
export interface MysqlParts {
  readonly connection: WriteConnection;
  readonly staging: DuckDBConnection;
  readonly writeRows: WriteRows;
}

/** The tables within a transaction on a server. The staging database contains only the rows that were loaded. */
export class MysqlTables implements Tables {
  readonly staging: DuckDBConnection;
  readonly written = new WrittenTables();
  readonly #connection: WriteConnection;
  readonly #writeRows: WriteRows;
  /** The key by which rows of each table were loaded, by table name. Undefined if they were loaded by a condition. */
  readonly #loaded = new Map<string, string | undefined>();

  constructor({ connection, staging, writeRows }: MysqlParts) {
    this.staging = staging;
    this.#connection = connection;
    this.#writeRows = writeRows;
  }

  /** The tables that have rows in the staging database. */
  get loaded(): Iterable<string> {
    return this.#loaded.keys();
  }

  rows(select: string, values: readonly BoundValue[] = []): Promise<readonly (readonly Cell[])[]> {
    return this.#connection.rows(select, values);
  }

  async run(statement: string, values: readonly BoundValue[] = []): Promise<void> {
    const table = writtenTable(statement);
    this.written.add(table, await this.#connection.change(statement, values));
  }

  async insert(
    table: string,
    columns: readonly string[],
    select: string,
    values: readonly BoundValue[] = [],
  ): Promise<void> {
    const insert = `INSERT INTO ${table} (${columns.join(', ')}) ${select}`;
    this.written.add(table, await this.#connection.change(insert, values));
  }

  async insertRows(table: string, rows: readonly (readonly PlainValue[])[]): Promise<void> {
    this.written.add(table, rows.length);
    // If another program created the table, its columns may be in another order.
    const columns = (await this.#columns(table)).join(', ');
    for (const some of slices(rows, ROWS_PER_STATEMENT)) {
      const values = some.map((row) => `(${row.map((value) => this.#connection.literal(value)).join(', ')})`);
      await this.#connection.run(`INSERT INTO ${table} (${columns}) VALUES ${values.join(', ')}`);
    }
  }

  async append(table: string, select: string): Promise<void> {
    this.written.add(table);
    const columns = await this.#columns(`(${select})`);
    await this.#writeRows(select, { table, columns, conflict: 'never' });
  }

  async merge(table: GroupTable, groups: string): Promise<void> {
    const { name, keys, measures } = table;
    this.written.add(name);
    const columns = columnsOf(table);
    const changes = Object.entries(measures).flatMap(([column, merge]) =>
      merge === 'stored' ? [] : [`${name}.${column} = ${mergeExpression(merge, name, column)}`],
    );
    // If the measures never change, an assignment without effect replaces the update. IGNORE is not used, because it hides errors.
    const update = changes.length > 0 ? changes.join(', ') : `${name}.${keys[0]} = ${name}.${keys[0]}`;
    const select = `SELECT ${columns.join(', ')} FROM ${groups} ORDER BY ${keys.join(', ')}`;
    await this.#writeRows(select, { table: name, columns, conflict: { update } });
  }

  async recompute({ name, columns, key, select }: ComputedTable, keys: string): Promise<void> {
    for (const ids of slices(await this.#keys(keys), KEYS_PER_STATEMENT)) {
      this.written.add(name);
      const among = this.#isOneOf(key, ids);
      await this.#connection.run(`DELETE FROM ${name} WHERE ${among}`);
      await this.#connection.run(`INSERT INTO ${name} (${columns.join(', ')}) ${select(among)}`);
    }
  }

  async refill(table: string, columns: readonly string[], select: string): Promise<void> {
    await this.run(`DELETE FROM ${table}`);
    await this.insert(table, columns, select);
  }

  async loadRows(table: string, key: string, keys: string): Promise<void> {
    this.#setLoaded(table, key);
    const columns = (await this.#columns(table)).join(', ');
    for (const some of slices(await this.#keys(keys), KEYS_PER_STATEMENT)) {
      const select = `SELECT ${columns} FROM ${table} WHERE ${this.#isOneOf(key, some)}`;
      await copyRowsToDuckdb(this.#connection, select, this.staging, table);
    }
  }

  async loadRowsWhere(table: string, conditions: readonly string[]): Promise<void> {
    this.#setLoaded(table, undefined);
    const columns = (await this.#columns(table)).join(', ');
    for (const condition of conditions) {
      const select = `SELECT ${columns} FROM ${table} WHERE ${condition}`;
      await copyRowsToDuckdb(this.#connection, select, this.staging, table);
    }
  }

  async copy(table: string, key: string, keys: string, into: string): Promise<void> {
    await this.staging.run(`CREATE OR REPLACE TEMP TABLE ${into} AS SELECT * FROM ${table} LIMIT 0`);
    const columns = (await this.#columns(table)).join(', ');
    for (const some of slices(await this.#keys(keys), KEYS_PER_STATEMENT)) {
      await copyRowsToDuckdb(
        this.#connection,
        `SELECT ${columns} FROM ${table} WHERE ${this.#isOneOf(key, some)}`,
        this.staging,
        into,
      );
    }
  }

  async writeRows({ table, key, rows }: NewRows): Promise<void> {
    await this.#replace(table, key, rows);
  }

  async setColumn(table: string, key: string, column: string, rows: string): Promise<void> {
    const reader = await this.staging.runAndReadAll(`SELECT ${key}, ${column} FROM ${rows} ORDER BY ${key}`);
    for (const some of slices(reader.getRowsJS() as (bigint | string)[][], KEYS_PER_STATEMENT)) {
      const literals = some.map((row) => row.map((value) => this.#connection.literal(value)));
      const cases = literals.map(([id, value]) => `WHEN ${id} THEN ${value}`).join(' ');
      const ids = literals.map(([id]) => id).join(', ');
      await this.run(`UPDATE ${table} SET ${column} = CASE ${key} ${cases} END WHERE ${key} IN (${ids})`);
    }
  }

  async remove(table: string, key: string, keys: string): Promise<void> {
    for (const some of slices(await this.#keys(keys), KEYS_PER_STATEMENT)) {
      this.written.add(table);
      await this.#connection.run(`DELETE FROM ${table} WHERE ${this.#isOneOf(key, some)}`);
    }
  }

  async assignIds({ column, key, runs }: IdAssignment): Promise<void> {
    const reader = await this.staging.runAndReadAll(
      `SELECT id::VARCHAR, target_id::VARCHAR, first_at::VARCHAR, last_at::VARCHAR FROM ${runs} ORDER BY ALL`,
    );
    for (const some of slices(reader.getRowsJS() as string[][], RUNS_PER_STATEMENT)) {
      const cases = some.map(
        ([id, target, first, last]) =>
          `WHEN ${key} = ${id} AND created_at BETWEEN '${first}' AND '${last}' THEN ${target}`,
      );
      const ids = [...new Set(some.map(([id]) => id))].join(', ');
      await this.run(
        `UPDATE github_events SET ${column} = CASE ${cases.join(' ')} ELSE ${column} END WHERE ${key} IN (${ids})`,
      );
    }
  }

  async removeGroups({ name, keys }: Pick<GroupTable, 'name' | 'keys'>, groups: string): Promise<void> {
    const columns = keys.map((key) => (TIME_KEYS.includes(key) ? `${key}::VARCHAR` : key)).join(', ');
    const reader = await this.staging.runAndReadAll(`SELECT ${columns} FROM ${groups} ORDER BY ALL`);
    for (const some of slices(reader.getRowsJS() as (bigint | string)[][], KEYS_PER_STATEMENT)) {
      this.written.add(name);
      const values = some.map((row) => `(${row.map((value) => this.#connection.literal(value)).join(', ')})`);
      await this.#connection.run(`DELETE FROM ${name} WHERE (${keys.join(', ')}) IN (${values.join(', ')})`);
    }
  }

  async writeBack(table: string): Promise<void> {
    const key = this.#loaded.get(table);
    if (key === undefined) throw new Error(`The rows of ${table} were not loaded by a key.`);
    await this.#replace(table, key, table);
  }

  /** Writes all rows of a table in the staging database over the stored rows with the same keys. */
  async #replace(table: string, key: string, rows: string): Promise<void> {
    this.written.add(table);
    const columns = await this.#columns(rows);
    const select = `SELECT ${columns.join(', ')} FROM ${rows} ORDER BY ${key}`;
    await this.#writeRows(select, { table, columns, conflict: 'replace' });
  }

  /**
   * Records how rows of the table were loaded. Throws if rows of the table were already loaded, because a second load could duplicate rows.
   */
  #setLoaded(table: string, key: string | undefined): void {
    if (this.#loaded.has(table)) throw new Error(`Rows of ${table} were already loaded in this transaction.`);
    this.#loaded.set(table, key);
  }

  async #columns(source: string): Promise<string[]> {
    const reader = await this.staging.runAndReadAll(`SELECT column_name FROM (DESCRIBE FROM ${source})`);
    return reader.getRowsJS().flat().map(String);
  }

  async #keys(select: string): Promise<(bigint | string)[]> {
    const reader = await this.staging.runAndReadAll(`SELECT DISTINCT * FROM (${select}) keys(id) ORDER BY id`);
    return reader.getRowsJS().map(([id]) => id as bigint | string);
  }

  #isOneOf(key: string, values: readonly (bigint | string)[]): string {
    return `${key} IN (${values.map((value) => this.#connection.literal(value)).join(', ')})`;
  }
}

/** The maximum number of values of an IN list. For longer lists, MariaDB creates a temporary table, and MySQL may scan the whole table. */
const KEYS_PER_STATEMENT = 500;
const ROWS_PER_STATEMENT = 1000;
/** The key columns with dates or times, which DuckDB returns as objects. */
const TIME_KEYS: readonly string[] = ['day', 'created_at'];
const RUNS_PER_STATEMENT = 200;

function* slices<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}

/** In MySQL, LEAST and GREATEST return NULL if one argument is NULL. Here, a group without a value must keep the stored value. */
function mergeExpression(merge: Exclude<Merge, 'stored'>, table: string, column: string): string {
  const [old, added] = [`${table}.${column}`, `VALUES(${column})`];
  if (merge === 'sum') return `${old} + ${added}`;
  if (merge === 'bits') return `${old} | ${added}`;
  return `COALESCE(${merge === 'min' ? 'LEAST' : 'GREATEST'}(${old}, ${added}), ${old}, ${added})`;
}
