import { exactCollation, type Flavor } from './flavor.js';
import { MAX_WARNINGS } from './warnings.js';

/** The permissions of a session. */
export type Access = 'read' | 'write' | UntrustedAccess;

/** The session can only read, with limits of memory and disk if the server supports them. */
export interface UntrustedAccess {
  readonly memoryMegabytes: number;
}

/**
 * The statements that every new connection runs. The statements make results independent of the server configuration:
 * they set UTC, UTF-8 compared by exact bytes, a strict `sql_mode`, fixed limits and the transaction mode.
 */
export function sessionStatements(flavor: Flavor, access: Access): readonly string[] {
  const limits = typeof access === 'object' && untrustedSettings(flavor, access);
  const settings = { ...EVERYWHERE, ...SETTINGS[flavor], ...limits };
  const assignments = Object.entries(settings).map(([name, value]) => `SESSION ${name} = ${value}`);
  // TiDB has no read-only sessions, so only the grants of the account prevent writes.
  const characteristic = flavor === 'tidb' ? '' : `, READ ${access === 'write' ? 'WRITE' : 'ONLY'}`;
  // Without SET NAMES, bound text would have the collation of the handshake or the default collation of its character set.
  const names = `NAMES utf8mb4 COLLATE ${exactCollation(flavor)}`;
  return [
    `SET ${[names, ...assignments].join(', ')}`,
    `SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ${characteristic}`,
  ];
}

/** ONLY_FULL_GROUP_BY is omitted, because definitions may select columns that are not in GROUP BY. */
const SQL_MODE = [
  'STRICT_TRANS_TABLES',
  'NO_ZERO_IN_DATE',
  'NO_ZERO_DATE',
  'ERROR_FOR_DIVISION_BY_ZERO',
  'NO_ENGINE_SUBSTITUTION',
].join(',');

const EVERYWHERE = {
  time_zone: "'+00:00'",
  sql_mode: `'${SQL_MODE}'`,
  /** With this value, only `max_allowed_packet` limits GROUP_CONCAT. */
  group_concat_max_len: 4_294_967_295,
  /** Seconds that a statement waits for an ALTER TABLE of another connection. */
  lock_wait_timeout: 10,
  /**
   * After this many seconds without a statement, the server closes a connection. This removes connections of processes
   * that no longer exist.
   */
  wait_timeout: 3600,
  /**
   * Without autocommit, the first SELECT of a reader would start a transaction that never ends, and would never see later rows.
   */
  autocommit: 1,
  /** The maximum, which disables this limit, because the server truncates longer results without a warning. */
  sql_select_limit: '18446744073709551615',
  /** Without transactions, which other storage engines may not support, an error would leave a table partly written. */
  default_storage_engine: 'InnoDB',
} as const;

/** Settings that TiDB does not support, supports only in some versions, or cannot change. */
const NOT_ON_TIDB = {
  div_precision_increment: 4,
  completion_type: "'NO_CHAIN'",
  default_week_format: 0,
  lc_time_names: "'en_US'",
  /**
   * The number of bytes of a text that ORDER BY and window functions compare. With the default of 1024, a text of 300
   * emoji would equal a text of 301 emoji.
   */
  max_sort_length: 8192,
  /** Without stored warnings, truncated results cannot be detected. */
  max_error_count: MAX_WARNINGS,
  sql_big_selects: 1,
  sql_safe_updates: 0,
} as const;

/** The maximum recursion depth. MariaDB ends a recursion there without an error, so it is high enough that queries time out first. */
const RECURSION = 1_000_000;

/** The settings of each flavor. A time limit of 0 means no limit, because readers set a time limit for each query. */
const SETTINGS: Readonly<Record<Flavor, Readonly<Record<string, string | number>>>> = {
  mariadb: {
    ...NOT_ON_TIDB,
    max_recursive_iterations: RECURSION,
    max_statement_time: 0,
    default_regex_flags: "''",
    idle_transaction_timeout: 0,
    idle_write_transaction_timeout: 0,
    /** Uses hash tables for joins without an index, like MySQL 8 and TiDB. The default (2) compares every pair of rows. */
    join_cache_level: 8,
  },
  mysql: { ...NOT_ON_TIDB, cte_max_recursion_depth: RECURSION, max_execution_time: 0 },
  tidb: {
    cte_max_recursion_depth: RECURSION,
    max_execution_time: 0,
    /**
     * The planner must not wait for statistics. Tables with fewer than 1,000 rows have no statistics, so every
     * statement on them would wait.
     */
    tidb_stats_load_sync_wait: 0,
  },
};

const MEGABYTE = 1024 * 1024;

/** A limit of examined rows that no statement reaches within its time limit. */
const MAX_EXAMINED_ROWS = 10_000_000_000;

/** Limits for untrusted queries. MySQL has no session limit for total memory and disk. */
function untrustedSettings(
  flavor: Flavor,
  { memoryMegabytes }: UntrustedAccess,
): Readonly<Record<string, string | number>> {
  const memory = Math.round(memoryMegabytes * MEGABYTE);
  if (flavor === 'tidb') return { tidb_mem_quota_query: memory };
  const joins = { max_join_size: MAX_EXAMINED_ROWS, sql_big_selects: 0 };
  if (flavor === 'mysql') return { max_heap_table_size: 16 * MEGABYTE, tmp_table_size: 16 * MEGABYTE, ...joins };
  return {
    max_session_mem_used: memory,
    max_heap_table_size: 16 * MEGABYTE,
    tmp_memory_table_size: 16 * MEGABYTE,
    tmp_disk_table_size: 256 * MEGABYTE,
    ...joins,
  };
}
