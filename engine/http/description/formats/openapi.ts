import type { DescribedAnswer, DescribedHeader, DescribedOperation, Description, Example } from '../description.js';
import { writeDeprecation } from './deprecation.js';
import { DESCRIPTION_VERSION, INTRODUCTION, introduce, LICENCE } from './introduction.js';
import { NamedSchemas } from './named-schemas.js';
import { OPENAPI_3_0 } from './older-schema.js';
import { describeParameters } from './parameters.js';

/** Writes the description as OpenAPI 3.1. */
export function writeOpenApi(description: Description): OpenApi {
  const schemas = new NamedSchemas(SCHEMAS);
  return writeDocument('3.1.0', { summary: description.summary, description: INTRODUCTION }, description, schemas);
}

/** Writes the description as OpenAPI 3.0, for programs that do not support schemas with several types. */
export function writeOpenApi30(description: Description): OpenApi {
  const schemas = new NamedSchemas(SCHEMAS, OPENAPI_3_0);
  return writeDocument('3.0.3', { description: introduce(description.summary) }, description, schemas);
}

const SCHEMAS = '#/components/schemas/';

function writeDocument(
  version: string,
  texts: Readonly<Record<string, string>>,
  { title, tags, operations, sessionCookie }: Description,
  schemas: NamedSchemas,
): OpenApi {
  const responses: Record<string, unknown> = {};
  const hasUsers = operations.some(({ access }) => access !== 'open');
  const ofUsers = hasUsers ? securityOf(sessionCookie) : {};
  const hasKeys = operations.some(({ access, acceptsKeys }) => access === 'caller' || acceptsKeys);
  const securitySchemes = hasKeys ? { ...ofUsers, key: API_KEY } : ofUsers;
  const writer: Writer = { schemas, responses, credentials: Object.keys(ofUsers) };
  const paths: OpenApi['paths'] = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: writeOperation(operation, writer) };
  }
  return {
    openapi: version,
    info: { title, version: DESCRIPTION_VERSION, ...texts, license: LICENCE },
    servers: [{ url: '/' }],
    tags,
    paths,
    components: { securitySchemes, responses, schemas: schemas.all },
  };
}

export interface OpenApi {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: Description['tags'];
  readonly paths: Record<string, Record<string, unknown>>;
  readonly components: Readonly<Record<string, unknown>>;
}

interface Writer {
  readonly schemas: NamedSchemas;
  /** Responses that several operations share, by name. The writer adds them. */
  readonly responses: Record<string, unknown>;
  /** Names of the security schemes of users. A request of a user needs one of them. */
  readonly credentials: readonly string[];
}

const API_KEY = { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key of this service.' };

function securityOf(sessionCookie: string | undefined): Readonly<Record<string, unknown>> {
  const bearer = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The token of a signed-in user.' };
  if (sessionCookie === undefined) return { bearer };
  const description =
    'Set by signing in at `/sign-in/`. Requests that change data must come from a page of this service.';
  return { bearer, session: { type: 'apiKey', in: 'cookie', name: sessionCookie, description } };
}

function writeOperation(operation: DescribedOperation, writer: Writer) {
  const { id, tag, summary, description, body, answers, deprecation } = operation;
  const { schemas } = writer;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...writeDeprecation(deprecation),
    security: credentialsOf(operation, writer.credentials).map((name) => ({ [name]: [] })),
    parameters: describeParameters(operation).map(({ name, in: place, required, description, schema, example }) => ({
      name,
      in: place,
      required,
      description,
      ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
      schema: schemas.referParameter(schema),
      ...(example === undefined ? {} : { example }),
    })),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: schemas.refer(body) } } } }),
    responses: Object.fromEntries(answers.map((answer) => [answer.status, responseOf(answer, writer)])),
  };
}

function credentialsOf(
  { access, acceptsKeys }: Pick<DescribedOperation, 'access' | 'acceptsKeys'>,
  ofUsers: readonly string[],
): readonly string[] {
  if (access === 'open') return [];
  return access === 'caller' || acceptsKeys ? [...ofUsers, 'key'] : ofUsers;
}

function responseOf(answer: DescribedAnswer, writer: Writer): unknown {
  const { name } = answer;
  if (name === undefined) return writeAnswer(answer, writer);
  writer.responses[name] ??= writeAnswer(answer, writer);
  return { $ref: `#/components/responses/${name}` };
}

function writeAnswer(answer: DescribedAnswer, { schemas }: Writer) {
  const { description, codes, headers, content, examples = [] } = answer;
  const media = Object.entries(content).map(([type, schema]) => {
    const recorded = type === 'application/json' && examples.length > 0 ? { examples: writeExamples(examples) } : {};
    return [type, { schema: schemas.refer(schema), ...recorded }] as const;
  });
  return {
    description,
    ...(codes === undefined ? {} : { 'x-error-codes': codes }),
    headers: Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, writeHeader(header, schemas)])),
    ...(media.length === 0 ? {} : { content: Object.fromEntries(media) }),
  };
}

function writeHeader({ description, schema, required }: DescribedHeader, schemas: NamedSchemas) {
  return { description, required, schema: schemas.refer(schema) };
}

function writeExamples(examples: readonly Example[]) {
  return Object.fromEntries(
    examples.map(({ name, request, note = '', answer }) => [
      name.replaceAll(/[^\w.-]+/g, '-'),
      { summary: name, description: `\`${request}\` ${note}`.trim(), value: answer },
    ]),
  );
}
