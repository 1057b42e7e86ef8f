import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { requireStore, type Warehouse } from '../../server/databases/warehouse.js';

/**
 * Copies tables of a DuckDB file to a private MariaDB server on this machine, which must already have the empty tables. The copy is used
 * because importing ten million events into MariaDB would take hours. `folder` is the staging folder of the file, to which DuckDB may
 * write.
 */
export async function copyToServer(
  from: Warehouse,
  to: Connection,
  { tables, folder }: { readonly tables: Iterable<string>; readonly folder: string },
): Promise<void> {
  // Without these checks, MariaDB builds the indexes of an empty table from sorted keys, which is faster.
  await to.query("SET unique_checks = 0, foreign_key_checks = 0, sql_mode = 'STRICT_ALL_TABLES'");
  for (const table of tables) {
    const file = join(folder, `${table}.csv`);
    const columns = (await columnsOf(to, table, 'columns', 'TRUE')).join(', ');
    const keys = await columnsOf(to, table, 'statistics', "index_name = 'PRIMARY'");
    const order = keys.length === 0 ? '' : `ORDER BY ${keys.join(', ')}`;
    await requireStore(from).useStaging((duckdb) =>
      duckdb.run(`COPY (SELECT ${columns} FROM ${table} ${order}) TO '${file}' (${FORMAT})`),
    );
    // The migrations have already filled some tables.
    await to.query(`TRUNCATE TABLE ${table}`);
    await to.query(`LOAD DATA INFILE '${file}' INTO TABLE ${table} CHARACTER SET utf8mb4 ${FIELDS} (${columns})`);
    await to.query(`ANALYZE TABLE ${table}`);
    await rm(file);
  }
}

const FORMAT = `FORMAT csv, HEADER false, NULLSTR 'NULL', QUOTE '"', ESCAPE '"', FORCE_QUOTE *`;
const FIELDS = `FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' ESCAPED BY '' LINES TERMINATED BY '\\n'`;

/** Returns the columns of a table, or of its primary key, in order. */
async function columnsOf(
  connection: Connection,
  table: string,
  view: 'columns' | 'statistics',
  condition: string,
): Promise<string[]> {
  const place = view === 'columns' ? 'ordinal_position' : 'seq_in_index';
  const [rows] = await connection.query<RowDataPacket[]>(
    `SELECT column_name AS name FROM information_schema.${view}
     WHERE table_schema = DATABASE() AND table_name = ? AND ${condition} ORDER BY ${place}`,
    [table],
  );
  return rows.map(({ name }) => String(name));
}
