import {
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { type Database, didYouMean } from '../../engine/index.js';
import { readTypes } from '../../warehouse/coverage.js';
import { readOwnTables } from '../../warehouse/own-tables/stored-own-tables.js';
import type { TableReference } from '../../warehouse/reference/table-reference-entry.js';
import { TABLE_REFERENCE } from '../../warehouse/table-reference.js';
import type { McpResources } from './mcp-parts.js';

/** The resources of the service with the data of GitHub. */
export function githubResources(database: Database): McpResources {
  return {
    list: () => listResources(database),
    templates: RESOURCE_TEMPLATES,
    read: (uri) => readResource(uri, database),
  };
}

/** Lists the resources: one per public table, one per own table, and the coverage of the data. */
async function listResources(database: Database): Promise<Resource[]> {
  const tables = [...(await readTables(database))].map(([name, { description }]) => ({
    uri: `${TABLES}${name}`,
    name,
    title: `${TABLE_REFERENCE.has(name) ? 'Table' : 'Own table'} ${name}`,
    description,
    mimeType: JSON_TYPE,
  }));
  return [COVERAGE, ...tables];
}

const RESOURCE_TEMPLATES: readonly ResourceTemplateType[] = [
  {
    uriTemplate: 'repo-insight://tables/{table}',
    name: 'table',
    title: 'A public table or an own table',
    description: 'The meaning of a table and of its columns.',
    mimeType: 'application/json',
  },
];

/** Reads a resource. Throws `ResourceNotFoundError` for an unknown URI. */
async function readResource(uri: string, database: Database): Promise<ReadResourceResult> {
  if (uri === COVERAGE.uri) return jsonResource(uri, { types: await readTypes(database) });
  const name = uri.startsWith(TABLES) ? uri.slice(TABLES.length) : '';
  const tables = TABLE_REFERENCE.has(name) ? TABLE_REFERENCE : await readTables(database);
  const table = tables.get(name);
  if (table === undefined) throw unknownResource(uri, didYouMean(name, [...tables.keys()]));
  return jsonResource(uri, describeTable(name, table));
}

/** Returns the public tables, followed by own tables, which only definitions can read and the playground cannot. */
async function readTables(database: Database): Promise<ReadonlyMap<string, TableReference>> {
  return new Map([...TABLE_REFERENCE, ...(await readOwnTables(database))]);
}

const JSON_TYPE = 'application/json';
const TABLES = 'repo-insight://tables/';
const COVERAGE: Resource = {
  uri: 'repo-insight://coverage',
  name: 'coverage',
  title: 'Coverage of the data',
  description:
    'Per type of event: the number of stored events, the first and last day, the number of days with events, and the time of the newest event. All times are UTC.',
  mimeType: JSON_TYPE,
};

function describeTable(name: string, { description, columns, where }: TableReference) {
  return {
    table: name,
    description,
    ...(!TABLE_REFERENCE.has(name) && { is_own: true }),
    ...(where !== undefined && { public_rows: where }),
    columns: [...columns].map(([column, { type, description: text }]) => ({ name: column, type, description: text })),
  };
}

function jsonResource(uri: string, value: unknown): ReadResourceResult {
  return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(value) }] };
}

function unknownResource(uri: string, hint: string): ResourceNotFoundError {
  const shown = JSON.stringify(uri.slice(0, MAX_SHOWN));
  return new ResourceNotFoundError(
    uri.slice(0, MAX_SHOWN),
    `There is no resource ${shown}${hint}; resources/list names all resources.`,
  );
}

const MAX_SHOWN = 200;
