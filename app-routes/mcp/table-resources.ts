import {
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { didYouMean } from '../../engine/index.js';
import type { TableReferences } from '../../warehouse/reference/find-table.js';
import type { TableReference } from '../../warehouse/reference/table-reference-entry.js';
import type { McpResources } from './mcp-parts.js';

/** A document that is not about a table. */
export interface OtherResource {
  readonly resource: Resource;
  /** Reads its content, which is written as JSON. */
  readonly read: () => Promise<unknown>;
}

export interface TableResourceParts {
  /** The tables that SQL of callers can read. */
  readonly tables: TableReferences;
  /** Reads the tables that only definitions can read. Default: none. */
  readonly readOwnTables?: () => Promise<TableReferences>;
  readonly template: Pick<ResourceTemplateType, 'title'>;
  readonly others?: readonly OtherResource[];
}

/** Creates the resources of a service: `others`, followed by a description of each table. */
export function tableResources({
  tables,
  readOwnTables = async () => new Map(),
  template,
  others = [],
}: TableResourceParts): McpResources {
  const readAll = async () => new Map([...tables, ...(await readOwnTables())]);
  const isOwn = (name: string) => !tables.has(name);
  return {
    list: async () => [
      ...others.map(({ resource }) => resource),
      ...[...(await readAll())].map(([name, { description }]) => ({
        uri: `${TABLES}${encodeURIComponent(name)}`,
        name,
        title: `${isOwn(name) ? 'Own table' : 'Table'} ${name}`,
        description,
        mimeType: JSON_TYPE,
      })),
    ],
    templates: [{ ...TEMPLATE, ...template }],
    read: async (uri) => {
      const other = others.find(({ resource }) => resource.uri === uri);
      if (other !== undefined) return jsonResource(uri, await other.read());
      const name = uri.startsWith(TABLES) ? decodeName(uri.slice(TABLES.length)) : '';
      const table = tables.get(name) ?? (await readOwnTables()).get(name);
      if (table !== undefined) return jsonResource(uri, describeTable(name, table, isOwn(name)));
      throw unknownResource(uri, didYouMean(name, [...(await readAll()).keys()]));
    },
  };
}

/** Decodes the name of a table in a URI. An invalid code stays as it is. */
function decodeName(text: string): string {
  try {
    return decodeURIComponent(text).toLowerCase();
  } catch {
    return text;
  }
}

const JSON_TYPE = 'application/json';
const TABLES = 'repo-insight://tables/';
const TEMPLATE: ResourceTemplateType = {
  uriTemplate: `${TABLES}{table}`,
  name: 'table',
  description: 'The meaning of a table and of its columns.',
  mimeType: JSON_TYPE,
};

function describeTable(name: string, { description, columns, where }: TableReference, isOwn: boolean) {
  return {
    table: name,
    description,
    ...(isOwn && { is_own: true }),
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
