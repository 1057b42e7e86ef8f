import { createConnection } from 'mysql2/promise';

/** Runs statements one after the other on a new connection. Returns the rows of the last statement. */
export async function execute(url: string, ...statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const connection = await createConnection({ uri: url });
  try {
    let rows: unknown = [];
    for (const statement of statements) [rows] = await connection.query(statement);
    return rows as Record<string, unknown>[];
  } finally {
    await connection.end();
  }
}
