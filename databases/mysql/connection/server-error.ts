import { EngineError, timeoutError } from '../../../engine/interface/errors.js';
import { overloaded, unavailable } from '../../failures.js';

/** What an error of the server or of the connection to it means for a query. */
export type Meaning =
  /** The server is not there, or lets nobody in. */
  | 'away'
  /** The connection broke; a new one may do. */
  | 'lost'
  /** The same query may succeed when asked again. */
  | 'transient'
  /** The server keeps no more prepared statements. It may once a connection gives its own back. */
  | 'full'
  /** The server's own limit stopped the query. */
  | 'timed out'
  /** An administrator or a limit of the server stopped the query. */
  | 'interrupted'
  /** The query reached the limit of its memory. */
  | 'too large'
  /** The server stopped the query because all queries together reached the limit of their memory. */
  | 'crowded'
  | 'other';

export function meaningOf(error: unknown): Meaning {
  const { errno, code, message } = error as { errno?: unknown; code?: unknown; message?: unknown };
  if (errno === TIDB_UNKNOWN && STOPPED.test(String(message))) return 'interrupted';
  return (
    (typeof errno === 'number' ? MEANING_OF_NUMBER.get(errno) : undefined) ??
    (typeof code === 'string' ? MEANING_OF_CODE.get(code) : undefined) ??
    ((error as { fatal?: unknown }).fatal === true ? 'lost' : 'other')
  );
}

/** Whether to ask again: the query reads, and none of its rows were handed over. */
export function isWorthRetrying(error: unknown): boolean {
  const meaning = meaningOf(error);
  return !(error instanceof EngineError) && ['lost', 'transient', 'full'].includes(meaning);
}

/**
 * The engine's error for what went wrong at the server; what is no matter of the server as it is. Only its cause, which is for
 * the log, names the place.
 */
export function explainError(error: unknown, place: string, timeoutMs: number): unknown {
  if (error instanceof EngineError) return error;
  const cause = (what: string) => new Error(`The database at ${place} ${what}.`, { cause: error });
  switch (meaningOf(error)) {
    case 'away':
      return unavailable('The database cannot be reached.', cause(`cannot be reached: ${reasonOf(error)}`));
    case 'lost':
      return unavailable('The connection to the database broke.', cause('broke the connection'));
    case 'transient':
    case 'full':
    case 'crowded':
      return overloaded('The database could not answer for the moment.', cause('could not answer for the moment'));
    case 'timed out':
      return timeoutError(timeoutMs);
    case 'interrupted':
      return new EngineError('query_failed', INTERRUPTED, { cause: cause('stopped the query: see its log') });
    case 'too large':
      return new EngineError('query_failed', TOO_LARGE, {
        cause: cause('stopped the query: it needs more memory than tidb_mem_quota_query'),
      });
    default:
      return error;
  }
}

const INTERRUPTED =
  'The query was stopped at the database, by an administrator or by a limit of the server. Ask again.';
const TOO_LARGE = 'The query was stopped: it needs more memory than one query may have. Join, group or sort less.';

/** TiDB gives this number to every error that has none, also where a statement is stopped while it waits for a part of the server. */
const TIDB_UNKNOWN = 1105;
const STOPPED = /context canceled|query execution was interrupted/i;

/** Numbers of MySQL and MariaDB, and those that TiDB adds. */
const NUMBERS: Partial<Record<Meaning, readonly number[]>> = {
  /** Too many connections, of all or of this account; the host is blocked; the account or database is refused. */
  away: [1040, 1203, 1226, 1129, 1130, 1044, 1045, 1049, 1698],
  /** The server shuts down, killed or forgot the connection or its statements, or met an error of the network. */
  lost: [1053, 1080, 1158, 1159, 1160, 1161, 1243, 1927, 4031],
  /**
   * Deadlock, lock wait, a table or statement that changed meanwhile; from 8000 on TiDB's: schema out of date, PD,
   * TiKV or TiFlash busy, slow or without the region.
   */
  transient: [1205, 1213, 1020, 1412, 1615, 8027, 8028, 9001, 9002, 9003, 9004, 9005, 9006, 9012, 9013],
  full: [1461],
  'timed out': [1969, 3024],
  interrupted: [1317],
  'too large': [8175],
  crowded: [8176],
};

const CODES: Partial<Record<Meaning, readonly string[]>> = {
  away: [
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ETIMEDOUT',
    'HANDSHAKE_SSL_ERROR',
    'HANDSHAKE_NO_SSL_SUPPORT',
  ],
  lost: ['PROTOCOL_CONNECTION_LOST', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'],
};

const MEANING_OF_NUMBER = inverted(NUMBERS);
const MEANING_OF_CODE = inverted(CODES);

function inverted<Key>(lists: Partial<Record<Meaning, readonly Key[]>>): ReadonlyMap<Key, Meaning> {
  const entries = Object.entries(lists) as [Meaning, readonly Key[]][];
  return new Map(entries.flatMap(([meaning, keys]) => keys.map((key) => [key, meaning] as const)));
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up',
  ETIMEDOUT: 'it did not answer in time',
  ER_CON_COUNT_ERROR: 'it has too many connections',
  ER_ACCESS_DENIED_ERROR: 'it refuses this account or password',
  ER_DBACCESS_DENIED_ERROR: 'it refuses this account the database',
  ER_BAD_DB_ERROR: 'it has no such database',
  HANDSHAKE_NO_SSL_SUPPORT: 'it does not encrypt',
  HANDSHAKE_SSL_ERROR: 'its certificate or encryption was not accepted',
};

function reasonOf(error: unknown): string {
  return REASONS[String((error as { code?: unknown }).code)] ?? 'it does not take connections';
}
