/** The databases that speak the protocol, and differ in a few settings. */
export type Flavor = 'mysql' | 'mariadb' | 'tidb';

/** What `SELECT VERSION()` tells: `8.0.36`, `10.11.6-MariaDB-1`, `8.0.11-TiDB-v7.5.0`. */
export function flavorOf(version: string): Flavor {
  if (/tidb/i.test(version)) return 'tidb';
  return /mariadb/i.test(version) ? 'mariadb' : 'mysql';
}

/** The collation by which statements of this program are written. MySQL and TiDB know it. */
const EXACT = 'utf8mb4_0900_bin';

/**
 * The collation of a server, by the name of its flavor, that compares text by its exact bytes: `utf8mb4_bin` would leave out
 * spaces at the end.
 */
export function exactCollation(flavor: string): string {
  return flavor === 'mariadb' ? 'utf8mb4_nopad_bin' : EXACT;
}

/** A statement in the dialect of MySQL with the collation that its server knows. */
export function withExactCollation(statement: string, flavor: Flavor): string {
  return statement.replaceAll(EXACT, exactCollation(flavor));
}

/**
 * Whether a prepared statement can run more than once. TiDB encodes the rows of every run with the column types of the first run, which gives
 * wrong cells if the types change. A statement for each list of value types is not enough, because the types of a result can depend on the
 * values: UNIX_TIMESTAMP('2020-01-01') is a BIGINT, UNIX_TIMESTAMP('2020-01-01 00:00:00.5') a DECIMAL.
 */
export function canReuseStatements(flavor: Flavor): boolean {
  return flavor !== 'tidb';
}

/**
 * The statement that makes the database itself stop every later SELECT of the session, at this time or a little later.
 * It is the last resort, where a KILL does not get through, so few different times do.
 */
export function statementTimeout(flavor: Flavor, ms: number): string {
  const seconds = 2 ** Math.max(0, Math.ceil(Math.log2(ms / 1000)));
  return flavor === 'mariadb'
    ? `SET SESSION max_statement_time = ${seconds}`
    : `SET SESSION max_execution_time = ${seconds * 1000}`;
}
