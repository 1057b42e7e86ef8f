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

/** Copies all tables of a database into the empty database of a URL, on the same server. */
export async function copyTables(from: string, url: string): Promise<void> {
  const tables = (await execute(url, `SHOW TABLES FROM ${from}`)).flatMap((row) => Object.values(row).map(String));
  const copies = tables.flatMap((table) => [
    `CREATE TABLE ${table} LIKE ${from}.${table}`,
    `INSERT INTO ${table} SELECT * FROM ${from}.${table}`,
  ]);
  await execute(url, ...copies);
}
