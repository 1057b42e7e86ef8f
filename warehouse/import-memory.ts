import type { EmbeddedDatabase } from '../engine/databases/duckdb/embedded.js';

/** The memory of an import into a database file with few repositories, in bytes. */
const BASE_BYTES = 100e6;
/**
 * DuckDB keeps this memory until the commit for each 2,048 rows of a table from which the transaction has deleted a row. An import replaces
 * the rows of the repositories with new events, which can be anywhere in the table.
 */
const DELETION_BYTES = 16_384;
const DELETION_ROWS = 2_048;
/** The maximum numbers of rows that one hour of the feed replaces: repositories, and names of repositories with a new number of stars. */
const REPLACED_REPOSITORIES = 60_000;
const REPLACED_NAMES = 20_000;

/**
 * Describes the memory that imports into a database file need, if it is more than the limit. `limit` is a size such as `256MB`. Without
 * enough memory, every import fails.
 */
export async function describeMissingMemory(database: EmbeddedDatabase, limit: string): Promise<string | undefined> {
  const [repositories, names] = await database.maintain(async (connection) => {
    const counts = 'SELECT (SELECT COUNT(*) FROM github_repos), (SELECT COUNT(*) FROM mv_repo_names)';
    const [row = []] = (await connection.runAndReadAll(counts)).getRowsJS();
    return row.map(Number) as [number, number];
  });
  const replaced =
    Math.min(repositories / DELETION_ROWS, REPLACED_REPOSITORIES) + Math.min(names / DELETION_ROWS, REPLACED_NAMES);
  const needed = BASE_BYTES + replaced * DELETION_BYTES;
  if (needed <= bytesOf(limit)) return undefined;
  const proposal = `${Math.ceil(needed / STEP_BYTES) * (STEP_BYTES / 1e6)}MB`;
  return (
    `Imports into a database with ${repositories} repositories need about ${Math.ceil(needed / 1e6)} MB of memory, ` +
    `but DATABASE_MEMORY is ${limit}. Set DATABASE_MEMORY=${proposal}.`
  );
}

const STEP_BYTES = 64e6;

/** Returns the bytes of a size with a unit of DuckDB, such as `256MB` or `1 GiB`. */
function bytesOf(size: string): number {
  const [, number = '', prefix = '', binary] = /^([\d.]+)\s?([kmgt])(i?)b$/i.exec(size) ?? [];
  return Number(number) * (binary === '' ? 1000 : 1024) ** ('kmgt'.indexOf(prefix.toLowerCase()) + 1);
}
