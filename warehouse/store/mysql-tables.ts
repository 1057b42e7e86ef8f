import type { DuckDBConnection } from '@duckdb/node-api';
import { bringRows } from '../../databases/mysql/read-into-duckdb.js';
import type { WriteConnection } from '../../databases/mysql/write-connection.js';
import type { RowsOut } from '../../databases/mysql/write-from-duckdb.js';
import type { BoundValue, Cell } from '../../engine/index.js';
import type { ComputedTable, Merge, MergedTable } from '../tables/derived-table.js';
import type { PlainValue, Tables } from './store.js';

/** What a transaction on a server works with. */
export interface MysqlParts {
  readonly connection: WriteConnection;
  readonly bench: DuckDBConnection;
  readonly out: RowsOut;
}

/** The tables within a transaction of a server. The workbench has, of each table, the rows that were brought. */
export class MysqlTables implements Tables {
  readonly bench: DuckDBConnection;
  readonly #connection: WriteConnection;
  readonly #out: RowsOut;
  /** The key by which each table was brought; undefined where it was brought by a condition. */
  readonly #brought = new Map<string, string | undefined>();

  constructor({ connection, bench, out }: MysqlParts) {
    this.bench = bench;
    this.#connection = connection;
    this.#out = out;
  }

  /** Tables of which the workbench has rows. */
  get brought(): Iterable<string> {
    return this.#brought.keys();
  }

  rows(select: string, values: readonly BoundValue[] = []): Promise<readonly (readonly Cell[])[]> {
    return this.#connection.rows(select, values);
  }

  async run(statement: string, values: readonly BoundValue[] = []): Promise<void> {
    await this.#connection.rows(statement, values);
  }

  async insert(
    table: string,
    columns: readonly string[],
    select: string,
    values: readonly BoundValue[] = [],
  ): Promise<void> {
    await this.#connection.rows(`INSERT INTO ${table} (${columns.join(', ')}) ${select}`, values);
  }

  async insertRows(table: string, rows: readonly (readonly PlainValue[])[]): Promise<void> {
    // A table that somebody else made may have its columns in another order.
    const columns = (await this.#columns(table)).join(', ');
    for (const some of slices(rows, ROWS_A_STATEMENT)) {
      const values = some.map((row) => `(${row.map((value) => this.#connection.literal(value)).join(', ')})`);
      await this.#connection.run(`INSERT INTO ${table} (${columns}) VALUES ${values.join(', ')}`);
    }
  }

  async append(table: string, select: string): Promise<void> {
    const columns = await this.#columns(`(${select})`);
    await this.#out(select, { table, columns, conflict: 'never' });
  }

  async merge({ name, keys, measures }: MergedTable, groups: string): Promise<void> {
    const columns = [...keys, ...Object.keys(measures)];
    const changes = Object.entries(measures).map(
      ([column, merge]) => `${name}.${column} = ${merged(merge, name, column)}`,
    );
    // A table of keys alone has nothing to change; this says so without hiding errors, as IGNORE would.
    const update = changes.length > 0 ? changes.join(', ') : `${name}.${keys[0]} = ${name}.${keys[0]}`;
    const select = `SELECT ${columns.join(', ')} FROM ${groups} ORDER BY ${keys.join(', ')}`;
    await this.#out(select, { table: name, columns, conflict: { update } });
  }

  async recompute({ name, columns, key, select }: ComputedTable, keys: string): Promise<void> {
    for (const ids of slices(await this.#keys(keys), KEYS_A_STATEMENT)) {
      const among = this.#isOneOf(key, ids);
      await this.#connection.run(`DELETE FROM ${name} WHERE ${among}`);
      await this.#connection.run(`INSERT INTO ${name} (${columns.join(', ')}) ${select(among)}`);
    }
  }

  async bring(table: string, key: string, keys: string): Promise<void> {
    this.#expect(table, key);
    const columns = (await this.#columns(table)).join(', ');
    for (const some of slices(await this.#keys(keys), KEYS_A_STATEMENT)) {
      const select = `SELECT ${columns} FROM ${table} WHERE ${this.#isOneOf(key, some)}`;
      await bringRows(this.#connection, select, this.bench, table);
    }
  }

  async bringWhere(table: string, condition: string): Promise<void> {
    this.#expect(table, undefined);
    const columns = (await this.#columns(table)).join(', ');
    await bringRows(this.#connection, `SELECT ${columns} FROM ${table} WHERE ${condition}`, this.bench, table);
  }

  async copy(table: string, key: string, keys: string, into: string): Promise<void> {
    await this.bench.run(`CREATE OR REPLACE TEMP TABLE ${into} AS SELECT * FROM ${table} LIMIT 0`);
    const columns = (await this.#columns(table)).join(', ');
    for (const some of slices(await this.#keys(keys), KEYS_A_STATEMENT)) {
      await bringRows(
        this.#connection,
        `SELECT ${columns} FROM ${table} WHERE ${this.#isOneOf(key, some)}`,
        this.bench,
        into,
      );
    }
  }

  async remove(table: string, key: string, keys: string): Promise<void> {
    for (const some of slices(await this.#keys(keys), KEYS_A_STATEMENT)) {
      await this.#connection.run(`DELETE FROM ${table} WHERE ${this.#isOneOf(key, some)}`);
    }
  }

  async put(table: string): Promise<void> {
    const columns = await this.#columns(table);
    const key = this.#brought.get(table);
    if (key === undefined) throw new Error(`The table ${table} was not brought by a key.`);
    const select = `SELECT ${columns.join(', ')} FROM ${table} ORDER BY ${key}`;
    await this.#out(select, { table, columns, conflict: 'replace' });
  }

  /** Rows that came twice would be put twice. */
  #expect(table: string, key: string | undefined): void {
    if (this.#brought.has(table)) throw new Error(`The table ${table} was brought already in this transaction.`);
    this.#brought.set(table, key);
  }

  async #columns(source: string): Promise<string[]> {
    const reader = await this.bench.runAndReadAll(`SELECT column_name FROM (DESCRIBE FROM ${source})`);
    return reader.getRowsJS().flat().map(String);
  }

  async #keys(select: string): Promise<(bigint | string)[]> {
    const reader = await this.bench.runAndReadAll(`SELECT DISTINCT * FROM (${select}) keys(id) ORDER BY id`);
    return reader.getRowsJS().map(([id]) => id as bigint | string);
  }

  #isOneOf(key: string, values: readonly (bigint | string)[]): string {
    return `${key} IN (${values.map((value) => this.#connection.literal(value)).join(', ')})`;
  }
}

/** The values of IN: MariaDB makes a table of a longer list, and MySQL reads the whole table for one of many thousands. */
const KEYS_A_STATEMENT = 500;
const ROWS_A_STATEMENT = 1000;

function* slices<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}

/** In MySQL LEAST and GREATEST of NULL are NULL; a group without a value shall change nothing. */
function merged(merge: Merge, table: string, column: string): string {
  const [old, added] = [`${table}.${column}`, `VALUES(${column})`];
  if (merge === 'sum') return `${old} + ${added}`;
  if (merge === 'bits') return `${old} | ${added}`;
  return `COALESCE(${merge === 'min' ? 'LEAST' : 'GREATEST'}(${old}, ${added}), ${old}, ${added})`;
}
