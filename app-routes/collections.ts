import type { BoundValue, Database, ParameterValues, QueryEnvelope } from '../engine/index.js';
import { toResultEnvelope } from '../engine/index.js';
import { DATABASE_ERRORS, HttpProblem } from './http-problem.js';
import type { OpenOperation } from './operation.js';
import { QUERY_ENVELOPE } from './query-envelope-schema.js';

/** `/collections/` and `/collections/{id}/`: the public collections, and the repositories of one. */
export function collectionOperations(database: Database, clock: () => Date): OpenOperation[] {
  const select = (sql: string): Select => ({ sql, query: database.prepare(sql) });
  const [list, items, exists] = [select(LIST), select(ITEMS), select(EXISTS)];
  const rowsOf = async ({ sql, query }: Select, values: readonly BoundValue[], signal: AbortSignal) => {
    const [startedAt, started] = [clock(), performance.now()];
    const { columns, rows, more } = await database.query(query, values, { ...LIMITS, signal });
    if (more) throw new Error(`More than ${LIMITS.maxRows} rows came: ${sql}`);
    return { sql, columns, rows, startedAt, ms: performance.now() - started };
  };
  return [
    {
      ...COMMON,
      id: 'collections',
      path: '/collections/',
      summary: 'The public collections',
      handle: async ({ signal }) => ({ body: envelope(await rowsOf(list, [], signal), {}) }),
    },
    {
      ...COMMON,
      id: 'collection',
      path: '/collections/{collectionId}/',
      summary: 'The repositories of a public collection',
      parameters: {
        collectionId: {
          in: 'path',
          type: 'integer',
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Id of the collection.',
          example: 1,
        },
      },
      errors: [...COMMON.errors, 'collection_not_found'],
      handle: async ({ parameters, signal }) => {
        const id = Number(parameters.collectionId);
        const result = await rowsOf(items, [id], signal);
        if (result.rows.length === 0 && (await rowsOf(exists, [id], signal)).rows.length === 0) {
          throw new HttpProblem('collection_not_found', `There is no public collection ${id}.`);
        }
        return { body: envelope(result, parameters) };
      },
    },
  ];
}

interface Select {
  readonly sql: string;
  readonly query: ReturnType<Database['prepare']>;
}

const LIST = 'SELECT id, name, public FROM collections WHERE public = 1 ORDER BY name, id';

const ITEMS = `SELECT i.id, i.collection_id, i.repo_id, i.repo_name
FROM collection_items i
JOIN collections c ON c.id = i.collection_id
WHERE c.id = :p1 AND c.public = 1
ORDER BY i.id`;

const EXISTS = 'SELECT id FROM collections WHERE id = :p1 AND public = 1';

const LIMITS = { maxRows: 10_000, timeoutMs: 5_000 };

const COMMON = {
  access: 'open',
  tag: 'Collections',
  method: 'get',
  answer: QUERY_ENVELOPE,
  errors: DATABASE_ERRORS,
} as const;

function envelope(
  result: Omit<Parameters<typeof toResultEnvelope>[0], 'parameters'>,
  parameters: ParameterValues,
): QueryEnvelope {
  return toResultEnvelope({ ...result, parameters });
}
