import {
  type Catalogue,
  type CatalogueTable,
  createRowFilters,
  type Database,
  didYouMean,
  type RowFilters,
  readCatalogue,
} from '../../engine/index.js';
import { quoteName as quoteGuardedName } from '../../engine/sql/guard/writer.js';
import { quoteName } from '../../engine/sql/reading/lexemes.js';
import { readColumns, type TableReferences } from '../../warehouse/reference/find-table.js';
import type { TableReference } from '../../warehouse/reference/table-reference-entry.js';
import type { ApiFolder } from '../settings/api-folder.js';
import type { FolderSettings } from '../settings/definition-folders.js';
import { readOwnCatalogue } from './own-catalogue.js';

/**
 * Reads the tables that an API publishes, except tables whose files cannot be read. Throws an Error with all other names of `api.yaml` that
 * the database does not have, or that SQL of callers could not write.
 */
export async function readPublishedTables(
  settings: FolderSettings & { readonly api: ApiFolder },
  database: Database,
): Promise<TableReferences> {
  const { api } = settings;
  const { published, tables: fileTables } = api;
  const names = Object.keys(published);
  const catalogue = await readOwnCatalogue(settings, database);
  const rowFilters = createRowFilters(api);
  const problems: string[] = [];
  const references = new Map<string, TableReference>();
  for (const name of names) {
    const key = name.toLowerCase();
    const table = catalogue.get(key);
    if (table === undefined) {
      const isBroken = fileTables.some((one) => one.name === key);
      if (!isBroken) problems.push(unknownTable(name, catalogue));
      continue;
    }
    const columns = findColumns(table, published[name] ?? ALL_COLUMNS, problems);
    if (references.has(key)) problems.push(`the table ${table.name} is named twice`);
    if (table.isAmbiguous) problems.push(`several names of ${table.name} differ only in upper and lower case`);
    if (!isWritable(table.name) || /[.`]/.test(table.name))
      problems.push(`SQL of callers cannot name the table ${table.name}`);
    const repeated = columns.find((column, index) => columns.indexOf(column) !== index);
    if (repeated !== undefined) problems.push(`the column ${repeated.name} of ${table.name} is named twice`);
    if (columns.length === 0) problems.push(`the table ${table.name} has no columns that can be read`);
    const unwritable = columns.filter((column) => !isWritable(column.name)).map((column) => column.name);
    if (unwritable.length > 0)
      problems.push(
        `SQL of callers cannot name these columns of ${table.name}, list the others: ${unwritable.join(', ')}`,
      );
    const filterColumns = findFilterColumns(table, rowFilters, api, problems);
    references.set(key, { ...describeTable(table, columns), ...(filterColumns && { filterColumns }) });
  }
  if (problems.length > 0) throw new Error(problems.map((problem) => `api.yaml: published: ${problem}`).join('\n'));
  return references;
}

/** Returns the columns that the row filter of a table reads; undefined for a table without one. */
function findFilterColumns(
  table: CatalogueTable,
  rowFilters: RowFilters | undefined,
  { access }: ApiFolder,
  problems: string[],
): readonly string[] | undefined {
  const key = table.name.toLowerCase();
  const names = rowFilters?.columnsOf(key);
  if (names === undefined) return undefined;
  const [bound] = rowFilters?.namesOf([key]) ?? [];
  if (bound !== undefined && access.includes('public'))
    problems.push(
      `the row_filter of ${table.name} depends on ${bound}, so SQL of callers cannot be public: add the key access`,
    );
  return findColumns(table, [...names], problems, ', which its row_filter reads').map(({ name }) => name);
}

/** Throws an Error if the account of a playground cannot read a published column, or a column of a row filter. */
export async function requireReadable(published: TableReferences, database: Database): Promise<void> {
  const catalogue = await readCatalogue(database);
  const missing = [...published].flatMap(([key, table]) => {
    const readable = catalogue.get(key)?.columns;
    return readColumns(table)
      .filter((column) => !readable?.has(column.toLowerCase()))
      .map((column) => `${key}.${column}`);
  });
  if (missing.length === 0) return;
  throw new Error(
    `The account of PLAYGROUND_DATABASE_URL cannot read these columns, which api.yaml publishes or a row_filter reads: ${missing.join(', ')}. Grant SELECT on them, or list other columns in api.yaml.`,
  );
}

/** Whether the guard accepts a name. */
function isWritable(name: string): boolean {
  try {
    return quoteGuardedName(name) !== '';
  } catch {
    return false;
  }
}

/** Publishes all columns of a table, in `api.yaml`. */
const ALL_COLUMNS = '*';

function unknownTable(name: string, catalogue: Catalogue): string {
  return `there is no table ${name} that can be read${didYouMean(name, [...catalogue.keys()])}`;
}

type Column = CatalogueTable['columns'] extends ReadonlyMap<string, infer T> ? T : never;

function findColumns(
  table: CatalogueTable,
  names: string | readonly string[],
  problems: string[],
  reason = '',
): Column[] {
  if (typeof names === 'string') return [...table.columns.values()];
  return names.flatMap((name) => {
    const column = table.columns.get(name.toLowerCase());
    if (column !== undefined) return [column];
    const hint = didYouMean(name, [...table.columns.keys()]);
    problems.push(`the table ${table.name} has no column ${name}${reason}${hint}`);
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
