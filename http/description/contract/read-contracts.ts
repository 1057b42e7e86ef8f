import type { Contract } from '../../contract/contract.js';
import { FORMAT_PARAMETERS, PAGE_PARAMETERS } from '../../formats/asked-format.js';
import { SERVICE } from '../../package-root.js';
import { readDeprecation } from '../deprecation-text.js';
import { DocumentNode } from './document-node.js';
import { readColumns } from './read-columns.js';
import { readParameter } from './read-parameter.js';

/**
 * Reads the contracts of all definitions from an OpenAPI document that this service wrote. Throws `DocumentError` for other
 * documents. SQL, limits, notices, questions, tags and examples of a definition are not in such a document.
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

/** Whether a parameter belongs to all definitions, and not to the definition. */
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
