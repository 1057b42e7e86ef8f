import { readStateRows } from '../accounts/state-reads.js';
import { toResultEnvelope } from '../engine/http/envelopes/query-envelope.js';
import { QUERY_ENVELOPE } from '../engine/http/envelopes/query-envelope-schema.js';
import type { OpenOperation, OperationRequest } from '../engine/http/operations/operation.js';
import { DATABASE_ERRORS, HttpProblem } from '../engine/http/problems/http-problem.js';
import type { Database } from '../engine/index.js';

/** `/collections/` lists the public collections, `/collections/{id}/` the repositories of one collection. */
export function collectionOperations(database: Database, clock: () => Date): OpenOperation[] {
  const prepare = (sql: string): Select => ({ sql, query: database.prepare(sql) });
  const [list, items] = [prepare(LIST), prepare(ITEMS)];
  const runSelect = async ({ sql, query }: Select, { parameters, signal }: OperationRequest) => {
    const [startedAt, started] = [clock(), performance.now()];
    // `id` is the only parameter of these operations.
    const values = Object.values(parameters).map(Number);
    const { columns, rows, more } = await database.query(query, values, { ...LIMITS, signal });
    if (more) throw new Error(`The query has more than ${LIMITS.maxRows} rows: ${sql}`);
    return toResultEnvelope({ sql, columns, rows, startedAt, ms: performance.now() - started, parameters });
  };
  return [
    {
      ...COMMON,
      id: 'collections',
      path: '/collections/',
      summary: 'Lists the public collections',
      handle: async (request) => ({ body: await runSelect(list, request) }),
    },
    {
      ...COMMON,
      id: 'collection',
      path: '/collections/{collectionId}/',
      summary: 'Lists the repositories of a public collection',
      parameters: { collectionId: COLLECTION_ID },
      errors: [...COMMON.errors, 'collection_not_found'],
      handle: async (request) => {
        const { parameters, signal } = request;
        const id = Number(parameters.collectionId);
        const body = await runSelect(items, request);
        if (body.data.length === 0 && (await readStateRows(database, EXISTS, [id], signal)).length === 0) {
          throw new HttpProblem('collection_not_found', `There is no public collection ${id}.`);
        }
        return { body };
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

const COLLECTION_ID = {
  in: 'path',
  type: 'integer',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Id of the collection.',
  example: 1,
} as const;

const LIMITS = { maxRows: 10_000, timeoutMs: 5_000 };

const COMMON = {
  access: 'open',
  tag: 'Collections',
  method: 'get',
  answer: QUERY_ENVELOPE,
  errors: DATABASE_ERRORS,
} as const;
