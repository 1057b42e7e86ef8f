import type { DuckDBConnection } from '@duckdb/node-api';
import { appendRow } from '../../databases/duckdb/connection/append-row.js';
import { readRows } from '../../databases/duckdb/connection/read-rows.js';
import { told } from '../../databases/duckdb/connection/typed-markers.js';
import type { BoundValue, Cell } from '../../engine/index.js';
import { translate } from '../../sql/duckdb/translate.js';
import { countRows, noteAdded } from '../schema/clustering.js';
import type { ComputedTable, Merge, MergedTable } from '../tables/derived-table.js';
import { CLUSTERED_TABLES } from '../tables/tables.js';
import type { PlainValue, Tables } from './store.js';

/** The tables within a transaction of the connection, which is the workbench as well: there is nothing to bring or to put. */
export class EmbeddedTables implements Tables {
  readonly bench: DuckDBConnection;
  /** Rows that came to tables behind those in order, by the table's name. */
  readonly #added = new Map<string, number>();
  readonly #broughtRows = new Map<string, number>();

  constructor(bench: DuckDBConnection) {
    this.bench = bench;
  }

  rows(select: string, values: readonly BoundValue[] = []): Promise<readonly (readonly Cell[])[]> {
    return readRows(this.bench, told(translate(select), values), values);
  }

  async run(statement: string, values: readonly BoundValue[] = []): Promise<void> {
    const marked = statement.replace(/:p(\d+)/g, '$$$1');
    await readRows(this.bench, told(marked, values), values);
  }

  async insert(
    table: string,
    columns: readonly string[],
    select: string,
    values: readonly BoundValue[] = [],
  ): Promise<void> {
    const rows = told(translate(select), values);
    const [[count] = []] = await readRows(this.bench, `INSERT INTO ${table} (${columns.join(', ')}) ${rows}`, values);
    this.#note(table, Number(count));
  }

  async insertRows(table: string, rows: readonly (readonly PlainValue[])[]): Promise<void> {
    const appender = await this.bench.createAppender(table);
    try {
      for (const row of rows) appendRow(appender, row);
    } finally {
      appender.closeSync();
    }
  }

  async append(table: string, select: string): Promise<void> {
    await this.bench.run(`INSERT INTO ${table} BY NAME ${select}`);
  }

  async merge(table: MergedTable, groups: string): Promise<void> {
    const before = await this.#count(table.name);
    await this.#mergeGroups(table, groups);
    this.#note(table.name, (await this.#count(table.name)) - before);
  }

  async recompute(table: ComputedTable, keys: string): Promise<void> {
    const among = `${table.key} IN (${keys})`;
    await this.bench.run(`DELETE FROM ${table.name} WHERE ${among}`);
    const columns = table.columns.join(', ');
    const { rowsChanged } = await this.bench.run(`INSERT INTO ${table.name} (${columns}) ${table.select(among)}`);
    this.#note(table.name, rowsChanged);
  }

  async bring(table: string): Promise<void> {
    this.#broughtRows.set(table, await this.#count(table));
  }

  async bringWhere(): Promise<void> {}

  async copy(table: string, key: string, keys: string, into: string): Promise<void> {
    await this.bench.run(`CREATE OR REPLACE TEMP TABLE ${into} AS SELECT * FROM ${table} WHERE ${key} IN (${keys})`);
  }

  async remove(table: string, key: string, keys: string): Promise<void> {
    await this.bench.run(`DELETE FROM ${table} WHERE ${key} IN (${keys})`);
  }

  async put(table: string): Promise<void> {
    const rows = await this.#count(table);
    this.#note(table, rows - (this.#broughtRows.get(table) ?? 0));
    this.#broughtRows.set(table, rows);
  }

  /** Writes down what came to which table, so that `sortTables` knows when to put it in order. */
  async noteAdded(): Promise<void> {
    if (this.#added.size > 0) await noteAdded(this.bench, this.#added);
  }

  /** Groups of days after all those of the table meet none of its rows, and most events of an import are of such days. */
  async #mergeGroups(table: MergedTable, groups: string): Promise<void> {
    if (!table.keys.includes('day')) return void (await this.bench.run(mergeSql(table, groups)));
    const [[day = null] = []] = await readRows(this.bench, `SELECT MAX(day) FROM ${table.name}`, []);
    const columns = [...table.keys, ...Object.keys(table.measures)].join(', ');
    if (day !== null) await this.bench.run(mergeSql(table, `(SELECT * FROM ${groups} WHERE day <= DATE '${day}')`));
    const later = day === null ? '' : `WHERE day > DATE '${day}'`;
    await this.bench.run(`INSERT INTO ${table.name} (${columns}) SELECT ${columns} FROM ${groups} ${later}`);
  }

  async #count(table: string): Promise<number> {
    return (await countRows(this.bench, [table])).get(table) ?? 0;
  }

  #note(table: string, rows: number): void {
    if (rows > 0 && CLUSTERED.has(table)) this.#added.set(table, (this.#added.get(table) ?? 0) + rows);
  }
}

const CLUSTERED: ReadonlySet<string> = new Set(CLUSTERED_TABLES.map(({ name }) => name));

function mergeSql(table: MergedTable, groups: string): string {
  const columns = [...table.keys, ...Object.keys(table.measures)];
  const sameKey = table.keys.map((key) => `t.${key} = d.${key}`).join(' AND ');
  const changes = Object.entries(table.measures).map(([name, merge]) => `${name} = ${merged(merge, name)}`);
  return `
    MERGE INTO ${table.name} t USING ${groups} d ON ${sameKey}
    ${changes.length === 0 ? '' : `WHEN MATCHED THEN UPDATE SET ${changes.join(', ')}`}
    WHEN NOT MATCHED THEN INSERT (${columns.join(', ')}) VALUES (${columns.map((column) => `d.${column}`).join(', ')})`;
}

/** DuckDB's LEAST and GREATEST leave NULL out, as MIN and MAX do. */
function merged(merge: Merge, column: string): string {
  if (merge === 'sum') return `t.${column} + d.${column}`;
  if (merge === 'bits') return `t.${column} | d.${column}`;
  return `${merge === 'min' ? 'LEAST' : 'GREATEST'}(t.${column}, d.${column})`;
}
