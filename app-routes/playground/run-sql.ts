import { toResultEnvelope } from '../../engine/http/envelopes/query-envelope.js';
import { NOTICES, QUERY_MEMBERS, TRUNCATED } from '../../engine/http/envelopes/query-envelope-schema.js';
import { exactObject } from '../../engine/http/json-schema.js';
import { clientAddress } from '../../engine/http/limits/client-address.js';
import type { Operation } from '../../engine/http/operations/operation.js';
import { DATABASE_ERRORS } from '../../engine/http/problems/http-problem.js';
import { requestSchema } from '../../engine/http/requests/request-schema.js';
import { copyNotices } from '../../explorer/playground/copy-notices.js';
import type { Playground, PlaygroundContext, PlaygroundOptions } from '../../explorer/playground/playground.js';
import { sqlProblem } from './sql-problem.js';

/** `POST /q/playground/` runs untrusted SQL over the public tables. */
export function playgroundOperation(playground: Playground, clock: () => Date): Operation {
  const answer = createPlaygroundAnswers(playground, clock);
  return {
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
    body: requestSchema('playground'),
    answer: exactObject('PlaygroundAnswer', { ...QUERY_MEMBERS, truncated: TRUNCATED, notices: NOTICES }),
    errors: ['sql_refused', 'sql_failed', ...DATABASE_ERRORS],
    handle: async ({ body, signal, http }) => ({
      body: await answer(body as PlaygroundBody, { signal, caller: clientAddress(http) }),
    }),
  };
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
