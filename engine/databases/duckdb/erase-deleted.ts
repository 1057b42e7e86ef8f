import type { DuckDBConnection } from '@duckdb/node-api';

/**
 * DuckDB only marks deleted rows, and does not overwrite blocks that become free. So erasing deleted values needs both functions of this
 * module: `rebuildTables` removes the values from used blocks, then `overwriteFreeBlocks` removes them from free blocks.
 */

/**
 * Copies the remaining rows of tables into new tables, in the transaction of the caller. The cost grows with the number
 * of rows, but DuckDB has no other way to remove deleted rows of tables with indexes.
 */
export async function rebuildTables(
  connection: DuckDBConnection,
  isRebuilt: (table: string) => boolean,
): Promise<void> {
  const indexes = await readTexts(connection, 'SELECT table_name, sql FROM duckdb_indexes()');
  for (const [table, sql] of await readTexts(connection, 'SELECT table_name, sql FROM duckdb_tables()')) {
    if (!isRebuilt(table)) continue;
    const rebuilt = `${table}_rebuilt`;
    await connection.run(sql.replace(`CREATE TABLE ${table}(`, `CREATE TABLE ${rebuilt}(`));
    await connection.run(`INSERT INTO ${rebuilt} SELECT * FROM ${table}`);
    await connection.run(`DROP TABLE ${table}`);
    await connection.run(`ALTER TABLE ${rebuilt} RENAME TO ${table}`);
    for (const [of, index] of indexes) if (of === table) await connection.run(index);
  }
}

/**
 * Overwrites the free blocks of the file with a temporary table. The cost grows with the size of all free blocks, because DuckDB does not
 * report which of them a transaction has freed. `checkpoint` writes the last commits into the file.
 */
export async function overwriteFreeBlocks(
  connection: DuckDBConnection,
  checkpoint: () => Promise<void>,
): Promise<void> {
  await connection.run(`DROP TABLE IF EXISTS ${FILLER}`);
  await checkpoint();
  await connection.run(
    `CREATE TABLE ${FILLER} AS
     SELECT hash(range) AS a, hash(range + 0.5) AS b
     FROM range((SELECT (free_blocks + ${MORE_BLOCKS}) * block_size // ${BYTES_PER_ROW} FROM pragma_database_size()
                 WHERE database_name = current_database()))`,
  );
  await checkpoint();
  await connection.run(`DROP TABLE ${FILLER}`);
  await checkpoint();
}

const FILLER = 'erased_blocks';
/** The size of a row of the filler table. Its values cannot be compressed. */
const BYTES_PER_ROW = 16;
/** How many blocks are filled in addition to the deleted ones, because the checkpoint itself uses some blocks. */
const MORE_BLOCKS = 4;

async function readTexts(connection: DuckDBConnection, sql: string): Promise<readonly (readonly [string, string])[]> {
  const reader = await connection.runAndReadAll(`${sql} WHERE database_name = current_database()`);
  return reader.getRowsJS().map(([name, text]) => [String(name), String(text)]);
}
