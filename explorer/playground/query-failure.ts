import { explainQueryError } from '../../engine/databases/duckdb/explain-query-error.js';
import { EngineError } from '../../engine/index.js';

/**
 * Thrown if the database could not run SQL because of a mistake in the SQL. The message is for the author of the SQL; the cause is for the
 * log.
 */
export class SqlFailedError extends Error {
  override readonly name = 'SqlFailedError';

  constructor(message: string, cause: unknown) {
    super(message, { cause });
  }
}

/**
 * Returns a `SqlFailedError` for every database error that the text of a query can cause, even if the error number is unknown. Returns all
 * other errors unchanged: errors of the engine, errors of this program, and errors that only an operator can fix.
 */
export function explainFailure(error: unknown): unknown {
  if (error instanceof EngineError) {
    return error.code === 'query_failed' ? new SqlFailedError(error.message, error) : error;
  }
  if (!(error instanceof Error)) return error;
  const message =
    explainServerError(error) ?? explainDuckDbError(error.cause instanceof Error ? error.cause.message : error.message);
  return message === undefined ? error : new SqlFailedError(message, error);
}

/** Error numbers of MySQL and MariaDB whose messages describe the SQL and name no server, account, file or database. */
const INFORMATIVE_NUMBERS = new Set([
  ...[
    1052, 1054, 1055, 1056, 1060, 1064, 1066, 1111, 1139, 1140, 1222, 1235, 1241, 1242, 1248, 1250, 1253, 1267, 1270,
    1271, 1690,
  ],
  ...[1292, 1365, 1366, 1406, 1411, 1425, 1426, 1427, 1582, 1584, 3593, 4078, 4079, 4161],
  // Window functions: the numbers of MySQL, then those of MariaDB.
  ...[3579, 3580, 3581, 3582, 3583, 3584, 3585, 3586, 3587, 3588, 3589, 3590, 3591],
  ...[4009, 4010, 4011, 4012, 4013, 4014, 4015, 4016, 4017, 4018, 4019, 4020, 4021, 4022, 4023, 4024],
]);

const NO_FUNCTION = 'A function of this query does not exist on this database.';
const TOO_LARGE = 'The query was stopped: its intermediate results are too large. Join, group or sort less.';
const TOO_MUCH_MEMORY = 'The query was stopped: it needs too much memory. Join, group or sort less.';

/** Replacements for messages that must not be shown to untrusted users. */
const EXPLANATIONS: ReadonlyMap<number, string> = new Map([
  [1021, TOO_LARGE],
  [1038, TOO_MUCH_MEMORY],
  [1104, 'The query would read more than 10,000,000,000 rows: join on equal columns, or select fewer rows.'],
  [1114, TOO_LARGE],
  [1290, TOO_MUCH_MEMORY],
  [1305, NO_FUNCTION],
  // For an unknown function name, MariaDB and MySQL report a missing permission for a stored function.
  [1370, NO_FUNCTION],
]);

/**
 * Error numbers that are not caused by the SQL of a query: a missing privilege or table of the service, or a server that is damaged or out
 * of memory.
 */
const SERVICE_NUMBERS = new Set([1030, 1037, 1041, 1044, 1045, 1049, 1142, 1143, 1146, 1194, 1195, 1227]);

/** Messages for all other error numbers, by the first two characters of the SQLSTATE. */
const SQLSTATE_CLASSES: Readonly<Record<string, string>> = {
  21: 'A row or a subquery of this query has the wrong number of columns or rows',
  22: 'A value of this query is invalid or out of range',
  42: 'The database does not accept the syntax of this query',
};

function explainServerError(error: Error): string | undefined {
  const { errno, sqlMessage, sqlState } = error as { errno?: unknown; sqlMessage?: unknown; sqlState?: unknown };
  if (typeof errno !== 'number' || typeof sqlMessage !== 'string' || SERVICE_NUMBERS.has(errno)) return undefined;
  if (INFORMATIVE_NUMBERS.has(errno)) return sqlMessage.slice(0, MAX_MESSAGE);
  const reason = SQLSTATE_CLASSES[String(sqlState).slice(0, 2)] ?? 'The database cannot run this query';
  return EXPLANATIONS.get(errno) ?? `${reason} (its error ${errno}).`;
}

const MAX_MESSAGE = 300;

/** Kinds of DuckDB errors whose messages describe the SQL and its values. Messages of other kinds may contain file names. */
const INFORMATIVE_KINDS = new Set([
  'Conversion',
  'Out of Range',
  'Invalid Input',
  'Invalid Type',
  'Mismatch Type',
  'Divide by Zero',
]);

/** Kinds of DuckDB errors that are not caused by the SQL of a query. */
const SERVICE_KINDS = new Set([
  ...['IO', 'HTTP', 'Network', 'Permission', 'FATAL', 'Connection', 'TransactionContext', 'Serialization', 'INTERRUPT'],
  ...['Settings', 'Invalid Configuration', 'Missing Extension', 'Extension Autoloading', 'Scheduler'],
]);

function explainDuckDbError(text: string): string | undefined {
  const explained = explainQueryError(text);
  if (explained !== undefined) return explained;
  const [, kind, message = ''] = /^([A-Z][A-Za-z ]*) Error: (.*)/.exec(text) ?? [];
  if (kind === undefined || SERVICE_KINDS.has(kind)) return undefined;
  if (kind === 'Out of Memory') return TOO_MUCH_MEMORY;
  if (!INFORMATIVE_KINDS.has(kind)) return `The database cannot run this query (${kind} Error).`;
  return message.slice(0, MAX_MESSAGE);
}
