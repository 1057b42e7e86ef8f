import type { ItemDefinition, ParameterDefinition } from '../../definitions/definition.js';
import { IMPLICIT_PATTERNS } from '../../definitions/parameters/parameter-schema.js';
import { readDeprecation } from '../description/deprecation-text.js';
import { readRules } from '../description/formats/parameter-rules.js';
import { FORMAT_PARAMETERS, PAGE_PARAMETERS } from '../formats/asked-format.js';
import { SERVICE } from '../package-root.js';
import type { Contract, ContractColumn } from './contract.js';
import { DocumentNode } from './document-node.js';

/**
 * Reads the contracts of all definitions from an OpenAPI document that this service wrote. Throws `DocumentError` for other documents. An
 * OpenAPI document does not contain the SQL, limits, notices, questions, tags and examples of a definition.
 */
export function readContracts(document: unknown): Contract[] {
  const root = DocumentNode.of(document);
  const version = root.get('openapi');
  if (!version.text().startsWith('3.1')) version.fail('OpenAPI 3.1');
  const title = root.get('info').get('title');
  if (title.text() !== SERVICE.name) title.fail(`a description of ${SERVICE.name}`);
  const operations = root.get('paths').entries();
  const atPath = findPublic(operations);
  return operations.flatMap(([path, methods]) => {
    const name = NAMED_PATH.exec(path)?.[1];
    const operation = name === undefined ? undefined : methods.find('get');
    if (name === undefined || operation?.find('operationId')?.text() !== `query-${name}`) return [];
    return [readContract(name, operation, atPath.get(name) ?? atPath.get(`v1-${name}`))];
  });
}

const NAMED_PATH = /^\/q\/([a-z][a-z0-9-]*)$/;

interface PublicOperation {
  readonly path: string;
  readonly operation: DocumentNode;
}

/** Finds the operations under `/v1` by their id. */
function findPublic(operations: readonly (readonly [string, DocumentNode])[]): ReadonlyMap<string, PublicOperation> {
  const found = operations.flatMap(([path, methods]) => {
    const operation = path.startsWith('/v1/') ? methods.find('get') : undefined;
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
  return cells.entries().map(([col, cell]) => {
    const types = readTypes(cell.get('type'));
    const nativeTypes = types.filter((type) => type !== 'null');
    const textPattern = texts === undefined ? undefined : readPattern(texts.get(col).find('pattern')?.text());
    return {
      col,
      type: `${nativeTypes.join(' or ')}${textPattern == null ? '' : ` like ${textPattern}`}`,
      scale: undefined,
      nullable: types.includes('null'),
      description: cell.find('description')?.text() ?? '',
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
