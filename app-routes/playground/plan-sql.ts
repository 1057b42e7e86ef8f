import { exactObject } from '../../engine/http/json-schema.js';
import { clientAddress } from '../../engine/http/limits/client-address.js';
import type { Operation } from '../../engine/http/operations/operation.js';
import { DATABASE_ERRORS } from '../../engine/http/problems/http-problem.js';
import { requestSchema } from '../../engine/http/requests/request-schema.js';
import type { Playground } from '../../explorer/playground/playground.js';
import {
  MAX_CHEAP_ROWS,
  MAX_ESTIMATED_ROWS,
  MAX_PLAN_ROWS,
  type QueryPlan,
} from '../../explorer/playground/query-cost.js';
import { contextOf, type PlaygroundBody, sqlProblem } from './run-sql.js';

/** The response body of `POST /q/playground/plan/`. */
export interface PlanAnswer {
  readonly steps: QueryPlan['rows'];
  readonly estimatedRows: number;
  readonly lane: QueryPlan['lane'];
}

/** `POST /q/playground/plan/` returns the plan of untrusted SQL. It does not run the SQL. */
export function planOperation(playground: Playground): Operation {
  return {
    access: 'open',
    tag: 'Queries',
    id: 'plan-playground',
    method: 'post',
    path: '/q/playground/plan/',
    summary: 'Returns the plan of a SELECT without running it',
    description: 'The SELECT has the rules of the playground. The columns of the steps depend on the database.',
    limit: 'playground',
    body: requestSchema('playground'),
    answer: PLAN,
    errors: ['sql_refused', 'sql_failed', ...DATABASE_ERRORS],
    handle: async ({ body, signal, http }) => {
      const { sql, ...named } = body as PlaygroundBody;
      const options = { context: contextOf(named), signal, caller: clientAddress(http) };
      const { rows, ...cost } = await playground.plan(sql, options).catch((error) => {
        throw sqlProblem(error, sql);
      });
      return { body: { steps: rows, ...cost } satisfies PlanAnswer };
    },
  };
}

const STEP = { type: 'object', additionalProperties: { title: 'Cell', type: ['string', 'number', 'null'] } };

const PLAN = exactObject('PlaygroundPlan', {
  steps: { type: 'array', items: STEP, description: `At most ${MAX_PLAN_ROWS} steps of the plan.` },
  estimatedRows: {
    type: 'integer',
    description: `The rows that the database reads and compares, as it estimates them; at most ${MAX_ESTIMATED_ROWS}.`,
  },
  lane: {
    type: 'string',
    enum: ['cheap', 'expensive'],
    description: `expensive: more than ${MAX_CHEAP_ROWS} estimated rows.`,
  },
});
