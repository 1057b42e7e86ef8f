import { didYouMean, type Endpoint, type Engine, EngineError } from '../engine/index.js';
import { toPlanEnvelope, toQueryEnvelope } from '../http/envelopes/query-envelope.js';
import { NAMED_QUERY_ENVELOPE, QUERY_ENVELOPE } from '../http/envelopes/query-envelope-schema.js';
import type { OpenOperation, OperationRequest } from '../http/operations/operation.js';
import { DATABASE_ERRORS, HttpProblem } from '../http/problems/http-problem.js';
import { rawParameters } from '../http/requests/read-request.js';

/** `/q/{name}`: every definition by its name, with all its parameters in the query; `/q/explain/{name}/`: its plan. */
export function namedQueryOperations(engine: Engine): OpenOperation[] {
  const asked = ({ parameters, http }: OperationRequest, name: string) => ({
    endpoint: endpointOf(engine, String(parameters[name])),
    raw: { path: {}, query: rawParameters(http).query },
  });
  return [
    {
      ...COMMON,
      answer: NAMED_QUERY_ENVELOPE,
      id: 'named-query',
      path: '/q/{wildcard}',
      summary: 'The answer of a definition, by its name',
      parameters: { wildcard: { ...NAME, in: 'path' } },
      handle: async (request) => {
        const { endpoint, raw } = asked(request, 'wildcard');
        return { body: toQueryEnvelope(await engine.run(endpoint, raw, { signal: request.signal })) };
      },
    },
    {
      ...COMMON,
      answer: QUERY_ENVELOPE,
      id: 'explain-named-query',
      path: '/q/explain/{queryName}/',
      summary: "The database's plan for the query of a definition",
      parameters: { queryName: { ...NAME, in: 'path' } },
      handle: async (request) => {
        const { endpoint, raw } = asked(request, 'queryName');
        return { body: toPlanEnvelope(await engine.explain(endpoint, raw, { signal: request.signal })) };
      },
    },
  ];
}

const NAME = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  description: 'Name of the definition; its parameters stand in the query.',
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

function endpointOf(engine: Engine, name: string): Endpoint {
  try {
    return engine.endpoint(name);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'endpoint_not_found') throw error;
  }
  const names = engine.endpoints.map(({ definition }) => definition.name);
  throw new HttpProblem(
    'query_not_found',
    `There is no query named ${name}${didYouMean(name, names)}; /openapi.json has all of them.`,
  );
}
