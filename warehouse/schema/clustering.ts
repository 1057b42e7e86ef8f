import type { DuckDBConnection } from '@duckdb/node-api';
import type { EmbeddedDatabase } from '../../databases/duckdb/embedded.js';

/** Rows after which DuckDB can tell from a block's smallest and largest value that it need not read it. */
const BLOCK_ROWS = 122_880;
/** Share of a table's rows, from 0 to 1, that may stand behind the sorted ones. */
const UNSORTED_SHARE = 0.2;

/** A table that is read by a part of its key, and so wants to be in the order of that key. */
export interface ClusteredTable {
  readonly name: string;
  readonly order: readonly string[];
}

/** The numbers of rows of tables, by name. */
export async function countRows(
  connection: DuckDBConnection,
  tables: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = tables.map((table) => `(SELECT COUNT(*) FROM ${table})`).join(', ');
  const reader = await connection.runAndReadAll(`SELECT ${counts}`);
  const row = reader.getRowsJS()[0] ?? [];
  return new Map(tables.map((table, index) => [table, Number(row[index])]));
}

/** Notes how many rows came to tables, by name, behind those in order. */
export async function noteAdded(connection: DuckDBConnection, added: ReadonlyMap<string, number>): Promise<void> {
  const rows = [...added].map(([table, count]) => `('${table}', ${count})`).join(', ');
  await connection.run(
    `INSERT INTO table_order VALUES ${rows}
     ON CONFLICT (name) DO UPDATE SET added = table_order.added + excluded.added`,
  );
}

/**
 * Puts tables back in order in which more than a fifth of the rows were added since the last time. Each table is one
 * transaction; readers see the old rows until it ends.
 */
export async function sortTables(database: EmbeddedDatabase, tables: readonly ClusteredTable[]): Promise<string[]> {
  const sorted: string[] = [];
  for (const { name, order } of tables) {
    const wasSorted = await database.write(async (connection) => {
      const reader = await connection.runAndReadAll(
        `SELECT COUNT(*), COALESCE(MAX(rowid), -1), COALESCE((SELECT added FROM table_order WHERE name = '${name}'), 0)
         FROM ${name}`,
      );
      const [rows, lastRow, added] = (reader.getRowsJS()[0] ?? []).map(Number) as [number, number, number];
      if (rows <= BLOCK_ROWS || added <= UNSORTED_SHARE * rows) return false;
      await connection.run(`INSERT INTO ${name} SELECT * FROM ${name} ORDER BY ${order.join(', ')}`);
      await connection.run(`DELETE FROM ${name} WHERE rowid <= ${lastRow}`);
      await connection.run(`DELETE FROM table_order WHERE name = '${name}'`);
      return true;
    });
    if (wasSorted) sorted.push(name);
  }
  return sorted;
}
