import type { DuckDBConnection } from '@duckdb/node-api';
import type { EmbeddedDatabase } from '../../engine/databases/duckdb/embedded.js';

/**
 * The number of rows in one block of DuckDB. DuckDB skips a block if its minimum and maximum values do not match a
 * condition.
 */
const BLOCK_ROWS = 122_880;
/** A table is sorted again if a larger share of its rows is unsorted (0 to 1). */
const MAX_UNSORTED_SHARE = 0.2;

/** A table that queries read by the first columns of its key. Reads are only fast if most of its rows are sorted by this key. */
export interface ClusteredTable {
  readonly name: string;
  readonly order: readonly string[];
}

/** Returns the number of rows of each table, by name. */
export async function countRows(
  connection: DuckDBConnection,
  tables: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = tables.map((table) => `(SELECT COUNT(*) FROM ${table})`).join(', ');
  const reader = await connection.runAndReadAll(`SELECT ${counts}`);
  const row = reader.getRowsJS()[0] ?? [];
  return new Map(tables.map((table, index) => [table, Number(row[index])]));
}

/** Adds the numbers of new unsorted rows, by table, to the stored numbers. */
export async function addUnsortedRows(connection: DuckDBConnection, added: ReadonlyMap<string, number>): Promise<void> {
  const rows = [...added].map(([table, count]) => `('${table}', ${count})`).join(', ');
  await connection.run(
    `INSERT INTO table_order VALUES ${rows}
     ON CONFLICT (name) DO UPDATE SET added = table_order.added + excluded.added`,
  );
}

/**
 * Sorts the tables in which more than a fifth of the rows are unsorted, and returns their names. Each table is sorted in a separate
 * transaction. Until its end, readers see the old rows.
 */
export async function sortTables(database: EmbeddedDatabase, tables: readonly ClusteredTable[]): Promise<string[]> {
  const unsorted = await database.write(readUnsorted);
  const sorted: string[] = [];
  for (const { name, order } of tables.filter((table) => unsorted.has(table.name))) {
    const wasSorted = await database.write(async (connection) => {
      const reader = await connection.runAndReadAll(
        `SELECT COUNT(*), COALESCE(MAX(rowid), -1), COALESCE((SELECT added FROM table_order WHERE name = '${name}'), 0)
         FROM ${name}`,
      );
      const [rows, lastRow, added] = (reader.getRowsJS()[0] ?? []).map(Number) as [number, number, number];
      if (rows <= BLOCK_ROWS || added <= MAX_UNSORTED_SHARE * rows) return false;
      await connection.run(`INSERT INTO ${name} SELECT * FROM ${name} ORDER BY ${order.join(', ')}`);
      await connection.run(`DELETE FROM ${name} WHERE rowid <= ${lastRow}`);
      await connection.run(`DELETE FROM table_order WHERE name = '${name}'`);
      return true;
    });
    if (wasSorted) sorted.push(name);
  }
  return sorted;
}

/** Returns the tables with so many unsorted rows that a table of more than one block must perhaps be sorted. After most imports, none. */
async function readUnsorted(connection: DuckDBConnection): Promise<ReadonlySet<string>> {
  const reader = await connection.runAndReadAll(
    `SELECT name FROM table_order WHERE added > ${MAX_UNSORTED_SHARE * BLOCK_ROWS}`,
  );
  return new Set(reader.getRowsJS().map(([name]) => String(name)));
}
