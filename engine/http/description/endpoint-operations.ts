import { createNativeRowProperties, createTextCellSchema } from '../../answers/cells/cells.js';
import type { EndpointDefinition, ParameterDefinition } from '../../definitions/definition.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import { answerMembersOf, namedQueryEnvelope } from '../envelopes/query-envelope-schema.js';
import { FORMAT_PARAMETERS, formatParametersOf, MEDIA_TYPES } from '../formats/format.js';
import type { JsonSchema } from '../json-schema.js';
import { describeDeprecation } from './deprecation-text.js';
import type { DescribedAnswer, DescribedHeader, DescribedOperation } from './description.js';
import { envelopeFailures, limitedFailures } from './failures.js';
import {
  COMMON_HEADERS,
  DEPRECATION,
  FORMAT_HEADERS,
  KEPT_ANSWER_HEADERS,
  NEXT_PAGE_HEADER,
  RATE_LIMIT_HEADERS,
  SUNSET,
} from './headers.js';
import { type FailureCode, pascalCase } from './names.js';
import { ANY_ROWS, envelopeOf } from './schemas.js';

/** Describes the endpoints at their paths under `/v1`, sorted by path. */
export function publicOperations(endpoints: readonly Endpoint[]): DescribedOperation[] {
  const operations = endpoints.flatMap((endpoint): DescribedOperation[] => {
    const { definition } = endpoint;
    const parameters = withFormats(parametersOf(endpoint), endpoint);
    const { name, path, tags, pagination } = definition;
    const schema = publicEnvelopeOf(endpoint);
    if (path === undefined) return [];
    const answers = [
      successAnswer(schema, {
        ...deprecationOf(definition),
        ...(pagination === undefined ? {} : NEXT_PAGE_HEADER),
      }),
      ...envelopeFailures(codesOf(definition)),
    ];
    const tag = tags[0] ?? OTHER_TAG;
    const access = accessOf(definition);
    return [{ id: name, method: 'get', path, tag, ...textsOf(definition), access, parameters, answers }];
  });
  return operations.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Describes the endpoints under `/q/<name>`, with all parameters in the query. */
export function namedOperations(endpoints: readonly Endpoint[]): DescribedOperation[] {
  return endpoints.map(({ definition, ...endpoint }) => ({
    id: `query-${definition.name}`,
    method: 'get',
    path: `/q/${definition.name}`,
    tag: 'Queries',
    ...textsOf(definition),
    access: accessOf(definition),
    parameters: withFormats(
      Object.fromEntries(
        Object.entries(parametersOf({ definition, ...endpoint })).map(([name, it]) => [name, toQueryParameter(it)]),
      ),
      endpoint,
    ),
    answers: [
      successAnswer(namedEnvelopeOf({ definition, ...endpoint }), deprecationOf(definition)),
      ...limitedFailures(codesOf(definition)),
    ],
  }));
}

function accessOf({ access }: EndpointDefinition): DescribedOperation['access'] {
  return access === undefined ? 'open' : 'caller';
}

function codesOf({ access }: EndpointDefinition): readonly FailureCode[] {
  return access === undefined ? QUERY_CODES : [...QUERY_CODES, ...CALLER_CODES];
}

/** The bodies of the formats that contain only rows. */
const ROW_CONTENT: DescribedAnswer['content'] = {
  [MEDIA_TYPES.csv[0]]: { type: 'string' },
  [MEDIA_TYPES.ndjson[0]]: { type: 'string' },
  [MEDIA_TYPES.arrow[0]]: { type: 'string', format: 'binary' },
};

const QUERY_CODES: readonly FailureCode[] = [
  'bad_parameter',
  'bad_request',
  'rate_limited',
  'endpoint_broken',
  'query_failed',
  'internal_error',
  'overloaded',
  'database_unavailable',
  'query_timeout',
];

/** The error codes of definitions that are not public. */
export const CALLER_CODES: readonly FailureCode[] = [
  'credential_missing',
  'credential_invalid',
  'access_denied',
  'account_disabled',
  'user_not_found',
  'state_unavailable',
  'identity_unavailable',
];

const OTHER_TAG = 'Other queries';

/**
 * Returns the operations that describe all other paths under the prefixes, for definitions that are added after the API description was
 * written.
 */
export function otherOperations(prefixes: readonly string[]): DescribedOperation[] {
  return prefixes.map((prefix, index) => ({
    ...OTHER_API,
    id: index === 0 ? 'other-api' : `other-api-${index + 1}`,
    path: `${prefix}/{wildcard}`,
    description: `A definition file can have any path under \`${prefix}\`. ${OTHER_API.description}`,
  }));
}

const OTHER_API = {
  method: 'get',
  tag: OTHER_TAG,
  summary: 'Other Query API',
  description:
    'The service offers it, and describes it here, after the next reload. ' + 'Any other path is answered with 404.',
  access: 'open',
  parameters: {
    wildcard: {
      in: 'path',
      type: 'string',
      description: 'The rest of the path, including slashes.',
      example: 'collections/',
    },
  },
  schemas: { wildcard: { type: 'string', minLength: 1 } },
  answers: [
    successAnswer(
      envelopeOf('OtherApi', ANY_ROWS, { hasCursors: true, hasTotal: true, hasSources: true }),
      NEXT_PAGE_HEADER,
    ),
    ...envelopeFailures([...QUERY_CODES, 'endpoint_not_found']),
  ],
} as const satisfies Omit<DescribedOperation, 'id' | 'path'>;

function textsOf(definition: EndpointDefinition): Pick<DescribedOperation, 'summary' | 'description' | 'deprecation'> {
  const { summary, deprecated, sunset } = definition;
  const description = describeDeprecation(definition);
  return {
    summary,
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecation: sunset === undefined ? {} : { sunset } }),
  };
}

function deprecationOf({ deprecated, sunset }: EndpointDefinition): Readonly<Record<string, DescribedHeader>> {
  if (deprecated === undefined) return {};
  return sunset === undefined ? DEPRECATION : { ...DEPRECATION, ...SUNSET };
}

/**
 * Returns the parameters of an endpoint. If a query returns the allowed values, the description contains a sample of them, unless only some
 * callers can read the endpoint.
 */
export function parametersOf({
  parameters,
  choices,
  definition,
}: Pick<Endpoint, 'parameters' | 'choices' | 'definition'>): Endpoint['parameters'] {
  if (definition.access !== undefined) return parameters;
  const samples = [...choices].map(
    ([
      name,
      {
        choices: { expected, values },
      },
    ]) => {
      const { description = '', ...parameter } = parameters[name] as ParameterDefinition;
      const sample = values === undefined ? '' : ` Must be ${expected}.`;
      return [name, { ...parameter, description: `${description}${sample}` }] as const;
    },
  );
  return samples.length === 0 ? parameters : { ...parameters, ...Object.fromEntries(samples) };
}

/** Adds the parameters that select the format. */
function withFormats(
  parameters: DescribedOperation['parameters'],
  endpoint: Pick<Endpoint, 'parameters'>,
): DescribedOperation['parameters'] {
  const added = formatParametersOf(endpoint).map((name) => [name, FORMAT_PARAMETERS[name]]);
  return { ...parameters, ...Object.fromEntries(added) };
}

function toQueryParameter(parameter: ParameterDefinition): ParameterDefinition {
  return parameter.in === 'path' ? { ...parameter, in: 'query', required: true } : parameter;
}

function successAnswer(schema: JsonSchema, headers: Readonly<Record<string, DescribedHeader>> = {}): DescribedAnswer {
  return {
    status: 200,
    description: 'The rows',
    content: { 'application/json': schema, ...ROW_CONTENT },
    headers: { ...COMMON_HEADERS, ...RATE_LIMIT_HEADERS, ...KEPT_ANSWER_HEADERS, ...FORMAT_HEADERS, ...headers },
  };
}

function publicEnvelopeOf({ definition, ...endpoint }: Endpoint): JsonSchema {
  const name = pascalCase(definition.name);
  const cells = definition.columns.map((column) => [column.col, createTextCellSchema(column)]);
  const rows = { type: 'array', items: rowOf(`${name}Row`, Object.fromEntries(cells)) };
  return envelopeOf(name, rows, answerMembersOf(endpoint));
}

function namedEnvelopeOf({ definition, ...endpoint }: Endpoint): JsonSchema {
  const name = pascalCase(definition.name);
  const row = rowOf(`${name}Record`, createNativeRowProperties(definition));
  const isNested = definition.nest !== undefined;
  return namedQueryEnvelope(`${name}QueryAnswer`, { row, isNested }, answerMembersOf(endpoint));
}

function rowOf(title: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { title, type: 'object', required: Object.keys(properties), properties };
}
