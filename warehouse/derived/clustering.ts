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

/** Runs `work` and notes by how many rows it made the table longer. */
export async function countAdded(
  connection: DuckDBConnection,
  table: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const before = await countRows(connection, table);
  await work();
  await noteAdded(connection, table, (await countRows(connection, table)) - before);
}

export async function countRows(connection: DuckDBConnection, table: string): Promise<number> {
  const reader = await connection.runAndReadAll(`SELECT COUNT(*) FROM ${table}`);
  return Number(reader.getRowsJS()[0]?.[0]);
}

export async function noteAdded(connection: DuckDBConnection, table: string, rows: number): Promise<void> {
  await connection.run(
    `INSERT INTO table_order VALUES ('${table}', ${rows})
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
