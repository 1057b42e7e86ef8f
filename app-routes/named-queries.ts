import { type Endpoint, type Engine, EngineError } from '../engine/index.js';
import type { AnswerCache, TargetRequest } from '../http/cache/answer-cache.js';
import { serveTarget } from '../http/cache/serve-target.js';
import { toPlanEnvelope } from '../http/envelopes/query-envelope.js';
import { NAMED_QUERY_ENVELOPE, QUERY_ENVELOPE } from '../http/envelopes/query-envelope-schema.js';
import type { OpenOperation, OperationRequest } from '../http/operations/operation.js';
import { DATABASE_ERRORS, HttpProblem } from '../http/problems/http-problem.js';
import { recordOf } from '../http/records/request-record.js';
import { readQuery } from '../http/requests/read-request.js';

/** `/q/{name}` runs the query of a definition, with all parameters in the query string. `/q/explain/{name}/` returns its plan. */
export function namedQueryOperations(engine: Engine, cache: Pick<AnswerCache, 'serve'>): OpenOperation[] {
  const read = ({ parameters, http }: OperationRequest, name: string) =>
    namedRequest(engine, String(parameters[name]), http.originalUrl);
  return [
    {
      ...COMMON,
      answer: NAMED_QUERY_ENVELOPE,
      id: 'named-query',
      path: '/q/{wildcard}',
      summary: 'Runs the query of a definition by name',
      parameters: { wildcard: { ...NAME, in: 'path' } },
      handle: async (request) => ({
        answer: await serveTarget(cache, read(request, 'wildcard'), request.http, {
          signal: request.signal,
          requestId: recordOf(request.response).id,
        }),
      }),
    },
    {
      ...COMMON,
      answer: QUERY_ENVELOPE,
      id: 'explain-named-query',
      path: '/q/explain/{queryName}/',
      summary: 'Returns the execution plan of the query of a definition',
      parameters: { queryName: { ...NAME, in: 'path' } },
      handle: async (request) => {
        const { endpoint, raw } = read(request, 'queryName');
        return { body: toPlanEnvelope(await engine.explain(endpoint, raw, { signal: request.signal })) };
      },
    },
  ];
}

/** Returns what a request for a definition by name asks of the cache. Throws `query_not_found` and `endpoint_broken`. */
export function namedRequest(engine: Engine, name: string, target: string): TargetRequest {
  const raw = { path: {}, query: readQuery(target) };
  const { generation } = engine;
  const endpoint = engine.select(endpointOf(engine, name), raw, target);
  return { endpoint, raw, representation: 'query', target, generation };
}

export const NAME = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  description: 'Name of the definition. Its parameters are query parameters of the request.',
  example: 'list-collections',
} as const;

const COMMON = {
  access: 'open',
  tag: 'Queries',
  method: 'get',
  anyQuery: true,
  limit: 'public',
  errors: ['query_not_found', 'endpoint_broken', ...DATABASE_ERRORS],
} as const;

/** Returns a definition by its name. Throws `query_not_found` and `endpoint_broken`. */
export function endpointOf(engine: Engine, name: string): Endpoint {
  try {
    return engine.endpoint(name);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'endpoint_not_found') throw error;
    throw new HttpProblem('query_not_found', `${error.message} /openapi.json lists all endpoints.`);
  }
}
