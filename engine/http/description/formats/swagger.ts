import type { DescribedAnswer, DescribedOperation, Description } from '../description.js';
import { writeDeprecation } from './deprecation.js';
import { DESCRIPTION_VERSION, introduce, LICENCE } from './introduction.js';
import { NamedSchemas } from './named-schemas.js';
import { SWAGGER_2_0 } from './older-schema.js';
import { type DescribedParameter, describeParameters } from './parameters.js';

/** Writes the description as Swagger 2.0 (OpenAPI 2.0), for programs that do not support OpenAPI 3. */
export function writeSwagger({ title, summary, tags, operations }: Description): Swagger {
  const schemas = new NamedSchemas('#/definitions/', SWAGGER_2_0);
  const responses: Record<string, unknown> = {};
  const paths: Swagger['paths'] = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: writeOperation(operation, { schemas, responses }),
    };
  }
  return {
    swagger: '2.0',
    info: {
      title,
      version: DESCRIPTION_VERSION,
      description: introduce(summary),
      license: LICENCE,
    },
    basePath: '/',
    consumes: ['application/json'],
    produces: ['application/json'],
    tags,
    paths,
    securityDefinitions: {
      bearer: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: '`Bearer`, a space and the token of a user.',
      },
    },
    responses,
    definitions: schemas.all,
  };
}

export interface Swagger {
  readonly swagger: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly paths: Record<string, Record<string, unknown>>;
  readonly [member: string]: unknown;
}

interface Writer {
  readonly schemas: NamedSchemas;
  /** Responses that several operations share, by name. The writer adds them. */
  readonly responses: Record<string, unknown>;
}

function writeOperation(operation: DescribedOperation, writer: Writer) {
  const { id, tag, summary, description, access, body, answers, deprecation } = operation;
  const parameters: unknown[] = describeParameters(operation).map((it) => writeParameter(it, writer));
  if (body !== undefined) {
    const schema = writer.schemas.refer(body);
    parameters.push({ in: 'body', name: 'body', required: true, schema });
  }
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...writeDeprecation(deprecation),
    produces: [...new Set(answers.flatMap(({ content }) => Object.keys(content)))],
    security: access === 'open' ? [] : [{ bearer: [] }],
    parameters,
    responses: Object.fromEntries(answers.map((answer) => [answer.status, responseOf(answer, writer)])),
  };
}

function writeParameter(parameter: DescribedParameter, { schemas }: Writer) {
  const { name, in: place, required, description, schema, example } = parameter;
  return {
    name,
    in: place,
    required,
    description,
    ...schemas.referParameter(schema),
    ...(schema.type === 'array' ? { collectionFormat: 'csv' } : {}),
    ...(example === undefined ? {} : { 'x-example': example }),
  };
}

function responseOf(answer: DescribedAnswer, writer: Writer): unknown {
  const { name } = answer;
  if (name === undefined) return writeAnswer(answer, writer);
  writer.responses[name] ??= writeAnswer(answer, writer);
  return { $ref: `#/responses/${name}` };
}

/**
 * Writes an answer. Swagger 2.0 allows only one schema for all media types of an answer, so the JSON schema takes
 * precedence.
 */
function writeAnswer(answer: DescribedAnswer, { schemas }: Writer) {
  const { description, codes, headers, content, examples = [] } = answer;
  const [schema] = [content['application/json'], ...Object.values(content)].filter((one) => one !== undefined);
  const [example] = examples;
  return {
    description,
    ...(codes === undefined ? {} : { 'x-error-codes': codes }),
    ...(schema === undefined ? {} : { schema: schemas.refer(schema) }),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, header]) => [
        name,
        { description: header.description, ...schemas.refer(header.schema) },
      ]),
    ),
    ...(example === undefined ? {} : { examples: { 'application/json': example.answer } }),
  };
}
