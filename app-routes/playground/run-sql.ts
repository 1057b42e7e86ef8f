import { toResultEnvelope } from '../../engine/http/envelopes/query-envelope.js';
import { NOTICES, QUERY_MEMBERS, TRUNCATED } from '../../engine/http/envelopes/query-envelope-schema.js';
import { exactObject } from '../../engine/http/json-schema.js';
import { clientAddress } from '../../engine/http/limits/client-address.js';
import { forCallers, type OpenOperation, type Operation } from '../../engine/http/operations/operation.js';
import { DATABASE_ERRORS, HttpProblem } from '../../engine/http/problems/http-problem.js';
import { requestSchema } from '../../engine/http/requests/request-schema.js';
import { SqlRejectedError } from '../../engine/sql/guard/rejection.js';
import { findQuotedPlace } from '../../engine/sql/reading/find-quoted-place.js';
import { copyNotices } from '../../explorer/playground/copy-notices.js';
import type { Playground, PlaygroundContext, PlaygroundOptions } from '../../explorer/playground/playground.js';
import { SqlFailedError } from '../../explorer/playground/query-failure.js';

/** `POST /q/playground/` runs untrusted SQL over the public tables. */
export function playgroundOperation(
  playground: Playground,
  clock: () => Date,
  body = requestSchema('playground'),
): Operation {
  const answer = createPlaygroundAnswers(playground, clock);
  const operation: OpenOperation = {
    access: 'open',
    tag: 'Queries',
    id: 'playground',
    method: 'post',
    path: '/q/playground/',
    summary: 'Runs one SELECT over the public tables',
    description:
      'The answer has at most 100 rows, and the query may take 10 seconds. Only listed tables and functions are allowed. ' +
      '`SHOW TABLES`, `SHOW COLUMNS FROM table` and `DESCRIBE table` return the table reference.',
    limit: 'playground',
    body,
    answer: exactObject('PlaygroundAnswer', { ...QUERY_MEMBERS, truncated: TRUNCATED, notices: NOTICES }),
    errors: ['sql_refused', 'sql_failed', ...DATABASE_ERRORS],
    handle: async ({ body: given, signal, http, principal }) => ({
      body: await answer(given as PlaygroundBody, { signal, caller: clientAddress(http), principal }),
    }),
  };
  return forCallers(operation, playground.access.definition);
}

/** The body of `POST /q/playground/`, and of its answer. */
export type PlaygroundBody = { readonly sql: string } & Partial<PlaygroundContext>;
export type PlaygroundAnswer = Awaited<ReturnType<ReturnType<typeof createPlaygroundAnswers>>>;

/**
 * Creates the function that runs untrusted SQL. It throws `sql_refused` and `sql_failed` with the position in the SQL, and `EngineError`.
 */
export function createPlaygroundAnswers(playground: Playground, clock: () => Date) {
  return async ({ sql, ...named }: PlaygroundBody, options: PlaygroundOptions) => {
    const context = contextOf(named);
    const [startedAt, started] = [clock(), performance.now()];
    const { columns, rows, more, copiedAt } = await playground
      .run(sql, { context, ...options })
      .catch((error: unknown) => {
        throw sqlProblem(error, sql);
      });
    const result = { sql, columns, rows, startedAt, ms: performance.now() - started, parameters: {} };
    const { params: _, expiresAt: __, ...members } = toResultEnvelope(result);
    return { ...members, truncated: more, notices: copyNotices(copiedAt) };
  };
}

/** Returns the context of a query; undefined if the body does not contain one. */
export function contextOf({ type, id }: Partial<PlaygroundContext>): PlaygroundContext | undefined {
  return type === undefined || id === undefined ? undefined : { type, id };
}

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
