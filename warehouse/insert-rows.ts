import type { DuckDBConnection } from '@duckdb/node-api';

/** Inserts rows whose values stand in the order of the table's columns. */
export async function insertRows(
  connection: DuckDBConnection,
  table: string,
  rows: readonly (readonly (string | number | null)[])[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT) {
    const some = rows.slice(start, start + ROWS_A_STATEMENT);
    const values = some.map((row) => `(${row.map(literal).join(', ')})`).join(', ');
    await connection.run(`INSERT INTO ${table} VALUES ${values}`);
  }
}

/** As text, because a bound value for each cell costs more than the rest of the work. */
const ROWS_A_STATEMENT = 1000;

function literal(value: string | number | null): string {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}
