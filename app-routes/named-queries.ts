import { type Endpoint, type Engine, EngineError } from '../engine/index.js';
import { type AnswerCache, keyOfTarget, type TargetRequest } from '../http/cache/answer-cache.js';
import { serveTarget } from '../http/cache/serve-target.js';
import { toPlanEnvelope } from '../http/envelopes/query-envelope.js';
import { NAMED_QUERY_ENVELOPE, QUERY_ENVELOPE } from '../http/envelopes/query-envelope-schema.js';
import { acceptedFormat } from '../http/formats/accepted-format.js';
import { type AskedFormat, readFormat, splitSuffix } from '../http/formats/asked-format.js';
import { MEDIA_TYPES } from '../http/formats/format.js';
import type { OpenOperation, OperationRequest } from '../http/operations/operation.js';
import { DATABASE_ERRORS, HttpProblem } from '../http/problems/http-problem.js';
import { recordOf } from '../http/records/request-record.js';
import { readQuery } from '../http/requests/read-request.js';
import { isStreamed, streamAnswer } from '../http/streams/stream-answer.js';

/** `/q/{name}` runs the query of a definition, with all parameters in the query string. `/q/explain/{name}/` returns its plan. */
export function namedQueryOperations(engine: Engine, cache: Pick<AnswerCache, 'serve'>): OpenOperation[] {
  return [
    {
      ...COMMON,
      answer: NAMED_QUERY_ENVELOPE,
      otherTypes: [MEDIA_TYPES.csv[0], MEDIA_TYPES.ndjson[0], MEDIA_TYPES.arrow[0]],
      id: 'named-query',
      path: '/q/{wildcard}',
      summary: 'Runs the query of a definition by name',
      parameters: { wildcard: { ...NAME, in: 'path' } },
      handle: async (request) => {
        const wanted = formattedRequest(engine, request);
        if (isStreamed(wanted)) return { send: (http, response) => streamAnswer(engine, wanted, http, response) };
        const { signal, http } = request;
        const requestId = recordOf(request.response).id;
        return { answer: await serveTarget(cache, wanted, http, { signal, requestId }) };
      },
    },
    {
      ...COMMON,
      answer: QUERY_ENVELOPE,
      id: 'explain-named-query',
      path: '/q/explain/{queryName}/',
      summary: 'Returns the execution plan of the query of a definition',
      parameters: { queryName: { ...NAME, in: 'path' } },
      handle: async (request) => {
        const { endpoint, raw } = namedRequest(engine, String(request.parameters.queryName), request.http.originalUrl);
        return { body: toPlanEnvelope(await engine.explain(endpoint, raw, { signal: request.signal })) };
      },
    },
  ];
}

function formattedRequest(engine: Engine, { parameters, http }: OperationRequest): TargetRequest {
  const name = String(parameters.wildcard);
  const { text, suffix } = splitSuffix(name) ?? { text: name, suffix: undefined };
  const accepted = acceptedFormat(http.headers.accept);
  return namedRequest(engine, text, http.originalUrl, { accepted, suffix });
}

/**
 * Returns what a request for a definition by name asks of the cache; JSON if `asked` is absent. Throws `query_not_found`,
 * `endpoint_broken`, and the errors of `readFormat`.
 */
export function namedRequest(engine: Engine, name: string, target: string, asked?: AskedFormat): TargetRequest {
  const { generation } = engine;
  const stable = endpointOf(engine, name);
  const all = readQuery(target);
  const { format, query } = asked === undefined ? { format: undefined, query: all } : readFormat(stable, all, asked);
  const raw = { path: {}, query };
  const endpoint = engine.select(stable, raw, target);
  const key = keyOfTarget(target, asked?.accepted ?? 'json');
  return { endpoint, raw, representation: format ?? 'query', target: key, generation };
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
