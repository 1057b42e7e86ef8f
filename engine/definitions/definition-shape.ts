import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { didYouMean, findNearestName } from '../sql/did-you-mean.js';
import { type DefinitionPath, type DefinitionSource, describeValue } from './definition-source.js';
import type { Problem } from './problem.js';
import { expectedBySchema } from './schema-expectation.js';

export type Schema = Readonly<Record<string, unknown>>;

/** The JSON Schema of a definition file; editors use the same one. */
export const endpointSchema: Schema = readSchema('endpoint.schema.json');

/** Returns the JSON Schema of files of shared parts. */
export function readSharedSchema(): Schema {
  return readSchema('shared.schema.json');
}

/** The beginnings of the paths of definitions, if `api.yaml` does not declare others. */
export const DEFAULT_PREFIXES = readDefaultPrefixes();

function readDefaultPrefixes(): readonly string[] {
  const { properties } = readSchema('api.schema.json') as { properties: { prefixes: { default: readonly string[] } } };
  return properties.prefixes.default;
}

export interface Shape {
  readonly problems: readonly Problem[];
  /** Top-level keys that are missing or contain a problem. Later checks skip them. */
  readonly broken: ReadonlySet<string>;
  /** Parameters with unknown keys. It is unknown which keys were intended, so checks that need the keys are skipped. */
  readonly misspelled: ReadonlySet<string>;
}

/**
 * The maximum number of reported problems per file. Finding the position of a problem reads the whole file, so a
 * generated file with thousands of mistakes would take a minute.
 */
const MAX_PROBLEMS = 100;

/** Checks keys and types against a schema in `schemas/`, by default the one of a definition. One mistake produces one problem. */
export function checkShape(source: DefinitionSource, schema = 'endpoint.schema.json'): Shape {
  const errors = shapeErrors(validator(schema), source);
  const isMisspelled = ({ keyword, instancePath }: ErrorObject) =>
    keyword === 'additionalProperties' && /^\/params\/[^/]+$/.test(instancePath);
  const topKeys = errors.filter((error) => !isMisspelled(error)).map((error) => pathOf(source.value, error)[0]);
  const intended = errors.filter(({ instancePath }) => instancePath === '').flatMap(intendedKeys);
  return {
    problems: errors.slice(0, MAX_PROBLEMS).map((error) => shapeProblem(source, error)),
    broken: new Set([...topKeys.map(String), ...intended]),
    misspelled: new Set(errors.filter(isMisspelled).map((error) => String(pathOf(source.value, error)[1]))),
  };
}

function readSchema(name: string): Schema {
  return JSON.parse(readFileSync(new URL(`../../../schemas/${name}`, import.meta.url), 'utf8'));
}

/**
 * A test validates the schemas, because validating them at each start would take longer than all other shape checks.
 * Code optimization is off, because each compiled function checks only a few files.
 */
const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  allowUnionTypes: true,
  meta: false,
  validateSchema: false,
  code: { optimize: false },
});
ajv.addSchema(endpointSchema, 'endpoint.schema.json');
ajv.addSchema(readSchema('chart.schema.json'), 'chart.schema.json');

function validator(name: string): ValidateFunction {
  if (ajv.schemas[name] === undefined) ajv.addSchema(readSchema(name), name);
  const validate = ajv.getSchema(name);
  if (validate === undefined) throw new Error(`the schema ${name} is missing`);
  return validate;
}

function shapeErrors(validate: ValidateFunction, source: DefinitionSource): ErrorObject[] {
  return validate(source.value) ? [] : deduplicateErrors(validate.errors ?? []);
}

/**
 * Keeps only the first error at each place. Drops the error about a missing key if another error already reports a
 * misspelled form of this key.
 */
function deduplicateErrors(errors: readonly ErrorObject[]): ErrorObject[] {
  const seen = new Set(errors.flatMap((error) => intendedKeys(error).map((key) => `${error.instancePath}/${key}`)));
  return errors.filter((error) => {
    const named = error.params.additionalProperty ?? error.params.missingProperty ?? error.propertyName;
    // ajv reports an invalid property name twice: once under the keyword that failed, and once under `propertyNames`.
    if (error.keyword === 'propertyNames') return false;
    // ajv reports the failed keyword below `then` or `else` as a separate error.
    if (error.keyword === 'if') return false;
    const place = named === undefined ? error.instancePath : `${error.instancePath}/${named}`;
    const isNew = !seen.has(place);
    seen.add(place);
    return isNew;
  });
}

function shapeProblem(source: DefinitionSource, error: ErrorObject): Problem {
  const path = pathOf(source.value, error);
  const name = String(path.at(-1) ?? '');
  switch (error.keyword) {
    case 'additionalProperties': {
      const intended = intendedKey(error);
      if (intended !== undefined)
        return source.problem(path, `unknown key (did you mean "${intended}"?)`, { at: 'key' });
      return source.problem(path, 'unknown key', { at: 'key', expected: `one of ${absentKeys(error).join(', ')}` });
    }
    case 'enum': {
      const known = (error.schema as unknown[]).map(String);
      const meant = VALUE_SYNONYMS[String(error.data).toLowerCase()]?.find((value) => known.includes(value));
      const hint = meant === undefined ? didYouMean(String(error.data), known) : ` (did you mean "${meant}"?)`;
      const facts = { got: describeValue(error.data), ...(hint === '' && { expected: expectedBySchema(error) }) };
      return source.problem(path, `invalid value${hint}`, facts);
    }
    case 'required':
      return source.problem(path.slice(0, -1), `the key "${name}" is missing`, { at: 'key' });
    case 'false schema':
      return source.problem(path, `the key "${name}" is not allowed here`, { at: 'key' });
    default: {
      const facts = { expected: expectedByDefinition(error), got: describeValue(error.data) };
      return error.propertyName === undefined
        ? source.problem(path, 'invalid value', facts)
        : source.problem(path, 'invalid name', { ...facts, at: 'key', got: JSON.stringify(name) });
    }
  }
}

function pathOf(value: unknown, error: ErrorObject): DefinitionPath {
  const steps: (string | number)[] = [];
  let inside = value;
  for (const step of error.instancePath.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    steps.push(Array.isArray(inside) ? Number(name) : name);
    inside = (inside as Record<string, unknown>)[name];
  }
  const named = error.params.additionalProperty ?? error.params.missingProperty ?? error.propertyName;
  return typeof named === 'string' ? [...steps, named] : steps;
}

function knownKeys(error: ErrorObject): string[] {
  return Object.keys((error.parentSchema?.properties ?? {}) as object).filter((key) => key !== '$schema');
}

/** Returns the known keys that are absent from the mapping in which an error occurred. */
function absentKeys(error: ErrorObject): string[] {
  return knownKeys(error).filter((key) => !Object.hasOwn(error.data as object, key));
}

/** Returns the key that the author probably intended with an unknown key. */
function intendedKey(error: ErrorObject): string | undefined {
  const name = String(error.params.additionalProperty);
  const absent = absentKeys(error);
  return absent.find((key) => SYNONYMS[key]?.includes(name.toLowerCase())) ?? findNearestName(name, absent);
}

/** Returns the intended key of an error about an unknown key, as a list with zero or one element. */
function intendedKeys(error: ErrorObject): string[] {
  const key = error.keyword === 'additionalProperties' ? intendedKey(error) : undefined;
  return key === undefined ? [] : [key];
}

/** For each key, the names that other tools use for it. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  path: ['url', 'route', 'endpoint'],
  summary: ['title'],
  params: ['parameters', 'arguments', 'args', 'inputs', 'variables'],
  columns: ['fields', 'output', 'outputs'],
  sql: ['query', 'statement', 'select', 'text'],
  limits: ['timeout', 'max_rows'],
  in: ['location', 'position'],
  enum: ['values', 'options', 'choices'],
  default: ['size', 'page_size'],
  col: ['name', 'column', 'key'],
  data_type: ['type'],
  nullable: ['null', 'optional'],
  by: ['key', 'keys', 'group_by', 'parent'],
  nest: ['nested', 'group'],
  scale: ['digits', 'decimals'],
  label: ['title', 'heading'],
};

/** Values that authors know from other tools and databases, in lower case, with the values that replace them here. */
const VALUE_SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  int: ['integer'],
  int4: ['INT'],
  int8: ['BIGINT'],
  long: ['integer', 'BIGINT'],
  float: ['number'],
  double: ['number'],
  decimal: ['number'],
  str: ['string', 'VARCHAR'],
  text: ['string'],
  string: ['VARCHAR'],
  bool: ['boolean', 'TINYINT'],
  boolean: ['TINYINT'],
  list: ['array'],
  integer: ['INT'],
  number: ['DECIMAL'],
  numeric: ['DECIMAL'],
  timestamptz: ['TIMESTAMP'],
};

/** For each key with a pattern in the schema, a description of the expected text. */
const PATTERNS: Readonly<Record<string, string>> = {
  name: 'kebab-case, such as list-loaves',
  timeout: 'a duration such as 500ms, 5s or 1m',
  ttl: 'a duration such as 500ms, 60s, 5m or 1h',
  serve_stale: 'a duration such as 500ms, 30s or 5m',
  deprecated: 'a day such as 2026-11-01',
  sunset: 'a day such as 2027-05-01',
  refresh: 'a duration such as 60s, 5m or 1h',
  now: 'a time (UTC) such as 2026-01-01 or 2026-01-01 12:30:00',
  col: 'letters, digits and _',
  access: 'public, signed-in, key, role:NAME or a list of them',
  requests: 'a number per min, hour or day such as 60/min',
  shared: 'a file such as ../ovens.shared.yaml',
};

/**
 * Describes the expected value of an error. Patterns of the schema are described by words or examples, because a
 * regular expression is hard to read in a message.
 */
function expectedByDefinition(error: ErrorObject): string {
  const isPattern =
    error.keyword === 'pattern' || (error.keyword === 'type' && error.parentSchema?.pattern !== undefined);
  if (!isPattern) return expectedBySchema(error);
  if (error.propertyName !== undefined) return 'a name such as oven_id or ovenId';
  // `shared` is a list: for an error in one of its items, the first step of the path is the key.
  const [, first = '', ...rest] = error.instancePath.split('/');
  const key = rest.at(-1) ?? first;
  const [example] = (error.parentSchema?.examples ?? []) as readonly string[];
  const words = PATTERNS[key] ?? PATTERNS[first];
  return words ?? (example === undefined ? expectedBySchema(error) : `a ${key} such as ${example}`);
}
