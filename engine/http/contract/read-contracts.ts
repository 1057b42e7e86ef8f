import { JSON_NOTE } from '../../answers/cells/cells.js';
import type { ItemDefinition, ParameterDefinition } from '../../definitions/definition.js';
import { IMPLICIT_PATTERNS } from '../../definitions/parameters/parameter-values.js';
import { readDeprecation } from '../description/deprecation-text.js';
import { readRules } from '../description/formats/parameters.js';
import { FORMAT_PARAMETERS, PAGE_PARAMETERS } from '../formats/format.js';
import { SERVICE } from '../package-root.js';
import { type Contract, type ContractColumn, JSON_VALUE } from './contract.js';

/**
 * Reads the contracts of all definitions from an OpenAPI document that this service wrote. Throws `DocumentError` for other documents. An
 * OpenAPI document does not contain the SQL, limits, notices, questions, tags and examples of a definition.
 */
export function readContracts(document: unknown): Contract[] {
  const root = DocumentNode.of(document);
  const version = root.get('openapi');
  if (!version.text().startsWith('3.1')) version.fail('OpenAPI 3.1');
  const operations = root.get('paths').entries();
  // The title is that of the API. Every description that this program writes contains the operation of the description itself.
  if (!operations.some(([path]) => path === '/openapi.json'))
    root.get('info').get('title').fail(`a description of ${SERVICE.name}`);
  const atPath = findPublic(operations);
  return operations.flatMap(([path, methods]) => {
    const name = NAMED_PATH.exec(path)?.[1];
    const operation = name === undefined ? undefined : methods.find('get');
    if (name === undefined || operation?.find('operationId')?.text() !== `query-${name}`) return [];
    return [readContract(name, operation, atPath.get(`v1-${name}`) ?? atPath.get(name))];
  });
}

const NAMED_PATH = /^\/q\/([a-z][a-z0-9-]*)$/;

interface PublicOperation {
  readonly path: string;
  readonly operation: DocumentNode;
}

/** Finds the operations outside of `/q` by their id. */
function findPublic(operations: readonly (readonly [string, DocumentNode])[]): ReadonlyMap<string, PublicOperation> {
  const found = operations.flatMap(([path, methods]) => {
    const operation = path.startsWith('/q/') ? undefined : methods.find('get');
    return operation === undefined ? [] : [[operation.get('operationId').text(), { path, operation }] as const];
  });
  return new Map(found);
}

function readContract(name: string, named: DocumentNode, atPath: PublicOperation | undefined): Contract {
  const inPath = new Set(
    atPath?.operation
      .get('parameters')
      .items()
      .filter((parameter) => parameter.get('in').text() === 'path')
      .map((parameter) => parameter.get('name').text()),
  );
  const all = named
    .get('parameters')
    .items()
    .filter((parameter) => !selectsFormat(parameter))
    .map((parameter) => {
      const own = parameter.get('name').text();
      return [own, readParameter(parameter, inPath.has(own))] as const;
    });
  const [page, size] = ['page', 'page_size'].map((key) => all.find(([own]) => own === key)?.[1]);
  const hasPages = typeof page?.default === 'number' && typeof size?.default === 'number';
  const pagination = hasPages ? { default: Number(size.default), max: size.maximum ?? Infinity } : undefined;
  const declared = pagination === undefined ? all : all.filter(([own]) => !PAGE_PARAMETERS.includes(own));
  const members = schemaOf(named).get('properties');
  const { description, deprecated, sunset } = readDeprecation(named.find('description')?.text());
  return {
    name,
    path: atPath?.path,
    params: Object.fromEntries(declared),
    pagination,
    columns: readColumns(schemaOf(named), atPath && schemaOf(atPath.operation)),
    members: {
      hasCursors: members.find('nextCursor') !== undefined,
      hasTotal: members.find('total') !== undefined,
      hasSources: members.find('sources') !== undefined,
    },
    deprecated,
    sunset,
    texts: { summary: named.get('summary').text(), description },
    inside: undefined,
  };
}

/** Whether a parameter selects the format. The service adds such parameters to all definitions. */
function selectsFormat(parameter: DocumentNode): boolean {
  const name = parameter.get('name').text();
  if (name !== 'format') return Object.hasOwn(FORMAT_PARAMETERS, name);
  const values = parameter.get('schema').find('enum')?.items() ?? [];
  return values.some((value) => value.scalar() === 'ndjson');
}

/** Returns the schema of the successful answer. */
function schemaOf(operation: DocumentNode): DocumentNode {
  return operation.get('responses').get('200').get('content').get('application/json').get('schema');
}

/**
 * Reads the columns from the schemas of the answers of `/q/{name}` and of the path. If the endpoint has no path, the
 * format of text cells is unknown.
 */
function readColumns(named: DocumentNode, atPath: DocumentNode | undefined): ContractColumn[] {
  const texts = atPath?.get('properties').get('data').get('properties').get('rows').get('items').get('properties');
  const cells = named.get('properties').get('data').get('items').get('properties');
  const all = cells
    .entries()
    .flatMap(([name, cell]): { col: string; cell: DocumentNode; list: string | undefined }[] => {
      const nested = cell.find('items')?.find('properties')?.entries();
      if (nested === undefined) return [{ col: name, cell, list: undefined }];
      return nested.map(([col, one]) => ({ col, cell: one, list: name }));
    });
  // The columns of a list are after all other columns of an object, but not always in the SELECT.
  const order = texts?.entries().map(([col]) => col) ?? [];
  all.sort((one, other) => order.indexOf(one.col) - order.indexOf(other.col));
  return all.map(({ col, cell, list }) => {
    const type = cell.find('type');
    const types = type === undefined ? [JSON_VALUE] : readTypes(type);
    const nativeTypes = types.filter((one) => one !== 'null');
    const textPattern = texts === undefined ? undefined : readPattern(texts.get(col).find('pattern')?.text());
    return {
      col,
      type: `${nativeTypes.join(' or ')}${textPattern == null ? '' : ` like ${textPattern}`}`,
      scale: undefined,
      nullable: type === undefined ? undefined : types.includes('null'),
      description: cell.find('description')?.text().replace(JSON_NOTE, '') ?? '',
      list,
      nativeTypes,
      textPattern,
    };
  });
}

function readTypes(type: DocumentNode): string[] {
  return type.isList() ? type.items().map((item) => item.text()) : [type.text()];
}

/** Removes the anchors of a pattern, and the part that allows an empty cell. */
function readPattern(pattern: string | undefined): string | null {
  const [, nullable, required] = /^\^(?:\((.*)\)\?|(.*))\$$/s.exec(pattern ?? '') ?? [];
  return nullable ?? required ?? null;
}

/** Reads a parameter of `/q/{name}`. `isInPath` states whether it is in the path of the endpoint. */
function readParameter(parameter: DocumentNode, isInPath: boolean): ParameterDefinition {
  const schema = parameter.get('schema');
  const isRequired = parameter.get('required').flag();
  const value = schema.find('default')?.parameterValue();
  const example = parameter.find('example')?.parameterValue();
  return {
    in: isInPath ? 'path' : 'query',
    ...readValues(schema),
    ...(isRequired && !isInPath && { required: true }),
    ...(value !== undefined && { default: value }),
    ...(example !== undefined && { example }),
    ...readRules(parameter.get('description').text()),
  };
}

const TYPES = ['string', 'integer', 'number', 'boolean', 'array'] as const;
/** The known formats. The service adds `int64` to integers in documents, so it is ignored here. */
const FORMATS = ['date', 'int64'] as const;
const NUMBERS = ['minimum', 'maximum', 'minLength', 'maxLength'] as const;
const LIST_NUMBERS = ['minItems', 'maxItems'] as const;

type Values = Omit<ParameterDefinition, 'in' | 'description'>;

function readValues(schema: DocumentNode): Values {
  const items = schema.find('items');
  return {
    ...readScalar(schema),
    ...readNumbers(schema, LIST_NUMBERS),
    ...(items !== undefined && { items: readScalar(items) }),
  };
}

function readScalar(schema: DocumentNode): ItemDefinition {
  const format = schema.find('format')?.oneOf(FORMATS);
  const values = schema
    .find('enum')
    ?.items()
    .map((value) => value.scalar());
  const pattern = (schema.find('pattern') ?? schema.find('x-pattern'))?.text();
  return {
    type: schema.get('type').oneOf(TYPES),
    ...(format === 'date' && { format }),
    ...(values !== undefined && { enum: values }),
    ...readNumbers(schema, NUMBERS),
    ...(pattern !== undefined && !IMPLICIT_PATTERNS.includes(pattern) && { pattern }),
  };
}

function readNumbers<Key extends string>(schema: DocumentNode, keys: readonly Key[]): Partial<Record<Key, number>> {
  const present = keys.flatMap((key) => {
    const value = schema.find(key)?.number();
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(present) as Partial<Record<Key, number>>;
}

/** Thrown for a document that is not an API description from this service. The message contains the position of the first mistake. */
class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

/**
 * A value inside an untrusted JSON document. Each method checks the value, and throws a `DocumentError` with its
 * position if the value is unexpected. References to `#/components/` are resolved.
 */
class DocumentNode {
  readonly #root: unknown;
  readonly #value: unknown;
  readonly #place: string;

  private constructor(root: unknown, value: unknown, place: string) {
    this.#root = root;
    this.#value = value;
    this.#place = place;
  }

  static of(document: unknown): DocumentNode {
    return new DocumentNode(document, document, '');
  }

  /** Returns a member of an object after resolving references. Returns undefined if the member is absent. */
  find(key: string): DocumentNode | undefined {
    const members = this.#members();
    if (!Object.hasOwn(members, key)) return undefined;
    return new DocumentNode(this.#root, members[key], this.#placeOf(key)).#resolve();
  }

  get(key: string): DocumentNode {
    return this.find(key) ?? this.fail(`a member ${JSON.stringify(key)}`);
  }

  /** Returns the members of an object in their order. */
  entries(): (readonly [string, DocumentNode])[] {
    const keys = Object.keys(this.#members());
    if (keys.length > MAX_MEMBERS) return this.fail(`at most ${MAX_MEMBERS} members`);
    return keys.map((key) => [key, this.get(key)]);
  }

  items(): DocumentNode[] {
    const value = this.#value;
    if (!Array.isArray(value)) return this.fail('a list');
    if (value.length > MAX_MEMBERS) return this.fail(`at most ${MAX_MEMBERS} items`);
    return value.map((item, index) => new DocumentNode(this.#root, item, this.#placeOf(String(index))).#resolve());
  }

  isList(): boolean {
    return Array.isArray(this.#value);
  }

  text(): string {
    return typeof this.#value === 'string' ? this.#value : this.fail('text');
  }

  number(): number {
    return typeof this.#value === 'number' ? this.#value : this.fail('a number');
  }

  flag(): boolean {
    return typeof this.#value === 'boolean' ? this.#value : this.fail('true or false');
  }

  /** Returns text or a number. */
  scalar(): string | number {
    return typeof this.#value === 'number' ? this.#value : this.text();
  }

  oneOf<Value extends string>(values: readonly Value[]): Value {
    return values.find((value) => value === this.#value) ?? this.fail(`one of ${values.join(', ')}`);
  }

  /** Returns the value of a parameter: a scalar, `true`, `false`, or a list of scalars. */
  parameterValue(): string | number | boolean | readonly (string | number)[] {
    if (Array.isArray(this.#value)) return this.items().map((item) => item.scalar());
    return typeof this.#value === 'boolean' ? this.#value : this.scalar();
  }

  fail(expected: string): never {
    const place = this.#place === '' ? 'the document' : this.#place;
    throw new DocumentError(`${place}: expected ${expected}, got ${shorten(JSON.stringify(this.#value) ?? 'nothing')}`);
  }

  #members(): Readonly<Record<string, unknown>> {
    const value = this.#value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.fail('an object');
    return value as Readonly<Record<string, unknown>>;
  }

  /** Resolves `$ref`, and `allOf` with one member. */
  #resolve(depth = 0): DocumentNode {
    const { $ref, allOf, ...own } = isObject(this.#value) ? this.#value : {};
    const [only, ...others] = Array.isArray(allOf) ? allOf : [];
    if ($ref === undefined && (only === undefined || others.length > 0)) return this;
    if (depth > MAX_REFERENCES) return this.fail('a reference that ends');
    const target = $ref === undefined ? only : this.#target($ref);
    const resolved = new DocumentNode(this.#root, target, this.#place).#resolve(depth + 1);
    // Members next to a reference, such as a description, override those of the referenced object.
    return new DocumentNode(this.#root, { ...resolved.#members(), ...own }, this.#place);
  }

  #target(reference: unknown): unknown {
    if (typeof reference !== 'string' || !reference.startsWith('#/components/')) {
      return this.fail('a reference to #/components/');
    }
    const steps = reference.slice(2).split('/');
    return steps.reduce<unknown>((inside, step) => {
      if (!isObject(inside) || !Object.hasOwn(inside, step)) return this.fail('a reference to an existing component');
      return inside[step];
    }, this.#root);
  }

  #placeOf(key: string): string {
    return this.#place === '' ? key : `${this.#place}.${key}`;
  }
}

/** The maximum number of references in succession. API descriptions of this service have at most two. */
const MAX_REFERENCES = 8;
/**
 * The maximum number of members of an object, which is enough for two paths of each of 10,000 endpoints. The limit is
 * needed because comparing parameters and columns takes quadratic time.
 */
const MAX_MEMBERS = 20_000;
const MAX_SHOWN = 80;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
