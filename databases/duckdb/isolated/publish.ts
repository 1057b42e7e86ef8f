import type { DuckDBConnection } from '@duckdb/node-api';
import type { PublishedTable } from './protocol.js';

/**
 * Removes everything from an open database file that is not published, so that a query that passes all checks by mistake finds
 * no other data. Removing tables and columns costs no time for their rows; only tables with unpublished rows are written again.
 */
export async function publish(connection: DuckDBConnection, tables: readonly PublishedTable[]): Promise<void> {
  const published = new Map(tables.map((table) => [table.name, table]));
  for (const table of tables.filter(({ select }) => select !== undefined)) {
    await connection.run(`CREATE TEMP TABLE ${quoted(temporary(table))} AS ${table.select}`);
  }
  for (const [name, columns] of await columnsByTable(connection)) {
    const table = published.get(name);
    if (table === undefined || table.select !== undefined) await connection.run(`DROP TABLE ${quoted(name)}`);
    else await dropColumns(connection, table, columns);
  }
  for (const table of tables.filter(({ select }) => select !== undefined)) {
    await connection.run(`CREATE TABLE ${quoted(table.name)} AS FROM temp.${quoted(temporary(table))}`);
  }
  await connection.run('CHECKPOINT');
}

function temporary({ name }: PublishedTable): string {
  return `published_${name}`;
}

async function columnsByTable(connection: DuckDBConnection): Promise<Map<string, string[]>> {
  const reader = await connection.runAndReadAll(
    `SELECT table_name, list(column_name) FROM duckdb_columns()
     WHERE database_name = current_database() AND NOT internal GROUP BY table_name`,
  );
  return new Map(reader.getRowsJS().map(([table, columns]) => [String(table), columns as string[]]));
}

/** Drops the indexes of the table first: DuckDB changes no table that has one. */
async function dropColumns(connection: DuckDBConnection, table: PublishedTable, columns: readonly string[]) {
  const unpublished = columns.filter((name) => !table.columns.includes(name));
  if (unpublished.length === 0) return;
  const indexes = await connection.runAndReadAll(
    'SELECT index_name FROM duckdb_indexes() WHERE database_name = current_database() AND table_name = $1',
    [table.name],
  );
  for (const [index] of indexes.getRowsJS()) await connection.run(`DROP INDEX ${quoted(String(index))}`);
  for (const column of unpublished) {
    await connection.run(`ALTER TABLE ${quoted(table.name)} DROP COLUMN ${quoted(column)}`);
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
