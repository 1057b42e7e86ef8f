import { exactCollation, type Flavor } from './flavor.js';
import { MAX_WARNINGS } from './warnings.js';

/** Whether the session may write; a `confined` one reads, and may take little memory and disk. */
export type Access = 'read' | 'confined' | 'write';

/**
 * The statements that every new connection runs, so that results do not depend on the server's configuration: UTC,
 * UTF-8 compared by its exact bytes, a strict `sql_mode`, known limits, transactions that are as they are by default.
 */
export function sessionStatements(flavor: Flavor, access: Access): readonly string[] {
  const settings = { ...EVERYWHERE, ...SETTINGS[flavor], ...(access === 'confined' && CONFINED[flavor]) };
  const assignments = Object.entries(settings).map(([name, value]) => `SESSION ${name} = ${value}`);
  // TiDB knows no read-only session: there the grants of the account are what keeps a reader from writing.
  const characteristic = flavor === 'tidb' ? '' : `, READ ${access === 'write' ? 'WRITE' : 'ONLY'}`;
  // The variables alone would leave bound text with the collation of the handshake, or with the default of its character set.
  const names = `NAMES utf8mb4 COLLATE ${exactCollation(flavor)}`;
  return [
    `SET ${[names, ...assignments].join(', ')}`,
    `SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ${characteristic}`,
  ];
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
  sql_mode: `'${SQL_MODE}'`,
  /** GROUP_CONCAT is not cut before `max_allowed_packet` is full. */
  group_concat_max_len: 4_294_967_295,
  /** Seconds that a statement waits for somebody's ALTER TABLE. */
  lock_wait_timeout: 10,
  /** Seconds after which the server drops the connection of a process that vanished. */
  wait_timeout: 3600,
  /** Without it, a reader's first SELECT begins a transaction that never ends, and sees no later rows. */
  autocommit: 1,
  /** The server cuts longer results without a word: here there is no limit. */
  sql_select_limit: '18446744073709551615',
  /** Tables without transactions would be left half written. */
  default_storage_engine: 'InnoDB',
} as const;

/** What TiDB does not have, or not in every version, or only as it is here. */
const UNLIKE_TIDB = {
  div_precision_increment: 4,
  completion_type: "'NO_CHAIN'",
  default_week_format: 0,
  lc_time_names: "'en_US'",
  /** Bytes of a text that ORDER BY and windows look at: by itself 1024, in which 300 emoji are equal to 301. */
  max_sort_length: 8192,
  /** Where a server keeps none, nobody hears that it cut a result. */
  max_error_count: MAX_WARNINGS,
  sql_big_selects: 1,
  sql_safe_updates: 0,
} as const;

/** MariaDB cuts a recursion at its limit without an error, so the limit is high; the timeout is what ends it. */
const RECURSION = 1_000_000;

/** The limit of a statement's time is 0, for none: readers set one by each query. */
const SETTINGS: Readonly<Record<Flavor, Readonly<Record<string, string | number>>>> = {
  mariadb: {
    ...UNLIKE_TIDB,
    max_recursive_iterations: RECURSION,
    max_statement_time: 0,
    default_regex_flags: "''",
    idle_transaction_timeout: 0,
    idle_write_transaction_timeout: 0,
    /** Joins without an index by hash tables, as MySQL 8 and TiDB do. By default (2) the server compares every row with every other. */
    join_cache_level: 8,
  },
  mysql: { ...UNLIKE_TIDB, cte_max_recursion_depth: RECURSION, max_execution_time: 0 },
  tidb: {
    cte_max_recursion_depth: RECURSION,
    max_execution_time: 0,
    /**
     * Milliseconds that the planner waits for statistics. TiDB keeps none of tables with fewer than 1,000 rows, and would look for them
     * again for each statement.
     */
    tidb_stats_load_sync_wait: 0,
  },
};

const MEGABYTE = 1024 * 1024;

/** An estimate of rows to be looked at that no statement gets through within its time. */
const HOPELESS_ROWS = 10_000_000_000;

/** What a query that nobody has looked at may take. MySQL has no limit of memory and disk that a session may set. */
const CONFINED: Readonly<Record<Flavor, Readonly<Record<string, string | number>>>> = {
  mariadb: {
    max_session_mem_used: 128 * MEGABYTE,
    max_heap_table_size: 16 * MEGABYTE,
    tmp_memory_table_size: 16 * MEGABYTE,
    tmp_disk_table_size: 256 * MEGABYTE,
    max_join_size: HOPELESS_ROWS,
    sql_big_selects: 0,
  },
  mysql: {
    max_heap_table_size: 16 * MEGABYTE,
    tmp_table_size: 16 * MEGABYTE,
    max_join_size: HOPELESS_ROWS,
    sql_big_selects: 0,
  },
  tidb: { tidb_mem_quota_query: 128 * MEGABYTE },
};
