import { expect } from 'chai';
import { explainError, isRetryable } from '../../../databases/mysql/connection/server-error.js';
import { EngineError } from '../../../engine/interface/errors.js';

const ASIDE = 'The database could not answer for the moment.';
const BROKEN = 'The connection to the database broke.';
const AWAY = 'The database cannot be reached.';
const STOPPED = 'The query was stopped at the database, by an administrator or by a limit of the server. Ask again.';
const MEMORY = 'The query was stopped: it needs more memory than one query may have. Join, group or sort less.';
const SLOW = 'The query was stopped after 70 ms, the time it is allowed.';

/** What a server or a socket says, whether to ask again, and what callers and the log get at last. */
const CASES: readonly (readonly [
  name: string,
  error: object,
  again: boolean,
  code: string,
  message: string,
  logged?: string,
])[] = [
  ['a deadlock', { errno: 1213 }, true, 'overloaded', ASIDE, 'could not answer for the moment.'],
  ['a wait for a lock', { errno: 1205 }, true, 'overloaded', ASIDE, 'could not answer for the moment.'],
  ['a region of TiDB', { errno: 9005 }, true, 'overloaded', ASIDE, 'could not answer for the moment.'],
  ['a schema of TiDB', { errno: 8028 }, true, 'overloaded', ASIDE, 'could not answer for the moment.'],
  ['no room for statements', { errno: 1461 }, true, 'overloaded', ASIDE, 'could not answer for the moment.'],
  [
    'a lost connection',
    { code: 'PROTOCOL_CONNECTION_LOST', fatal: true },
    true,
    'database_unavailable',
    BROKEN,
    'broke the connection.',
  ],
  ['a closed connection', { fatal: true }, true, 'database_unavailable', BROKEN, 'broke the connection.'],
  ['a shutdown', { errno: 1053 }, true, 'database_unavailable', BROKEN, 'broke the connection.'],
  [
    'a refused connection',
    { code: 'ECONNREFUSED', errno: -111, fatal: true },
    false,
    'database_unavailable',
    AWAY,
    'cannot be reached: the connection was refused.',
  ],
  [
    'a name that is not known',
    { code: 'ENOTFOUND', errno: -3008 },
    false,
    'database_unavailable',
    AWAY,
    'cannot be reached: its name is not known.',
  ],
  [
    'a full server',
    { errno: 1040, code: 'ER_CON_COUNT_ERROR', fatal: true },
    false,
    'database_unavailable',
    AWAY,
    'cannot be reached: it has too many connections.',
  ],
  [
    'a wrong password',
    { errno: 1045, code: 'ER_ACCESS_DENIED_ERROR', fatal: true },
    false,
    'database_unavailable',
    AWAY,
    'cannot be reached: it refuses this account or password.',
  ],
  ['a query that was killed', { errno: 1317 }, false, 'query_failed', STOPPED, 'stopped the query: see its log.'],
  [
    'a query that was killed on TiDB',
    { errno: 1105, message: 'context canceled' },
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
  ['a TiDB without memory', { errno: 8176 }, false, 'overloaded', ASIDE, 'could not answer for the moment.'],
  ['a time limit of MySQL', { errno: 3024 }, false, 'query_timeout', SLOW],
  ['a time limit of MariaDB', { errno: 1969 }, false, 'query_timeout', SLOW],
];

describe('errors of a MySQL-protocol server', () => {
  for (const [name, facts, again, code, message, logged] of CASES) {
    it(`are told from each other: ${name}`, () => {
      const error = Object.assign(new Error("what the driver says of user 'u'"), facts);
      const explained = explainError(error, 'db:3306', 70) as EngineError;
      expect([isRetryable(error), explained.code, explained.message]).to.deep.equal([again, code, message]);
      const cause = explained.cause as Error | undefined;
      expect(cause?.message).to.equal(logged && `The database at db:3306 ${logged}`);
      if (logged !== undefined) expect(cause?.cause).to.equal(error);
    });
  }

  it("are the query's own where they are none of these, and are not repeated", () => {
    const wrong = Object.assign(new Error('Unknown column'), { errno: 1054 });
    const unnamed = Object.assign(new Error('other'), { errno: 1105 });
    const known = new EngineError('overloaded', 'busy');
    for (const error of [wrong, unnamed, known]) {
      expect([isRetryable(error), explainError(error, 'db:3306', 70)]).to.deep.equal([false, error]);
    }
  });
});
