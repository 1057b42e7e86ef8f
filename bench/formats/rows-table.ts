import { DuckDBInstance } from '@duckdb/node-api';
import { createConnection } from 'mysql2/promise';
import { databaseFile } from '../../server/settings/database-location.js';
import type { Settings } from '../../server/settings/settings.js';

export const ROWS = 1_000_000;
export const QUERY =
  'SELECT r.id AS id, r.name AS name, r.stars AS stars, r.price AS price, r.ratio AS ratio, r.seen_at AS seen_at FROM bench_rows r';

const TABLE =
  'CREATE TABLE bench_rows (id BIGINT, name VARCHAR(140), stars INT, price DECIMAL(12, 2), ratio DOUBLE, seen_at DATETIME)';

/** Creates the rows with SQL, in the database of the settings. */
export async function fillTable(settings: Settings): Promise<void> {
  const file = databaseFile(settings);
  if (file !== undefined) return fillFile(file);
  const connection = await createConnection({ uri: settings.databaseUrl ?? '' });
  try {
    await connection.query(TABLE);
    await connection.query(`INSERT INTO bench_rows
      SELECT seq, CONCAT('owner-', seq % 5000, '/repository-', seq), IF(seq % 10 = 0, NULL, seq % 100000),
        seq / 100, seq / 7, TIMESTAMPADD(SECOND, seq, '2024-01-01') FROM seq_1_to_${ROWS}`);
  } finally {
    await connection.end();
  }
}

async function fillFile(file: string): Promise<void> {
  const instance = await DuckDBInstance.create(file);
  try {
    const connection = await instance.connect();
    await connection.run(TABLE);
    await connection.run(`INSERT INTO bench_rows
      SELECT i, 'owner-' || i % 5000 || '/repository-' || i, CASE WHEN i % 10 = 0 THEN NULL ELSE i % 100000 END,
        i / 100, i / 7, TIMESTAMP '2024-01-01' + INTERVAL 1 SECOND * i FROM range(1, ${ROWS + 1}) t(i)`);
    connection.closeSync();
  } finally {
    instance.closeSync();
  }
}
