/** Returns why a definition must not call a function, or undefined if it may. `name` is in capital letters. */
export function explainForbiddenFunction(name: string): string | undefined {
  if (CLOCK.has(name)) {
    const parameter = DAYS.has(name) ? 'today' : 'now';
    return `${name} reads the clock of the database: use {{ ${parameter} }}, the clock of the service in UTC`;
  }
  if (RANDOM.has(name)) return `${name} makes every answer different: remove it`;
  return SESSION.has(name) ? `${name} reads or changes the server, not the data: remove it` : undefined;
}

const CLOCK = new Set([
  'NOW',
  'CURRENT_DATE',
  'CURDATE',
  'CURRENT_TIME',
  'CURTIME',
  'CURRENT_TIMESTAMP',
  'LOCALTIME',
  'LOCALTIMESTAMP',
  'SYSDATE',
  'UTC_DATE',
  'UTC_TIME',
  'UTC_TIMESTAMP',
  'UNIX_TIMESTAMP',
  'GETDATE',
  'TODAY',
]);
/** Clock functions that return a date. */
const DAYS = new Set(['CURRENT_DATE', 'CURDATE', 'UTC_DATE', 'TODAY']);
const RANDOM = new Set([
  'RAND',
  'RANDOM',
  'UUID',
  'UUID_SHORT',
  'UUID_V4',
  'UUID_V7',
  'SYS_GUID',
  'RANDOM_BYTES',
  'GEN_RANDOM_UUID',
]);
const SESSION = new Set([
  'SLEEP',
  'BENCHMARK',
  'LOAD_FILE',
  'GET_LOCK',
  'RELEASE_LOCK',
  'RELEASE_ALL_LOCKS',
  'IS_FREE_LOCK',
  'IS_USED_LOCK',
  'USER',
  'CURRENT_USER',
  'SESSION_USER',
  'SYSTEM_USER',
  'CURRENT_ROLE',
  'CONNECTION_ID',
  'DATABASE',
  'SCHEMA',
  'VERSION',
  'TIDB_CURRENT_TSO',
  'LAST_INSERT_ID',
  'FOUND_ROWS',
  'ROW_COUNT',
  'GETENV',
]);
