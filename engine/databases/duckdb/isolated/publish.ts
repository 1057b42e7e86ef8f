import type { DuckDBConnection } from '@duckdb/node-api';
import type { PublishedTable } from './protocol.js';

/**
 * Removes all unpublished data from an open database file, so that even a query that passes all checks by mistake finds
 * no private data. Removing tables and columns takes the same time for any number of rows. Only tables with unpublished
 * rows are rewritten.
 */
export async function publish(connection: DuckDBConnection, tables: readonly PublishedTable[]): Promise<void> {
  const published = new Map(tables.map((table) => [table.name, table]));
  for (const table of tables.filter(({ select }) => select !== undefined)) {
    await connection.run(`CREATE TEMP TABLE ${quoteName(temporaryName(table))} AS ${table.select}`);
  }
  for (const [name, columns] of await columnsByTable(connection)) {
    const table = published.get(name);
    if (table === undefined || table.select !== undefined) await connection.run(`DROP TABLE ${quoteName(name)}`);
    else await dropColumns(connection, table, columns);
  }
  for (const table of tables.filter(({ select }) => select !== undefined)) {
    await connection.run(`CREATE TABLE ${quoteName(table.name)} AS FROM temp.${quoteName(temporaryName(table))}`);
  }
  await connection.run('CHECKPOINT');
}

function temporaryName({ name }: PublishedTable): string {
  return `published_${name}`;
}

async function columnsByTable(connection: DuckDBConnection): Promise<Map<string, string[]>> {
  const reader = await connection.runAndReadAll(
    `SELECT table_name, list(column_name) FROM duckdb_columns()
     WHERE database_name = current_database() AND NOT internal GROUP BY table_name`,
  );
  return new Map(reader.getRowsJS().map(([table, columns]) => [String(table), columns as string[]]));
}

/**
 * Drops columns. Drops the indexes of the table first, because DuckDB cannot drop columns of a table that has an index.
 */
async function dropColumns(connection: DuckDBConnection, table: PublishedTable, columns: readonly string[]) {
  const unpublished = columns.filter((name) => !table.columns.includes(name));
  if (unpublished.length === 0) return;
  const indexes = await connection.runAndReadAll(
    'SELECT index_name FROM duckdb_indexes() WHERE database_name = current_database() AND table_name = $1',
    [table.name],
  );
  for (const [index] of indexes.getRowsJS()) await connection.run(`DROP INDEX ${quoteName(String(index))}`);
  for (const column of unpublished) {
    await connection.run(`ALTER TABLE ${quoteName(table.name)} DROP COLUMN ${quoteName(column)}`);
  }
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
