import type { ParameterDefinition } from '../../../definitions/definition.js';
import type { Endpoint } from '../../../definitions/endpoint/endpoint.js';
import { expectedOf } from '../../../definitions/parameters/parameter-values.js';
import { NAMED_QUERY_ENVELOPE } from '../../envelopes/query-envelope-schema.js';
import { formatParametersOf } from '../../formats/format.js';
import type { JsonSchema } from '../../json-schema.js';
import type { DescribedOperation } from '../description.js';
import { namedOperations } from '../endpoint-operations.js';
import { pascalCase } from '../names.js';
import { PROBLEM } from '../schemas.js';
import { CLIENT_RUNTIME } from './client-runtime.js';

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
  query(name: string, params: Readonly<Record<string, Value>> = {}, options: RequestOptions = {}): Promise<Answer<Readonly<Record<string, unknown>>>> {
    return send(this.#options, \`/q/\${encodeURIComponent(name)}\`, params, options);
  }
`;
  return [head, methods.join('\n')].join('\n').concat('}\n');
}

/**
 * Returns the method names of endpoints, by endpoint: `list-collections` → `listCollections`. The names are unique, and differ from the
 * members that every JavaScript object has. The same endpoints in the same order always get the same names.
 */
export function methodNames(endpoints: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>(RESERVED);
  return new Map(
    endpoints.map((endpoint) => {
      const pascal = pascalCase(endpoint);
      const name = pascal.charAt(0).toLowerCase() + pascal.slice(1);
      let free = name;
      for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
      taken.add(free);
      return [endpoint, free] as const;
    }),
  );
}

/** Names that methods must not have: members of every object or class, and `then`, with which an object would be treated as a promise. */
const RESERVED = [
  ...Object.getOwnPropertyNames(Object.prototype),
  'then',
  'catch',
  'finally',
  'prototype',
  'toJSON',
  'query',
];

/** Returns the TypeScript type for a schema without references. */
function typeOf(schema: JsonSchema): string {
  const { const: constant, enum: values, anyOf, allOf, type } = schema;
  if (constant !== undefined) return writeLiteral(constant);
  if (Array.isArray(values)) return unionOf(values.map(writeLiteral));
  if (Array.isArray(anyOf)) return unionOf((anyOf as readonly JsonSchema[]).map(typeOf));
  if (Array.isArray(allOf) && allOf.length === 1) return typeOf(allOf[0] as JsonSchema);
  const types = Array.isArray(type) ? (type as readonly string[]) : [String(type)];
  return unionOf(types.map((one) => typeOfKind(one, schema)));
}

/** Writes an interface for the schema of an object. `types` overrides the types of members, by name. */
function writeInterface(head: string, schema: JsonSchema, types: ReadonlyMap<string, string> = NO_TYPES): string {
  const { description } = schema as { readonly description?: string };
  const required = (schema.required ?? []) as readonly string[];
  const members = Object.entries(propertiesOf(schema)).map(([name, member]) => {
    const comment = writeComment([member.description as string | undefined], { indent: '  ' });
    const mark = required.includes(name) ? '' : '?';
    return `${comment}  readonly ${propertyName(name)}${mark}: ${types.get(name) ?? typeOf(member)};\n`;
  });
  return `${writeComment([description])}export interface ${head} {\n${members.join('')}}\n`;
}

const NO_TYPES: ReadonlyMap<string, string> = new Map();

function typeOfKind(kind: string, schema: JsonSchema): string {
  switch (kind) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return kind;
    case 'array':
      return listOf(typeOf((schema.items ?? {}) as JsonSchema));
    case 'object':
      return objectType(schema);
    default:
      return 'unknown';
  }
}

function objectType(schema: JsonSchema): string {
  const members = Object.entries(propertiesOf(schema));
  if (members.length === 0) {
    const { additionalProperties: values } = schema;
    return `Readonly<Record<string, ${typeof values === 'object' ? typeOf(values as JsonSchema) : 'unknown'}>>`;
  }
  const required = (schema.required ?? []) as readonly string[];
  const written = members.map(([name, member]) => {
    return `readonly ${propertyName(name)}${required.includes(name) ? '' : '?'}: ${typeOf(member)}`;
  });
  return `{ ${written.join('; ')} }`;
}

/** Returns the type of a list whose items have this type. */
function listOf(item: string): string {
  return /^\w+$/.test(item) ? `readonly ${item}[]` : `readonly (${item})[]`;
}

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function propertyName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : writeLiteral(name);
}

function propertiesOf({ properties }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (properties ?? {}) as Readonly<Record<string, JsonSchema>>;
}

/** A tag at the end of a comment, such as `@deprecated`. */
interface CommentTag {
  readonly name: 'deprecated' | 'default';
  readonly text: string;
}

interface CommentOptions {
  readonly tags?: readonly CommentTag[];
  /** The white space before each line. */
  readonly indent?: string;
}

/**
 * Returns a JSDoc comment; empty if there is no text. Descriptions are untrusted text, so they are escaped: they cannot
 * end the comment, add tags or contain invisible characters.
 */
function writeComment(
  paragraphs: readonly (string | undefined)[],
  { tags = [], indent = '' }: CommentOptions = {},
): string {
  const lines = paragraphs.flatMap((paragraph) => paragraph?.split(LINE_BREAK) ?? []).map(printableLine);
  const text = lines.filter((line, index) => line !== '' || (index > 0 && lines[index - 1] !== ''));
  const all = [...text, ...tags.map((tag) => `@${tag.name} ${printableLine(tag.text)}`)];
  const [only, ...others] = all;
  if (only === undefined) return '';
  if (others.length === 0) return `${indent}/** ${only} */\n`;
  return [`${indent}/**`, ...all.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`, ''].join('\n');
}

/** Writes a value as a TypeScript literal with ASCII characters only. */
function writeLiteral(value: unknown): string {
  return JSON.stringify(value).replace(NOT_ASCII, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;
const NOT_ASCII = /[^\x20-\x7e]/g;

function printableLine(line: string): string {
  const text = line.replace(/\p{C}/gu, ' ').trim();
  return text.replaceAll('*/', '*\\/').replace(/(^|\s)@(?=[a-z])/gi, '$1\\@');
}
