import type { DuckDBConnection } from '@duckdb/node-api';
import { appendRow } from '../../engine/databases/duckdb/connection/append-row.js';
import { castDateMarkers, readRows, toDuckdbMarkers } from '../../engine/databases/duckdb/connection/read-rows.js';
import { translateOnce } from '../../engine/databases/duckdb/dialect.js';
import type { BoundValue, Cell } from '../../engine/index.js';
import { addUnsortedRows, countRows } from '../schema/clustering.js';
import { type ComputedTable, columnsOf, type GroupTable, type Merge } from '../schema/derived-table.js';
import { CLUSTERED_TABLES } from '../tables/tables.js';
import { WrittenTables, writtenTable } from '../versions/written-tables.js';
import type { IdAssignment, NewRows, PlainValue, Tables } from './store.js';

/**
 * The tables within a transaction of the writing connection. This connection is also the staging database, so `loadRows` and
 * `writeBack` copy nothing.
 */
export class EmbeddedTables implements Tables {
  readonly staging: DuckDBConnection;
  readonly written = new WrittenTables();
  readonly #connection: DuckDBConnection;
  /** The tables that the caller's SQL on the staging connection has written, including temporary tables. */
  readonly #staged = new Set<string>();
  /** The number of rows that were added after the sorted rows, by table. */
  readonly #added = new Map<string, number>();
  /** The number of rows of each table when `loadRows` was called. */
  readonly #rowsBefore = new Map<string, number>();

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
    this.staging = watchWrites(connection, (table) => this.#staged.add(table.toLowerCase()));
  }

  rows(select: string, values: readonly BoundValue[] = []): Promise<readonly (readonly Cell[])[]> {
    return readRows(this.#connection, castDateMarkers(translateOnce(select), values), values);
  }

  async run(statement: string, values: readonly BoundValue[] = []): Promise<void> {
    const table = writtenTable(statement);
    const [[count] = []] = await readRows(
      this.#connection,
      castDateMarkers(toDuckdbMarkers(statement), values),
      values,
    );
    this.written.add(table, Number(count));
  }

  async insert(
    table: string,
    columns: readonly string[],
    select: string,
    values: readonly BoundValue[] = [],
  ): Promise<void> {
    const rows = castDateMarkers(translateOnce(select), values);
    const [[count] = []] = await readRows(
      this.#connection,
      `INSERT INTO ${table} (${columns.join(', ')}) ${rows}`,
      values,
    );
    this.written.add(table, Number(count));
    this.#countAdded(table, Number(count));
  }

  async insertRows(table: string, rows: readonly (readonly PlainValue[])[]): Promise<void> {
    const appender = await this.#connection.createAppender(table);
    try {
      for (const row of rows) appendRow(appender, row);
      this.written.add(table, rows.length);
    } finally {
      appender.closeSync();
    }
  }

  async append(table: string, select: string): Promise<void> {
    const { rowsChanged } = await this.#connection.run(`INSERT INTO ${table} BY NAME ${select}`);
    this.written.add(table, rowsChanged);
  }

  async merge(table: GroupTable, groups: string): Promise<void> {
    const before = await this.#count(table.name);
    this.written.add(table.name, await this.#mergeGroups(table, groups));
    this.#countAdded(table.name, (await this.#count(table.name)) - before);
  }

  async recompute({ name, columns, key, select }: ComputedTable, keys: string): Promise<void> {
    const among = `${key} IN (${keys})`;
    await this.#rewrite(name, columns, select(among), among);
  }

  async refill(table: string, columns: readonly string[], select: string): Promise<void> {
    const rows = await this.#rewrite(table, columns, select, 'TRUE');
    if ((await countRows(this.#connection, [table])).get(table) === rows) return;
    // A row was stored twice. The comparison of rows does not find this.
    await this.run(`DELETE FROM ${table}`);
    await this.#rewrite(table, columns, select, 'TRUE');
  }

  /**
   * Replaces the rows that match `among` by those of a SELECT. Writes only the rows that change: most rows stay the same, and DuckDB keeps
   * 8 bytes in memory for each row of a block with a deleted row. Returns the number of rows of the SELECT.
   */
  async #rewrite(table: string, columns: readonly string[], select: string, among: string): Promise<number> {
    const list = columns.join(', ');
    const same = columns.map((column) => `s.${column} IS NOT DISTINCT FROM n.${column}`).join(' AND ');
    const stored = `(SELECT rowid AS stored_row, ${list} FROM ${table} WHERE ${among}) s`;
    await this.#connection.run(`
      CREATE OR REPLACE TEMP TABLE new_rows AS SELECT * FROM (${select}) n(${list});
      CREATE OR REPLACE TEMP TABLE old_rows AS SELECT s.stored_row FROM ${stored} ANTI JOIN new_rows n ON ${same}`);
    const deleted = await this.#connection.run(`DELETE FROM ${table} WHERE rowid IN (SELECT stored_row FROM old_rows)`);
    const { rowsChanged } = await this.#connection.run(
      `INSERT INTO ${table} (${list}) SELECT n.* FROM new_rows n ANTI JOIN ${stored} ON ${same}`,
    );
    const rows = (await countRows(this.#connection, ['new_rows'])).get('new_rows') ?? 0;
    await this.#connection.run('DROP TABLE new_rows; DROP TABLE old_rows');
    this.written.add(table, deleted.rowsChanged + rowsChanged);
    this.#countAdded(table, rowsChanged);
    return rows;
  }

  async loadRows(table: string): Promise<void> {
    this.#rowsBefore.set(table, await this.#count(table));
  }

  async loadRowsWhere(): Promise<void> {}

  async copy(table: string, key: string, keys: string, into: string): Promise<void> {
    await this.#connection.run(
      `CREATE OR REPLACE TEMP TABLE ${into} AS SELECT * FROM ${table} WHERE ${key} IN (${keys})`,
    );
  }

  /**
   * Updates each group of columns only in the rows that change, because an update rewrites a column of every block with such a row. The rows
   * are not deleted and inserted again: DuckDB keeps 8 bytes in memory for each row of a block with a deleted row, also after the commit.
   */
  async writeRows({ table, key, rows, stored, groups }: NewRows): Promise<void> {
    for (const columns of groups) {
      const isChanged = columns.map((column) => `s.${column} IS DISTINCT FROM m.${column}`).join(' OR ');
      const changed = `(SELECT m.* FROM ${rows} m JOIN ${stored} s ON s.${key} = m.${key} WHERE ${isChanged})`;
      await this.#update(table, key, columns, changed);
    }
    const isNew = `${key} NOT IN (SELECT ${key} FROM ${stored})`;
    const { rowsChanged } = await this.#connection.run(
      `INSERT INTO ${table} BY NAME SELECT * FROM ${rows} WHERE ${isNew}`,
    );
    this.written.add(table, rowsChanged);
    this.#countAdded(table, rowsChanged);
  }

  setColumn(table: string, key: string, column: string, rows: string): Promise<void> {
    return this.#update(table, key, [column], rows);
  }

  async #update(table: string, key: string, columns: readonly string[], rows: string): Promise<void> {
    const assignments = columns.map((column) => `${column} = m.${column}`).join(', ');
    const { rowsChanged } = await this.#connection.run(
      `UPDATE ${table} SET ${assignments} FROM ${rows} m WHERE m.${key} = ${table}.${key}`,
    );
    this.written.add(table, rowsChanged);
  }

  async remove(table: string, key: string, keys: string): Promise<void> {
    const { rowsChanged } = await this.#connection.run(`DELETE FROM ${table} WHERE ${key} IN (${keys})`);
    this.written.add(table, rowsChanged);
  }

  async assignIds({ column, key, runs }: IdAssignment): Promise<void> {
    const { rowsChanged } = await this.#connection.run(`
      UPDATE github_events SET ${column} = r.target_id
      FROM ${runs} r
      WHERE github_events.${key} = r.id AND github_events.created_at BETWEEN r.first_at AND r.last_at`);
    this.written.add('github_events', rowsChanged);
  }

  async removeGroups({ name, keys }: Pick<GroupTable, 'name' | 'keys'>, groups: string): Promise<void> {
    const sameKey = keys.map((key) => `${name}.${key} = g.${key}`).join(' AND ');
    const { rowsChanged } = await this.#connection.run(`DELETE FROM ${name} USING ${groups} g WHERE ${sameKey}`);
    this.written.add(name, rowsChanged);
  }

  async writeBack(table: string): Promise<void> {
    // The caller has already changed the rows, because the staging connection has the tables themselves.
    this.written.add(table);
    const rows = await this.#count(table);
    this.#countAdded(table, rows - (this.#rowsBefore.get(table) ?? 0));
    this.#rowsBefore.set(table, rows);
  }

  /**
   * Must be called after all changes. Completes the set of written tables, and stores the numbers of added rows, with which `sortTables`
   * decides when to sort a table.
   */
  async end(): Promise<void> {
    const unknown = [...this.#staged].filter((table) => !this.written.names.has(table));
    const names = unknown.map((table) => `'${table}'`).join(', ');
    const sql = `SELECT table_name FROM duckdb_tables() WHERE NOT temporary AND lower(table_name) IN (${names})`;
    const tables = unknown.length === 0 ? [] : await readRows(this.#connection, sql);
    for (const [table] of tables) this.written.add(String(table));
    if (this.#added.size > 0) await addUnsortedRows(this.#connection, this.#added);
  }

  /**
   * Merges groups, and returns the number of written rows. Most events are from days after the last stored day. The groups of these events
   * are inserted without a merge, which is faster, because no stored row has their keys.
   */
  async #mergeGroups(table: GroupTable, groups: string): Promise<number> {
    if (!table.keys.includes('day')) return (await this.#connection.run(mergeSql(table, groups))).rowsChanged;
    const [[day = null] = []] = await readRows(this.#connection, `SELECT MAX(day) FROM ${table.name}`, []);
    const columns = columnsOf(table).join(', ');
    const earlier = `(SELECT * FROM ${groups} WHERE day <= DATE '${day}')`;
    const merged = day === null ? 0 : (await this.#connection.run(mergeSql(table, earlier))).rowsChanged;
    const later = day === null ? '' : `WHERE day > DATE '${day}'`;
    const insert = `INSERT INTO ${table.name} (${columns}) SELECT ${columns} FROM ${groups} ${later}`;
    return merged + (await this.#connection.run(insert)).rowsChanged;
  }

  /** Returns the number of rows of a clustered table; 0 for other tables, whose numbers are not needed. */
  async #count(table: string): Promise<number> {
    if (!CLUSTERED.has(table)) return 0;
    return (await countRows(this.#connection, [table])).get(table) ?? 0;
  }

  #countAdded(table: string, rows: number): void {
    if (rows > 0 && CLUSTERED.has(table)) this.#added.set(table, (this.#added.get(table) ?? 0) + rows);
  }
}

const CLUSTERED: ReadonlySet<string> = new Set(CLUSTERED_TABLES.map(({ name }) => name));

/** Updates only the rows that change, because an update rewrites a column of every block that has one of its rows. */
function mergeSql(table: GroupTable, groups: string): string {
  const columns = columnsOf(table);
  const sameKey = table.keys.map((key) => `t.${key} = d.${key}`).join(' AND ');
  const merged = Object.entries(table.measures).flatMap(([name, merge]) =>
    merge === 'stored' ? [] : [{ name, sql: mergeExpression(merge, name) }],
  );
  const changes = merged.map(({ name, sql }) => `t.${name} IS DISTINCT FROM (${sql})`).join(' OR ');
  const assignments = merged.map(({ name, sql }) => `${name} = ${sql}`).join(', ');
  return `
    MERGE INTO ${table.name} t USING ${groups} d ON ${sameKey}
    ${merged.length === 0 ? '' : `WHEN MATCHED AND (${changes}) THEN UPDATE SET ${assignments}`}
    WHEN NOT MATCHED THEN INSERT (${columns.join(', ')}) VALUES (${columns.map((column) => `d.${column}`).join(', ')})`;
}

/** DuckDB's LEAST and GREATEST ignore NULL, like MIN and MAX. */
function mergeExpression(merge: Exclude<Merge, 'stored'>, column: string): string {
  if (merge === 'sum') return `t.${column} + d.${column}`;
  if (merge === 'bits') return `t.${column} | d.${column}`;
  return `${merge === 'min' ? 'LEAST' : 'GREATEST'}(t.${column}, d.${column})`;
}

/**
 * Matches the tables that statements write. It also matches `set` in `DO UPDATE SET`, which does no harm, because no table has this name.
 */
const WRITES =
  /\b(?:INTO|UPDATE|DELETE\s+FROM|TRUNCATE(?:\s+TABLE)?|(?:ALTER|DROP)\s+TABLE(?:\s+IF\s+EXISTS)?|COPY)\s+"?(\w+)/gi;

/** A method of a connection whose first argument is SQL or the name of a table. */
type Call = (text: unknown, ...rest: unknown[]) => unknown;

/**
 * Wraps a connection. Before a statement runs, `onWrite` is called with the name of each table that it may write, including temporary
 * tables. The function is needed because in a DuckDB file, SQL on the staging connection can change the tables of the warehouse directly.
 */
function watchWrites(connection: DuckDBConnection, onWrite: (table: string) => void): DuckDBConnection {
  const get = (target: DuckDBConnection, key: string | symbol) => {
    const value: unknown = Reflect.get(target, key);
    if (typeof value !== 'function') return value;
    const call = value as Call;
    if (key === 'createAppender') {
      return (table: unknown, ...rest: unknown[]) => {
        onWrite(String(table));
        return call.call(target, table, ...rest);
      };
    }
    return (text: unknown, ...rest: unknown[]) => {
      if (typeof text === 'string') for (const [, name = ''] of text.matchAll(WRITES)) onWrite(name);
      return call.call(target, text, ...rest);
    };
  };
  return new Proxy(connection, { get });
}
