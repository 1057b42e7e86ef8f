import type { Schema } from './answer-check.js';

/** The parts of an OpenAPI operation from which tests create requests. */
export interface DescribedRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly needsToken: boolean;
  readonly parameters: readonly DescribedInput[];
  readonly body?: Schema;
}

export interface DescribedInput {
  readonly name: string;
  readonly place: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly example: unknown;
  /** If this parameter is the start of a range according to its description: the name of the parameter with the end. */
  readonly notAfter: string | undefined;
}

/** Returns the operations of an OpenAPI 3.1 or Swagger 2.0 document. */
export function describedRequests(document: Schema): DescribedRequest[] {
  const paths = document.paths as Readonly<Record<string, Readonly<Record<string, Schema>>>>;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const given = operation.parameters as Schema[];
      const body = bodyOf(document, operation);
      return {
        id: String(operation.operationId),
        method: method.toUpperCase(),
        path,
        needsToken: (operation.security as unknown[]).length > 0,
        parameters: given.filter((it) => it.in !== 'body' && it.name !== CURSOR).map(inputOf),
        ...(body === undefined ? {} : { body }),
      };
    }),
  );
}

/** A parameter whose accepted values come only from answers, so a description cannot define them. */
const CURSOR = 'cursor';

/** Returns the names of other properties that a property requires. The names are in the description, as in "Requires `id`." */
export function requiredBeside({ description }: Schema): string[] {
  return [...String(description).matchAll(/Requires `(\w+)`/g)].map(([, name]) => name ?? '');
}

/** Replaces all references in a schema by the schemas of the document, recursively. */
export function resolveReferences(document: object, schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    const steps = String(schema.$ref).slice(2).split('/');
    const named = steps.reduce<unknown>((value, step) => (value as Schema)[step], document);
    return resolveReferences(document, named as Schema);
  }
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    return typeof value === 'object' && value !== null ? resolveReferences(document, value as Schema) : value;
  };
  return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, resolve(value)]));
}

function inputOf(parameter: Schema): DescribedInput {
  const { name, in: place, required, description, schema = parameter } = parameter;
  return {
    name: String(name),
    place: String(place),
    required: required === true,
    schema: schema as Schema,
    example: parameter.example ?? parameter['x-example'],
    notAfter: /Must not be after `(\w+)`/.exec(String(description))?.[1],
  };
}

function bodyOf(document: Schema, { requestBody, parameters }: Schema): Schema | undefined {
  const content = (requestBody as { content: Record<string, Schema> } | undefined)?.content['application/json'];
  const schema = content?.schema ?? (parameters as Schema[]).find((it) => it.in === 'body')?.schema;
  return schema === undefined ? undefined : resolveReferences(document, schema as Schema);
}
