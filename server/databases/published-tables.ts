import { type Catalogue, type CatalogueTable, type Database, didYouMean } from '../../engine/index.js';
import { quoteName } from '../../engine/sql/reading/lexemes.js';
import type { TableReferences } from '../../warehouse/reference/find-table.js';
import type { TableReference } from '../../warehouse/reference/table-reference-entry.js';
import type { ApiFolder } from '../settings/api-folder.js';
import { readOwnCatalogue } from './own-catalogue.js';

/**
 * Reads the tables that an API publishes, except tables whose files cannot be read. Throws an Error with all other names of `api.yaml` that
 * the database does not have.
 */
export async function readPublishedTables(api: ApiFolder, database: Database): Promise<TableReferences> {
  const { published, tables: fileTables } = api;
  const names = Object.keys(published);
  if (names.length === 0) return new Map();
  const catalogue = await readOwnCatalogue(api, database);
  const problems: string[] = [];
  const tables = names.map((name) => {
    const key = name.toLowerCase();
    const table = catalogue.get(key);
    const columns = table && findColumns(table, published[name] ?? ALL_COLUMNS, problems);
    const isBroken = table === undefined && fileTables.some((one) => one.name === key);
    if (table === undefined && !isBroken) problems.push(unknownTable(name, catalogue));
    return table && ([key, describeTable(table, columns ?? [])] as const);
  });
  if (problems.length > 0) throw new Error(problems.map((problem) => `api.yaml: published: ${problem}`).join('\n'));
  return new Map(tables.filter((table) => table !== undefined));
}

/** Publishes all columns of a table, in `api.yaml`. */
const ALL_COLUMNS = '*';

function unknownTable(name: string, catalogue: Catalogue): string {
  return `there is no table ${name} that can be read${didYouMean(name, [...catalogue.keys()])}`;
}

type Column = CatalogueTable['columns'] extends ReadonlyMap<string, infer T> ? T : never;

function findColumns(table: CatalogueTable, names: string | readonly string[], problems: string[]): Column[] {
  if (typeof names === 'string') return [...table.columns.values()];
  return names.flatMap((name) => {
    const column = table.columns.get(name.toLowerCase());
    if (column !== undefined) return [column];
    problems.push(`the table ${table.name} has no column ${name}${didYouMean(name, [...table.columns.keys()])}`);
    return [];
  });
}

function describeTable({ name, comment, keys }: CatalogueTable, columns: readonly Column[]): TableReference {
  const described = columns.map(({ name: column, type, comment: description }) => {
    return [column, { type, description }] as const;
  });
  const isPublished = (column: string) => columns.some((one) => one.name.toLowerCase() === column);
  const key = keys.find((one) => one.every(isPublished)) ?? [];
  const list = columns.slice(0, EXAMPLE_COLUMNS).map((column) => quoteName(column.name));
  const order = key.length === 0 ? '' : ` ORDER BY ${key.map(quoteName).join(', ')}`;
  return {
    name,
    description: comment,
    columns: new Map(described),
    example: `SELECT ${list.join(', ')} FROM ${quoteName(name)}${order} LIMIT 20`,
  };
}

const EXAMPLE_COLUMNS = 6;
