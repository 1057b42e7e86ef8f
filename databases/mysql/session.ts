import type { Flavor } from './flavor.js';

/** Whether the session may write. */
export type Access = 'read' | 'write';

/**
 * The statements that every new connection runs, so that results do not depend on the server's configuration: UTC,
 * UTF-8 compared byte by byte, a strict `sql_mode`, known limits.
 */
export function sessionStatements(flavor: Flavor, access: Access): readonly string[] {
  const settings = { ...EVERYWHERE, ...(flavor === 'mariadb' ? MARIADB : MYSQL) };
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
  div_precision_increment: 4,
  /** Seconds that a statement waits for somebody's ALTER TABLE. */
  lock_wait_timeout: 10,
  /** Seconds after which the server drops the connection of a process that vanished. */
  wait_timeout: 3600,
} as const;

/** MariaDB cuts a recursion at its limit without an error, so the limit is high; the timeout is what ends it. */
const RECURSION = 1_000_000;
const MARIADB = { max_recursive_iterations: RECURSION };
const MYSQL = { cte_max_recursion_depth: RECURSION };
