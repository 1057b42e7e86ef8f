/** The databases that use the MySQL protocol. They differ in a few settings. */
export type Flavor = 'mysql' | 'mariadb' | 'tidb';

/** Finds the flavor in the result of `SELECT VERSION()`, such as `8.0.36`, `10.11.6-MariaDB-1` or `8.0.11-TiDB-v7.5.0`. */
export function flavorOf(version: string): Flavor {
  if (/tidb/i.test(version)) return 'tidb';
  return /mariadb/i.test(version) ? 'mariadb' : 'mysql';
}

/** The collation in the SQL files of this program, which compares text by its exact bytes. MySQL and TiDB support it. */
const EXACT = 'utf8mb4_0900_bin';

/** The collation of a flavor that compares text by its exact bytes. `utf8mb4_bin` does not: it ignores trailing spaces. */
export function exactCollation(flavor: string): string {
  return flavor === 'mariadb' ? 'utf8mb4_nopad_bin' : EXACT;
}

/** Replaces MySQL's exact collation in a statement by that of the flavor, see `exactCollation`. */
export function withExactCollation(statement: string, flavor: Flavor): string {
  return statement.replaceAll(EXACT, exactCollation(flavor));
}

/**
 * Whether a prepared statement can run more than once. In the second run of some statements with a correlated EXISTS over derived tables,
 * WITH queries or views, MariaDB 10.11 returns other rows; in that of some nested queries, the server ends.
 *
 * TiDB encodes the rows of every run with the column types of the first run, so cells are wrong if the column types change. One statement
 * per list of parameter types would not help, because column types can also depend on the values: UNIX_TIMESTAMP('2020-01-01') is a BIGINT,
 * UNIX_TIMESTAMP('2020-01-01 00:00:00.5') is a DECIMAL.
 */
export function canReuseStatements(flavor: Flavor): boolean {
  return flavor === 'mysql';
}

/** Returns the server's own time limit for a query with a deadline: `ms`, rounded up to a power of two of seconds. */
export function serverLimitSeconds(ms: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(ms / 1000)));
}

/**
 * Returns the statement that sets the server's own time limit for later SELECTs of the session. The limit matters only
 * if a KILL does not reach the server. The limit is rounded up, so that the setting does not change for every query.
 */
export function statementTimeout(flavor: Flavor, ms: number): string {
  const seconds = serverLimitSeconds(ms);
  return flavor === 'mariadb'
    ? `SET SESSION max_statement_time = ${seconds}`
    : `SET SESSION max_execution_time = ${seconds * 1000}`;
}
