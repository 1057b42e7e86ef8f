import { exactCollation } from '../../databases/mysql/connection/flavor.js';
import type { WriteConnection } from '../../databases/mysql/write-connection.js';

/**
 * Converts those of the tables that have the collation of earlier versions, `utf8mb4_bin`, to the one that compares by exact
 * bytes. Tables of another collation stay as they are: `requireSchema` rejects them. One statement converts a table, or on TiDB
 * a copy replaces it, so that an interruption leaves whole tables.
 */
export async function convertTables(connection: WriteConnection, tables: readonly string[]): Promise<void> {
  const exact = exactCollation(connection.flavor);
  for (const table of tables) {
    const collations = await collationsOf(connection, table);
    if (!collations.every((collation) => collation === exact || collation === PADDING)) continue;
    if (collations.includes(PADDING)) await convert(connection, table, exact);
    // Left over where an interruption came after RENAME.
    if (connection.flavor === 'tidb') await connection.run(`DROP TABLE IF EXISTS ${table}_padded`);
  }
}

/** It leaves spaces at the end out of comparisons. */
const PADDING = 'utf8mb4_bin';

/** The collations of a table and of its columns; none where there is no such table. */
async function collationsOf(connection: WriteConnection, table: string): Promise<string[]> {
  const rows = await connection.rows(
    `SELECT table_collation FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = :p1
     UNION
     SELECT collation_name FROM information_schema.columns
     WHERE table_schema = DATABASE() AND table_name = :p1 AND collation_name IS NOT NULL`,
    [table],
  );
  return rows.map(([collation]) => String(collation));
}

async function convert(connection: WriteConnection, table: string, exact: string): Promise<void> {
  try {
    await connection.run(`ALTER TABLE ${table} CONVERT TO CHARACTER SET utf8mb4 COLLATE ${exact}`);
  } catch (error) {
    if ((error as { errno?: unknown }).errno !== UNSUPPORTED) throw error;
    await replaceByCopy(connection, table, exact);
  }
}

/** TiDB's error for what it does not support, such as another collation of a column that has an index. */
const UNSUPPORTED = 8200;

/** RENAME changes both names at once. Before it only the copy is incomplete, after it only the old table is left over. */
async function replaceByCopy(connection: WriteConnection, table: string, exact: string): Promise<void> {
  const copy = `${table}_exact`;
  await connection.run(`DROP TABLE IF EXISTS ${copy}`);
  const [[, definition] = []] = await connection.rows(`SHOW CREATE TABLE ${table}`);
  const made = String(definition).replace(`\`${table}\``, `\`${copy}\``).replaceAll(PADDING, exact);
  await connection.run(made);
  await connection.run(`${await inBatches(connection, table)} INSERT INTO ${copy} SELECT * FROM ${table}`);
  const count = `SELECT (SELECT COUNT(*) FROM ${table}), (SELECT COUNT(*) FROM ${copy})`;
  const [[rows, copied] = []] = await connection.rows(count);
  if (rows !== copied)
    throw new Error(`The copy of ${table} has ${copied} of its ${rows} rows: stop what writes to it.`);
  await connection.run(`RENAME TABLE ${table} TO ${table}_padded, ${copy} TO ${table}`);
}

const BATCH_ROWS = 10_000;

/**
 * What makes TiDB, whose transactions are limited in size, commit batches of the rows of a table: by the first column of an index, an id
 * where there is one, because it has most values. Empty where no index can be used.
 */
async function inBatches(connection: WriteConnection, table: string): Promise<string> {
  const [[column] = []] = await connection.rows(
    `SELECT column_name FROM information_schema.statistics
     WHERE table_schema = DATABASE() AND table_name = :p1 AND seq_in_index = 1 AND nullable <> 'YES'
     ORDER BY column_name LIKE '%id' DESC, index_name = 'PRIMARY' DESC LIMIT 1`,
    [table],
  );
  return column === undefined ? '' : `BATCH ON ${column} LIMIT ${BATCH_ROWS}`;
}
