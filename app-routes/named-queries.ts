import { type Authentication, admit, requestingClientOf } from '../engine/http/access/authentication.js';
import { privateHeaders } from '../engine/http/cache/cache-headers.js';
import { NAME, NAMED_QUERY, namedRequest } from '../engine/http/definitions/definition-routes.js';
import { CALLER_CODES } from '../engine/http/description/endpoint-operations.js';
import { toPlanEnvelope } from '../engine/http/envelopes/query-envelope.js';
import { NAMED_QUERY_ENVELOPE, QUERY_ENVELOPE } from '../engine/http/envelopes/query-envelope-schema.js';
import { MEDIA_TYPES } from '../engine/http/formats/format.js';
import type { DefinitionOperation, OpenOperation } from '../engine/http/operations/operation.js';
import { DATABASE_ERRORS } from '../engine/http/problems/http-problem.js';
import { type Endpoint, type Engine, EngineError } from '../engine/index.js';

/**
 * `/q/{name}` runs the query of a definition, with all parameters in the query string. `/q/explain/{name}/` returns the plan of the query.
 */
export function namedQueryOperations(
  engine: Engine,
  authentication: Authentication,
): (OpenOperation | DefinitionOperation)[] {
  return [
    {
      ...COMMON,
      answer: NAMED_QUERY_ENVELOPE,
      otherTypes: [MEDIA_TYPES.csv[0], MEDIA_TYPES.ndjson[0], MEDIA_TYPES.arrow[0]],
      id: NAMED_QUERY,
      path: '/q/{wildcard}',
      summary: 'Runs the query of a definition by name',
      parameters: { wildcard: { ...NAME, in: 'path' } },
      handle: 'definitions',
    },
    {
      ...COMMON,
      answer: QUERY_ENVELOPE,
      id: 'explain-named-query',
      path: '/q/explain/{queryName}/',
      summary: 'Returns the execution plan of the query of a definition',
      parameters: { queryName: { ...NAME, in: 'path' } },
      handle: async (request) => {
        const { http, response } = request;
        const named = namedRequest(engine, String(request.parameters.queryName), http.originalUrl);
        const { endpoint, raw } = await admit(
          named,
          requestingClientOf(authentication, http, response),
          (stable, given) => engine.select(stable, given, http.originalUrl),
        );
        if (endpoint.isRestricted) rejectPlan(endpoint);
        const body = toPlanEnvelope(await engine.explain(endpoint, raw, { signal: request.signal }));
        return { body, headers: privateHeaders(endpoint) };
      },
    },
  ];
}

/** A plan contains estimates about all rows of a table, and depends on their values. */
function rejectPlan({ definition }: Endpoint): never {
  const message = `The plan of ${definition.name} would show facts about rows that callers cannot read. Operators see it with \`endpoint explain\`.`;
  throw new EngineError('access_denied', message);
}

const COMMON = {
  access: 'open',
  tag: 'Queries',
  method: 'get',
  anyQuery: true,
  limit: 'public',
  errors: ['query_not_found', 'endpoint_broken', ...CALLER_CODES, ...DATABASE_ERRORS],
} as const;
