import { type Authentication, requestingClientOf, requireCaller } from '../engine/http/access/authentication.js';
import { privateHeaders } from '../engine/http/cache/cache-headers.js';
import { endpointOf, NAME } from '../engine/http/definitions/definition-routes.js';
import { CALLER_CODES } from '../engine/http/description/endpoint-operations.js';
import { exactObject } from '../engine/http/json-schema.js';
import type { Operation } from '../engine/http/operations/operation.js';
import { HttpProblem } from '../engine/http/problems/http-problem.js';
import { didYouMean, type Engine } from '../engine/index.js';

/** `GET /q/choices/{queryName}/{parameter}/` returns the values that a parameter accepts, for forms. */
export function choicesOperation(engine: Engine, authentication: Authentication): Operation {
  return {
    access: 'open',
    tag: 'Queries',
    id: 'choices',
    method: 'get',
    path: '/q/choices/{queryName}/{parameter}/',
    summary: 'Returns the values that a parameter of a definition accepts',
    description:
      'The values of a list in the definition, or of its query for values. `known` is false while that query has not succeeded ' +
      'yet: then every value is accepted. A parameter without `enum` has no choices.',
    limit: 'public',
    parameters: {
      queryName: { ...NAME, in: 'path', example: 'list-trending-repos' },
      parameter: {
        in: 'path',
        type: 'string',
        maxLength: 40,
        description: 'Name of the parameter.',
        example: 'period',
      },
    },
    answer: exactObject('Choices', { known: { type: 'boolean' }, values: VALUES }),
    errors: ['query_not_found', 'endpoint_broken', ...CALLER_CODES],
    handle: async ({ parameters, http, response }) => {
      const endpoint = endpointOf(engine, String(parameters.queryName));
      await requireCaller(endpoint, requestingClientOf(authentication, http, response));
      const name = String(parameters.parameter);
      const listed = listedValues(endpoint.parameters[name]);
      const headers = privateHeaders(endpoint);
      if (listed !== undefined) return { headers, body: { known: true, values: listed.map(String) } };
      const choices = endpoint.choices.get(name)?.choices;
      if (choices === undefined) throw noChoices(endpoint, name);
      const { values } = choices;
      return { headers, body: { known: values !== undefined, values: (values ?? []).map(String) } };
    },
  };
}

const VALUES = { type: 'array', description: 'As texts, as a request contains them.', items: { type: 'string' } };

type Endpoint = ReturnType<typeof endpointOf>;

function listedValues(parameter: Endpoint['parameters'][string] | undefined) {
  return parameter?.enum ?? parameter?.items?.enum;
}

function noChoices({ definition, parameters, choices }: Endpoint, name: string): HttpProblem {
  const names = Object.keys(parameters).filter(
    (one) => choices.has(one) || listedValues(parameters[one]) !== undefined,
  );
  const known = names.length === 0 ? 'it has no parameter with choices' : `expected one of ${names.join(', ')}`;
  const message = `${definition.name} has no choices for ${JSON.stringify(name)}${didYouMean(name, names)}: ${known}.`;
  return new HttpProblem('query_not_found', message);
}
