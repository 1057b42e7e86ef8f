import { expect } from 'chai';
import { EngineError } from '../../../engine/databases/interface/errors.js';
import { explainError, isRetryable } from '../../../engine/databases/mysql/connection/server-error.js';

const BUSY = 'The database cannot answer at the moment. Try again later.';
const LOST = 'The connection to the database was lost.';
const UNREACHABLE = 'The database cannot be reached.';
const STOPPED = 'An administrator or a limit of the database server stopped the query. Try again.';
const MEMORY = 'The query was stopped: it needs more memory than one query may use. Join, group or sort fewer rows.';
const SLOW = 'The query was stopped at its time limit of 70 ms.';

/** Errors of a server or a socket. For each of them: whether the query is retried, and the errors for callers and for the log. */
const CASES: readonly (readonly [
  name: string,
  error: object,
  isRetryable: boolean,
  code: string,
  message: string,
  logged?: string,
])[] = [
  ['a deadlock', { errno: 1213 }, true, 'overloaded', BUSY, 'cannot answer at the moment.'],
  ['a wait for a lock', { errno: 1205 }, true, 'overloaded', BUSY, 'cannot answer at the moment.'],
  ['a region of TiDB', { errno: 9005 }, true, 'overloaded', BUSY, 'cannot answer at the moment.'],
  ['a schema of TiDB', { errno: 8028 }, true, 'overloaded', BUSY, 'cannot answer at the moment.'],
  ['no space for prepared statements', { errno: 1461 }, true, 'overloaded', BUSY, 'cannot answer at the moment.'],
  [
    'a lost connection',
    { code: 'PROTOCOL_CONNECTION_LOST', fatal: true },
    true,
    'database_unavailable',
    LOST,
    'closed the connection.',
  ],
  ['a closed connection', { fatal: true }, true, 'database_unavailable', LOST, 'closed the connection.'],
  ['a shutdown', { errno: 1053 }, true, 'database_unavailable', LOST, 'closed the connection.'],
  [
    'a port without a server',
    { code: 'ECONNREFUSED', errno: -111, fatal: true },
    false,
    'database_unavailable',
    UNREACHABLE,
    'cannot be reached: no server listens on this port.',
  ],
  [
    'an unknown host name',
    { code: 'ENOTFOUND', errno: -3008 },
    false,
    'database_unavailable',
    UNREACHABLE,
    'cannot be reached: the host name is unknown.',
  ],
  [
    'a full server',
    { errno: 1040, code: 'ER_CON_COUNT_ERROR', fatal: true },
    false,
    'database_unavailable',
    UNREACHABLE,
    'cannot be reached: it has too many connections.',
  ],
  [
    'a wrong password',
    { errno: 1045, code: 'ER_ACCESS_DENIED_ERROR', fatal: true },
    false,
    'database_unavailable',
    UNREACHABLE,
    'cannot be reached: it rejects this account or password.',
  ],
  ['a query that was killed', { errno: 1317 }, false, 'query_failed', STOPPED, 'stopped the query: see its log.'],
  [
    'a query on TiDB whose part was stopped',
    { errno: 1105, message: 'context canceled' },
    true,
    'query_failed',
    STOPPED,
    'stopped the query: see its log.',
  ],
  [
    'a query that was killed on TiDB',
    { errno: 1105, message: 'Query execution was interrupted' },
    false,
    'query_failed',
    STOPPED,
    'stopped the query: see its log.',
  ],
  [
    'a query beyond its memory on TiDB',
    { errno: 8175 },
    false,
    'query_failed',
    MEMORY,
    'stopped the query: it needs more memory than tidb_mem_quota_query.',
  ],
  ['a TiDB without memory', { errno: 8176 }, false, 'overloaded', BUSY, 'cannot answer at the moment.'],
  ['a time limit of MySQL', { errno: 3024 }, false, 'query_timeout', SLOW],
  ['a time limit of MariaDB', { errno: 1969 }, false, 'query_timeout', SLOW],
];

describe('errors of a MySQL-protocol server', () => {
  for (const [name, facts, retryable, code, message, logged] of CASES) {
    it(`are classified: ${name}`, () => {
      const error = Object.assign(new Error("the message of the driver about user 'u'"), facts);
      const explained = explainError(error, 'db:3306', 70) as EngineError;
      expect([isRetryable(error), explained.code, explained.message]).to.deep.equal([retryable, code, message]);
      const cause = explained.cause as Error | undefined;
      expect(cause?.message).to.equal(logged && `The database at db:3306 ${logged}`);
      if (logged !== undefined) expect(cause?.cause).to.equal(error);
    });
  }

  it('are returned unchanged and not retried if they are errors of the query', () => {
    const wrong = Object.assign(new Error('Unknown column'), { errno: 1054 });
    const unnamed = Object.assign(new Error('other'), { errno: 1105 });
    const known = new EngineError('overloaded', 'busy');
    for (const error of [wrong, unnamed, known]) {
      expect([isRetryable(error), explainError(error, 'db:3306', 70)]).to.deep.equal([false, error]);
    }
  });
});
