import { RE2JS } from 're2js';
import type { Schema } from './answer-check.js';

/** Lists the parts of a description for which client generators print a warning, invent a name or lose a type. */
export function generatorProblems(document: object): string[] {
  const text = JSON.stringify(document);
  const isOpenApi31 = text.startsWith('{"openapi":"3.1');
  const problems = [...schemasIn(document, '', undefined)].flatMap(([place, schema]) =>
    problemsOf(schema, place, isOpenApi31).map((problem) => `${place} ${problem}`),
  );
  const unused = componentsOf(document).filter((reference) => !text.includes(`"${reference}"`));
  const twice = operationIds(document).filter((id, index, all) => all.indexOf(id) !== index);
  const names = new Set(Object.keys(schemasOf(document)));
  return [
    ...problems,
    ...[...names]
      .filter((name) => names.has(`New${name}`))
      .map((name) => `New${name} is the constructor of ${name} in Go`),
    ...patternsIn(document)
      .filter(isOnlyForSome)
      .map((pattern) => `${pattern} is a pattern that some languages reject`),
    ...unused.map((reference) => `${reference} is not used`),
    ...twice.map((id) => `the operationId ${id} is used twice`),
  ];
}

function problemsOf(schema: Schema, place: string, isOpenApi31: boolean): string[] {
  const { type, $ref, allOf, anyOf, items, properties, enum: values, 'x-enum-varnames': names } = schema;
  const { nullable, 'x-nullable': swaggerNullable } = schema;
  const isNamed = NAMED_PLACE.test(place);
  const isParameter = /\/parameters\/\d+(\/schema)?(\/items)?$/.test(place);
  const format = [type].flat().includes('integer') && !OF_SEVERAL.test(place) ? schema.format : 'int64';
  return [
    // Swagger 2.0 cannot express unions of types, so the named schemas for unions may have no type.
    ...([type, $ref, allOf, anyOf].every((word) => word === undefined) && !(isNamed && OF_SEVERAL.test(place))
      ? ['has no type']
      : []),
    ...([type].flat().includes('array') && items === undefined ? ['is a list without items'] : []),
    ...(properties !== undefined && !isNamed ? ['is an object without a name'] : []),
    ...(isNamed && !/\/[A-Z][A-Za-z]*$/.test(place) ? ['is not a valid type name'] : []),
    ...(values !== undefined && (isNamed || isParameter) && !areNames(names, (values as unknown[]).length)
      ? ['is an enum without names']
      : []),
    ...(names !== undefined && !isNamed && !isParameter ? ['is an enum with names, but without its own name'] : []),
    ...(type === 'integer' && !isParameter && (values ?? schema.const) !== undefined
      ? ['is an enum of integers, which the generator for Rust reads as texts']
      : []),
    ...(!isOpenApi31 && Array.isArray(type) ? ['has several types'] : []),
    ...((nullable === true || swaggerNullable === true) && typeof type !== 'string'
      ? ['is nullable without a type']
      : []),
    ...(format === 'int64' ? [] : ['is an integer of unknown size']),
  ];
}

const NAMED_PLACE = /^\/(components\/schemas|definitions)\/[^/]+$/;
const OF_SEVERAL = /\/(Cell|WholeNumber|DecimalNumber)(OrNull)?$/;

function areNames(names: unknown, count: number): boolean {
  const unique = new Set(((names ?? []) as string[]).map((name) => name.toLowerCase()));
  return unique.size === count && [...unique].every((name) => /^[a-z][a-z0-9]*$/.test(name));
}

/** Yields every schema in a document, with its path. */
function* schemasIn(value: unknown, place: string, key: string | undefined): Generator<[string, Schema]> {
  if (typeof value !== 'object' || value === null || NO_SCHEMAS.has(key ?? '')) return;
  if (isSchema(value as Schema, place, key)) yield [place, value as Schema];
  for (const [name, inner] of Object.entries(value)) yield* schemasIn(inner, `${place}/${name}`, name);
}

function isSchema(value: Schema, place: string, key: string | undefined): boolean {
  if (Array.isArray(value)) return false;
  if (/\/(properties|schemas|definitions|allOf)\/[^/]+$/.test(place)) return true;
  if (/\/parameters\/\d+$/.test(place)) return value.schema === undefined;
  return key === 'schema' || key === 'items' || key === 'additionalProperties';
}

/** Whether a pattern is not portable: JavaScript without flags or RE2 rejects it, or it has syntax that Python or Java reject. */
function isOnlyForSome(pattern: string): boolean {
  try {
    new RegExp(pattern);
    RE2JS.compile(pattern);
    return /\\[pPuUkQz]|\(\?(?!:)|[\ud800-\udfff]/.test(pattern);
  } catch {
    return true;
  }
}

function patternsIn(document: object): string[] {
  return [...schemasIn(document, '', undefined)].flatMap(([, { pattern }]) =>
    typeof pattern === 'string' ? [pattern] : [],
  );
}

/** Values of these keys are data, even if they look like schemas. */
const NO_SCHEMAS: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'required']);

function schemasOf(document: object): Readonly<Record<string, object>> {
  const { components, definitions } = document as Readonly<Record<string, Readonly<Record<string, object>>>>;
  return (definitions ?? components?.schemas ?? {}) as Readonly<Record<string, object>>;
}

function componentsOf(document: object): string[] {
  const { components, definitions, responses } = document as Readonly<Record<string, Readonly<Record<string, object>>>>;
  const inside = (place: string, all: object = {}) => Object.keys(all).map((name) => `${place}${name}`);
  return [
    ...inside('#/components/schemas/', components?.schemas),
    ...inside('#/components/responses/', components?.responses),
    ...inside('#/definitions/', definitions),
    ...inside('#/responses/', responses),
  ];
}

function operationIds(document: object): string[] {
  const { paths } = document as { readonly paths: Readonly<Record<string, Readonly<Record<string, Schema>>>> };
  return Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => String(operationId)));
}
