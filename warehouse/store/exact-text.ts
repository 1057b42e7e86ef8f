import { exactCollation } from '../../engine/databases/mysql/connection/flavor.js';
import type { WriteConnection } from '../../engine/databases/mysql/write-connection.js';

/**
 * Converts tables with the collation of earlier program versions, `utf8mb4_bin`, to a collation that compares text by its exact bytes.
 * Tables with any other collation are not changed; `requireSchema` rejects them. After an interruption, each table is either converted or
 * unchanged: one statement converts it, or on TiDB a complete copy replaces it.
 */
export async function convertTables(connection: WriteConnection, tables: readonly string[]): Promise<void> {
  const exact = exactCollation(connection.flavor);
  for (const table of tables) {
    const collations = await collationsOf(connection, table);
    if (!collations.every((collation) => collation === exact || collation === PADDING)) continue;
    if (collations.includes(PADDING)) await convert(connection, table, exact);
    // If an earlier call was interrupted after RENAME, the old table still exists under this name.
    if (connection.flavor === 'tidb') await connection.run(`DROP TABLE IF EXISTS ${table}_padded`);
  }
}

/** The collation of earlier program versions. This collation ignores trailing spaces. */
const PADDING = 'utf8mb4_bin';

/** The collations of a table and of its columns; empty if the table does not exist. */
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

/** TiDB's error for unsupported changes, such as changing the collation of a column that has an index. */
const UNSUPPORTED = 8200;

/**
 * Replaces a table by a converted copy. RENAME changes both names atomically. After an interruption, an incomplete copy may remain (before
 * RENAME), or the old table (after RENAME).
 */
async function replaceByCopy(connection: WriteConnection, table: string, exact: string): Promise<void> {
  const copy = `${table}_exact`;
  await connection.run(`DROP TABLE IF EXISTS ${copy}`);
  const [[, definition] = []] = await connection.rows(`SHOW CREATE TABLE ${table}`);
  const createCopy = String(definition).replace(`\`${table}\``, `\`${copy}\``).replaceAll(PADDING, exact);
  await connection.run(createCopy);
  await connection.run(`${await batchClause(connection, table)} INSERT INTO ${copy} SELECT * FROM ${table}`);
  const count = `SELECT (SELECT COUNT(*) FROM ${table}), (SELECT COUNT(*) FROM ${copy})`;
  const [[rows, copied] = []] = await connection.rows(count);
  if (rows !== copied) {
    throw new Error(
      `The copy of ${table} has ${copied} rows, expected ${rows}. Stop all programs that write to it, then try again.`,
    );
  }
  await connection.run(`RENAME TABLE ${table} TO ${table}_padded, ${copy} TO ${table}`);
}

const BATCH_ROWS = 10_000;

/**
 * The clause that makes TiDB commit the rows of a table in batches, because TiDB limits the size of a transaction. TiDB splits the rows by
 * the first column of an index. An id is preferred, because it has the most distinct values. Empty if there is no usable index.
 */
async function batchClause(connection: WriteConnection, table: string): Promise<string> {
  const [[column] = []] = await connection.rows(
    `SELECT column_name FROM information_schema.statistics
     WHERE table_schema = DATABASE() AND table_name = :p1 AND seq_in_index = 1 AND nullable <> 'YES'
     ORDER BY column_name LIKE '%id' DESC, index_name = 'PRIMARY' DESC LIMIT 1`,
    [table],
  );
  return column === undefined ? '' : `BATCH ON ${column} LIMIT ${BATCH_ROWS}`;
}
