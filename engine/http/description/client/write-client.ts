import type { ParameterDefinition } from '../../../definitions/definition.js';
import type { Endpoint } from '../../../definitions/endpoint/endpoint.js';
import { expectedOf } from '../../../definitions/parameters/parameter-schema.js';
import { NAMED_QUERY_ENVELOPE } from '../../envelopes/query-envelope-schema.js';
import { formatParametersOf } from '../../formats/asked-format.js';
import type { JsonSchema } from '../../json-schema.js';
import type { DescribedOperation } from '../description.js';
import { namedOperations } from '../endpoint-operations.js';
import { PROBLEM } from '../schemas.js';
import { CLIENT_RUNTIME } from './client-runtime.js';
import { writeComment, writeLiteral } from './client-text.js';
import { methodNames } from './method-names.js';
import { listOf, typeOf, writeInterface } from './schema-type.js';

/**
 * Writes a client for the definitions: one TypeScript file without imports. It has one method per definition, which
 * sends a request to `/q/{name}`. Equal definitions produce equal files.
 */
export function writeClient(endpoints: readonly Endpoint[]): string {
  const sorted = [...endpoints].sort((a, b) => (a.definition.name < b.definition.name ? -1 : 1));
  const names = methodNames(sorted.map(({ definition }) => definition.name));
  const methods = namedOperations(sorted).map((operation, index) => {
    const endpoint = sorted[index];
    const name = names.get(endpoint?.definition.name ?? '') ?? operation.id;
    return describeMethod(name, endpoint === undefined ? operation : withoutFormat(operation, endpoint));
  });
  return [
    HEADER,
    ...methods.map(({ types }) => types),
    writeInterface('Answer<Row>', ANSWER, new Map([['data', 'readonly Row[]']])),
    `export type ErrorCode = ${typeOf(propertyOf(PROBLEM, 'code'))};\n`,
    writeInterface('ProblemDetails', PROBLEM, new Map([['code', 'ErrorCode']])),
    CLIENT_RUNTIME,
    writeClass(methods.map(({ method }) => method)),
  ].join('\n');
}

const HEADER = `// Written by \`repo-insight client\`. Do not edit: write it again after a change of the definitions.
// It needs \`fetch\`: a browser, or Node 18 or later. TypeScript needs the types of \`fetch\` (lib DOM or @types/node).
`;

const ANSWER: JsonSchema = {
  ...NAMED_QUERY_ENVELOPE,
  description: 'The rows of an answer, and how old and complete they are.',
};

/** Removes the parameters that select a format, because the client reads only JSON. */
function withoutFormat(operation: DescribedOperation, endpoint: Endpoint): DescribedOperation {
  const added: readonly string[] = formatParametersOf(endpoint);
  const parameters = Object.entries(operation.parameters).filter(([name]) => !added.includes(name));
  return { ...operation, parameters: Object.fromEntries(parameters) };
}

interface Method {
  readonly types: string;
  readonly method: string;
}

function describeMethod(name: string, operation: DescribedOperation): Method {
  const { path, summary, description, deprecation, parameters } = operation;
  const type = name.charAt(0).toUpperCase() + name.slice(1);
  const isEmpty = Object.keys(parameters).length === 0;
  const isOptional = Object.values(parameters).every((parameter) => !isRequired(parameter));
  const argument = isEmpty ? '' : `params: ${type}Params${isOptional ? ' = {}' : ''}, `;
  const tags = deprecation === undefined ? [] : [{ name: 'deprecated', text: endOf(deprecation.sunset) } as const];
  const method = [
    writeComment([summary, description === undefined ? undefined : `\n${description}`], { tags, indent: '  ' }),
    `  ${name}(${argument}options: RequestOptions = {}): Promise<Answer<${type}Row>> {\n`,
    `    return send(this.#options, ${writeLiteral(path)}, ${isEmpty ? '{}' : 'params'}, options);\n  }\n`,
  ];
  const types = [
    ...(isEmpty ? [] : [writeParameters(`${type}Params`, parameters)]),
    writeInterface(`${type}Row`, rowOf(operation)),
  ];
  return { types: types.join('\n'), method: method.join('') };
}

function endOf(sunset: string | undefined): string {
  return sunset === undefined ? 'Use another method.' : `It may stop working from ${sunset}.`;
}

function isRequired({ required, default: value }: ParameterDefinition): boolean {
  return required === true && value === undefined;
}

/** Writes the parameters of a method, required parameters first. */
function writeParameters(name: string, parameters: DescribedOperation['parameters']): string {
  const entries = Object.entries(parameters);
  const sorted = [...entries.filter(([, it]) => isRequired(it)), ...entries.filter(([, it]) => !isRequired(it))];
  const members = sorted.map(([key, parameter]) => {
    const { description, default: value, notAfter } = parameter;
    const tags = value === undefined ? [] : [{ name: 'default', text: writeLiteral(value) } as const];
    const order = notAfter && `Must not be after \`${notAfter}\`.`;
    const comment = writeComment([description, `Expected: ${expectedOf(parameter)}.`, order], { tags, indent: '  ' });
    const isNeeded = isRequired(parameter);
    return `${comment}  readonly ${key}${isNeeded ? '' : '?'}: ${parameterType(parameter)}${isNeeded ? '' : ' | undefined'};\n`;
  });
  return `export interface ${name} {\n${members.join('')}}\n`;
}

function parameterType({ type, enum: values, items }: ParameterDefinition): string {
  if (type === 'array') return listOf(typeOf({ type: items?.type ?? 'string', enum: items?.enum }));
  return typeOf({ type, enum: values });
}

function rowOf({ answers }: DescribedOperation): JsonSchema {
  const schema = answers[0]?.content['application/json'] ?? {};
  return propertyOf(schema, 'data').items as JsonSchema;
}

function propertyOf({ properties }: JsonSchema, name: string): JsonSchema {
  return (properties as Readonly<Record<string, JsonSchema>>)[name] ?? {};
}

function writeClass(methods: readonly string[]): string {
  const head = `/** Sends requests to the service. A request is sent once; retries are up to the caller. */
export class RepoInsightClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Calls a definition by its name, also one that was added after this client was written. */
  query(name: string, params: Readonly<Record<string, Value>> = {}, options: RequestOptions = {}): Promise<Answer<Readonly<Record<string, string | number | null>>>> {
    return send(this.#options, \`/q/\${encodeURIComponent(name)}\`, params, options);
  }
`;
  return [head, methods.join('\n')].join('\n').concat('}\n');
}
