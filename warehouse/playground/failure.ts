import { EngineError } from '../../engine/errors.js';

/** The database ran the SQL and failed by the fault of its author. The message is fit for them; the cause is for the log. */
export class SqlFailedError extends Error {
  override readonly name = 'SqlFailedError';

  constructor(message: string, cause: unknown) {
    super(message, { cause });
  }
}

/** `SqlFailedError` for what the author of the SQL can mend; anything else as it is. */
export function explainFailure(error: unknown): unknown {
  if (error instanceof EngineError) {
    return error.code === 'query_failed' ? new SqlFailedError(error.message, error) : error;
  }
  if (!(error instanceof Error)) return error;
  const message = ofServer(error) ?? ofDuckDb(error.message);
  return message === undefined ? error : new SqlFailedError(message, error);
}

/** Numbers of MySQL and MariaDB whose messages tell of the SQL, and name no server, account, file or database. */
const TELLING = new Set([
  ...[1052, 1054, 1055, 1056, 1060, 1064, 1066, 1111, 1139, 1140, 1222, 1241, 1242, 1248, 1250, 1253, 1267, 1270, 1271],
  ...[1292, 1365, 1366, 1406, 1411, 1425, 1426, 1427, 1582, 1584, 3593, 4078, 4161],
  // Of windows; MySQL's and MariaDB's own.
  ...[3579, 3580, 3581, 3582, 3583, 3584, 3585, 3586, 3587, 3588, 3589, 3590, 3591],
  ...[4015, 4016, 4017, 4018, 4019, 4020, 4021, 4022, 4023, 4024],
]);

/** Those whose messages are not fit for strangers. */
const TOLD: ReadonlyMap<number, string> = new Map([
  [
    1104,
    'The query would look at more than 10,000,000,000 rows: join on columns that are equal, or choose fewer rows.',
  ],
  [1114, 'The query was stopped: its intermediate results are too large. Join, group or sort less.'],
  [1290, 'The query was stopped: it needs too much memory. Join, group or sort less.'],
  [1305, 'A function of this query does not exist on this database.'],
  [1690, 'A number is out of range.'],
]);

/** The account may not do what the guard allows: this is ours to mend. */
const DENIED = new Set([1044, 1045, 1142, 1143, 1227, 1370]);

function ofServer(error: Error): string | undefined {
  const { errno, sqlMessage } = error as { errno?: unknown; sqlMessage?: unknown };
  if (typeof errno !== 'number' || typeof sqlMessage !== 'string' || DENIED.has(errno)) return undefined;
  if (TELLING.has(errno)) return sqlMessage.slice(0, MAX_MESSAGE);
  return TOLD.get(errno) ?? `The database cannot run this query (its error ${errno}).`;
}

const MAX_MESSAGE = 300;

/** Kinds of errors that DuckDB makes of SQL and of values; others, such as IO Error, may name files. */
const KINDS = /^(?:Binder|Conversion|Out of Range|Invalid Input|Mismatch Type|Parser|Catalog) Error: (.*)/;

function ofDuckDb(message: string): string | undefined {
  if (message.startsWith('Out of Memory Error')) return TOLD.get(1290);
  return KINDS.exec(message)?.[1]?.slice(0, MAX_MESSAGE);
}
