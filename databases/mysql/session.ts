import type { Flavor } from './flavor.js';

/** Whether the session may write. */
export type Access = 'read' | 'write';

/**
 * The statements that every new connection runs, so that results do not depend on the server's configuration: UTC,
 * UTF-8 compared byte by byte, a strict `sql_mode`, known limits.
 */
export function sessionStatements(flavor: Flavor, access: Access): readonly string[] {
  const settings = { ...EVERYWHERE, ...BY_FLAVOR[flavor] };
  const assignments = Object.entries(settings).map(([name, value]) => `SESSION ${name} = ${value}`);
  const statements = [`SET ${assignments.join(', ')}`];
  // TiDB knows no read-only session: there the grants of the account are what keeps a reader from writing.
  if (access === 'read' && flavor !== 'tidb') statements.push('SET SESSION TRANSACTION READ ONLY');
  return statements;
}

/** Loose GROUP BY is part of the dialect of definitions, so ONLY_FULL_GROUP_BY is not among them. */
const SQL_MODE = [
  'STRICT_TRANS_TABLES',
  'NO_ZERO_IN_DATE',
  'NO_ZERO_DATE',
  'ERROR_FOR_DIVISION_BY_ZERO',
  'NO_ENGINE_SUBSTITUTION',
].join(',');

const EVERYWHERE = {
  time_zone: "'+00:00'",
  character_set_client: "'utf8mb4'",
  character_set_results: "'utf8mb4'",
  collation_connection: "'utf8mb4_bin'",
  sql_mode: `'${SQL_MODE}'`,
  /** GROUP_CONCAT is not cut before `max_allowed_packet` is full. */
  group_concat_max_len: 4_294_967_295,
  /** No result is cut by a number of rows that the server was given. */
  sql_select_limit: '18446744073709551615',
  /** Without it a reader's first query would be the snapshot of all later ones. */
  autocommit: 1,
  default_week_format: 0,
  /** Seconds that a statement waits for somebody's ALTER TABLE. */
  lock_wait_timeout: 10,
  /** Seconds after which the server drops the connection of a process that vanished. */
  wait_timeout: 3600,
} as const;

/** MariaDB cuts a recursion at its limit without an error, so the limit is high; the timeout is what ends it. */
const RECURSION = 1_000_000;

/** What MySQL and MariaDB have, and TiDB does not know, or not in every version; it behaves so by itself. */
const NOT_IN_TIDB = {
  div_precision_increment: 4,
  /** Bytes of a text that ORDER BY and windows look at: by itself 1024, in which 300 emoji are equal to 301. */
  max_sort_length: 8192,
  /** The names of days and months. */
  lc_time_names: "'en_US'",
  /** Tables are made in an engine that has transactions. */
  default_storage_engine: 'InnoDB',
};

const BY_FLAVOR: Readonly<Record<Flavor, Readonly<Record<string, string | number>>>> = {
  mariadb: { ...NOT_IN_TIDB, max_recursive_iterations: RECURSION },
  mysql: { ...NOT_IN_TIDB, cte_max_recursion_depth: RECURSION },
  tidb: { cte_max_recursion_depth: RECURSION },
};
