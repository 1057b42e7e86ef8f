import { expect } from 'chai';
import { EngineError } from '../../engine/databases/interface/errors.js';
import { explainFailure, SqlFailedError } from '../../explorer/playground/query-failure.js';

describe('the errors of a playground query', () => {
  it('are failures of the SQL with a reason, also for unknown error numbers', () => {
    expect([
      reasonOf(ofServer(1370, '42000', "execute command denied to user 'p'@'h' for routine 'insight.F'")),
      reasonOf(ofServer(1054, '42S22', 'unknown column "x"')),
      reasonOf(ofServer(1690, '22003', 'a number is out of range')),
      reasonOf(ofServer(59_999, '42000', 'secret')),
      reasonOf(ofServer(59_998, '22012', 'secret')),
      reasonOf(ofServer(59_997, '21S01', 'secret')),
      reasonOf(ofServer(59_996, 'HY000', 'secret')),
      reasonOf(ofServer(59_995, undefined, 'secret')),
    ]).to.deep.equal([
      'A function of this query does not exist on this database.',
      'unknown column "x"',
      'a number is out of range',
      'The database does not accept the syntax of this query (its error 59999).',
      'A value of this query is invalid or out of range (its error 59998).',
      'A row or a subquery of this query has the wrong number of columns or rows (its error 59997).',
      'The database cannot run this query (its error 59996).',
      'The database cannot run this query (its error 59995).',
    ]);
  });

  it('are failures of the SQL with a reason, also for unknown kinds of DuckDB errors', () => {
    expect([
      reasonOf(new Error('Binder Error: Referenced column "x" not found\n\nLINE 1: …')),
      reasonOf(new Error('Not implemented Error: Unimplemented type for cast')),
      reasonOf(new Error('Invalid Input Error: missing ]: [')),
      reasonOf(new Error('Out of Memory Error: failed to allocate /var/lib/x')),
      reasonOf(new Error('INTERNAL Error: secret')),
      reasonOf(new Error('Some Future Error: secret')),
      reasonOf(new EngineError('query_failed', 'a number is out of range')),
    ]).to.deep.equal([
      'unknown column "x"',
      'the embedded database cannot run this SQL: write it in a simpler way, for example with a derived table or a WITH',
      'a regular expression is not valid, or uses look-around or back-references, which are not supported (missing ]: [)',
      'The query was stopped: it needs too much memory. Join, group or sort less.',
      'The database cannot run this query (INTERNAL Error).',
      'The database cannot run this query (Some Future Error).',
      'a number is out of range',
    ]);
  });

  it('stay as they are if only an operator can correct the cause', () => {
    for (const error of [
      ofServer(1142, '42000', "SELECT command denied to user 'p'@'h' for table 'github_events'"),
      ofServer(1143, '42000', "SELECT command denied to user 'p'@'h' for column 'id'"),
      ofServer(1146, '42S02', "Table 'insight.github_events' doesn't exist"),
      new Error('IO Error: Could not read from file "/var/lib/x.duckdb"'),
      new Error('FATAL Error: Failed: database has been invalidated because of a previous fatal error'),
      new TypeError('rows is not iterable'),
      new EngineError('overloaded', 'The database is busy.'),
    ]) {
      expect(explainFailure(error), error.message).to.equal(error);
    }
  });
});

function reasonOf(error: Error): string {
  const explained = explainFailure(error);
  if (!(explained instanceof SqlFailedError))
    throw new Error(`${error.message} does not count as a failure of the SQL`);
  expect(explained.cause).to.equal(error);
  return explained.message;
}

/** Creates an error with the properties of errors from mysql2. */
function ofServer(errno: number, sqlState: string | undefined, sqlMessage: string): Error {
  return Object.assign(new Error(sqlMessage), { errno, sqlState, sqlMessage });
}
