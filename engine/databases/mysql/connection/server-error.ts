import { overloadedError, unavailableError } from '../../failures.js';
import { EngineError, timeoutError } from '../../interface/errors.js';
import { explainQueryError } from './explain-query-error.js';

/** The classes of errors of a server or of the connection to it. */
export type ErrorClass =
  /** The server cannot be reached or rejects the login. */
  | 'unreachable'
  /** The connection was lost; a new one may work. */
  | 'connection lost'
  /** The same query may succeed on a retry. */
  | 'transient'
  /**
   * The server has too many prepared statements. It accepts new statements when a connection with prepared statements
   * ends.
   */
  | 'too many statements'
  /** The time limit of the server stopped the query. */
  | 'timed out'
  /** An administrator or a limit of the server stopped the query. */
  | 'interrupted'
  /** The same for one part of the query on TiDB, or TiDB has stopped this part because it already had all rows. */
  | 'part interrupted'
  /** The query reached the memory limit for a single query. */
  | 'query out of memory'
  /** The server stopped the query because all queries together reached the memory limit of the server. */
  | 'server out of memory'
  | 'other';

/** Finds the class of an error by its number and its code. */
export function classifyError(error: unknown): ErrorClass {
  const { errno, code, message } = error as { errno?: unknown; code?: unknown; message?: unknown };
  if (errno === TIDB_UNKNOWN && /context canceled/i.test(String(message))) return 'part interrupted';
  if (errno === TIDB_UNKNOWN && /query execution was interrupted/i.test(String(message))) return 'interrupted';
  return (
    (typeof errno === 'number' ? CLASS_OF_NUMBER.get(errno) : undefined) ??
    (typeof code === 'string' ? CLASS_OF_CODE.get(code) : undefined) ??
    ((error as { fatal?: unknown }).fatal === true ? 'connection lost' : 'other')
  );
}

/**
 * Whether a query may be retried after this error. A retry is safe, because queries only read data, and return rows
 * only if they succeed.
 */
export function isRetryable(error: unknown): boolean {
  if (error instanceof EngineError) return false;
  return ['connection lost', 'transient', 'too many statements', 'part interrupted'].includes(classifyError(error));
}

/**
 * Converts an error of the server into an `EngineError`. For errors that the SQL of the query causes, see
 * `explainQueryError`. Only `cause`, which is for the log, contains the address of the server.
 */
export function explainError(error: unknown, place: string, timeoutMs: number): unknown {
  if (error instanceof EngineError) return error;
  const cause = (what: string) => new Error(`The database at ${place} ${what}.`, { cause: error });
  switch (classifyError(error)) {
    case 'unreachable':
      return unavailableError('The database cannot be reached.', cause(`cannot be reached: ${reasonOf(error)}`));
    case 'connection lost':
      return unavailableError('The connection to the database was lost.', cause('closed the connection'));
    case 'transient':
    case 'too many statements':
    case 'server out of memory':
      return overloadedError(
        'The database cannot answer at the moment. Try again later.',
        cause('cannot answer at the moment'),
      );
    case 'timed out':
      return timeoutError(timeoutMs);
    case 'interrupted':
    case 'part interrupted':
      return new EngineError('query_failed', INTERRUPTED, { cause: cause('stopped the query: see its log') });
    case 'query out of memory':
      return new EngineError('query_failed', OUT_OF_MEMORY, {
        cause: cause('stopped the query: it needs more memory than tidb_mem_quota_query'),
      });
    default:
      return explainQueryError(error);
  }
}

const INTERRUPTED = 'An administrator or a limit of the database server stopped the query. Try again.';
const OUT_OF_MEMORY =
  'The query was stopped: it needs more memory than one query may use. Join, group or sort fewer rows.';

/**
 * TiDB uses this number for all errors without a specific number, for example if a statement is stopped while it waits
 * for a component of the server.
 */
const TIDB_UNKNOWN = 1105;

/** Error numbers of MySQL and MariaDB, and those that TiDB adds. */
const NUMBERS: Partial<Record<ErrorClass, readonly number[]>> = {
  /** Too many connections, in total or of this account; the host is blocked; the account or the database is rejected. */
  unreachable: [1040, 1203, 1226, 1129, 1130, 1044, 1045, 1049, 1698],
  /** The server is shutting down, has killed or lost the connection or its prepared statements, or has a network error. */
  'connection lost': [1053, 1080, 1158, 1159, 1160, 1161, 1243, 1927, 4031],
  /**
   * A deadlock, a lock timeout, or a changed table or statement. Numbers from 8000 are of TiDB: the schema is out of
   * date, or PD, TiKV or TiFlash is busy, slow or does not have the region.
   */
  transient: [1205, 1213, 1020, 1412, 1615, 8027, 8028, 9001, 9002, 9003, 9004, 9005, 9006, 9012, 9013],
  'too many statements': [1461],
  'timed out': [1969, 3024],
  interrupted: [1317],
  'query out of memory': [8175],
  'server out of memory': [8176],
};

const CODES: Partial<Record<ErrorClass, readonly string[]>> = {
  unreachable: [
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ETIMEDOUT',
    'HANDSHAKE_SSL_ERROR',
    'HANDSHAKE_NO_SSL_SUPPORT',
  ],
  'connection lost': [
    'PROTOCOL_CONNECTION_LOST',
    'ECONNRESET',
    'EPIPE',
    'ERR_STREAM_DESTROYED',
    'ERR_STREAM_WRITE_AFTER_END',
  ],
};

const CLASS_OF_NUMBER = invert(NUMBERS);
const CLASS_OF_CODE = invert(CODES);

function invert<Key>(lists: Partial<Record<ErrorClass, readonly Key[]>>): ReadonlyMap<Key, ErrorClass> {
  const entries = Object.entries(lists) as [ErrorClass, readonly Key[]][];
  return new Map(entries.flatMap(([errorClass, keys]) => keys.map((key) => [key, errorClass] as const)));
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server listens on this port',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be resolved',
  ETIMEDOUT: 'it did not answer in time',
  ER_CON_COUNT_ERROR: 'it has too many connections',
  ER_ACCESS_DENIED_ERROR: 'it rejects this account or password',
  ER_DBACCESS_DENIED_ERROR: 'it does not allow this account to use the database',
  ER_BAD_DB_ERROR: 'the database does not exist',
  HANDSHAKE_NO_SSL_SUPPORT: 'it does not support encryption',
  HANDSHAKE_SSL_ERROR: 'the check of its certificate or encryption failed',
};

function reasonOf(error: unknown): string {
  return REASONS[String((error as { code?: unknown }).code)] ?? 'it does not accept connections';
}
