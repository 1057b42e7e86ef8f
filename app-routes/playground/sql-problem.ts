import { HttpProblem } from '../../engine/http/problems/http-problem.js';
import { SqlRejectedError } from '../../engine/sql/guard/rejection.js';
import { findQuotedPlace } from '../../engine/sql/reading/find-quoted-place.js';
import { SqlFailedError } from '../../explorer/playground/query-failure.js';

/**
 * Converts an error of the playground to an HTTP problem, with the position in the author's SQL: `sql_refused` if the guard rejects the
 * SQL, `sql_failed` if the database does. The position is missing if the message of the database does not quote a part of the SQL. Returns
 * other errors unchanged.
 */
export function sqlProblem(error: unknown, sql: string): unknown {
  if (error instanceof SqlFailedError) {
    const { message: reason, cause } = error;
    const position = findQuotedPlace(sql, reason);
    const place = position === undefined ? {} : { position, ...lineOf(sql, position) };
    return new HttpProblem('sql_failed', reason, { cause, errors: [{ reason, ...place }] });
  }
  if (!(error instanceof SqlRejectedError)) return error;
  const { reason, position } = error;
  const { line, column } = lineOf(sql, position);
  const errors = [{ reason, position, line, column }];
  return new HttpProblem('sql_refused', `line ${line}, column ${column}: ${reason}`, { errors });
}

/** Returns the line and the column of a position, both counted from 1. */
function lineOf(sql: string, position: number): { readonly line: number; readonly column: number } {
  const before = sql.slice(0, position).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
