import { type Catalogue, type CatalogueTable, type Database, didYouMean, readCatalogue } from '../../engine/index.js';
import type { ApiFolder, DescribedTable } from '../settings/api-folder.js';
import type { FolderSettings } from '../settings/definition-folders.js';
import { readRollupTables } from '../settings/definitions.js';

/**
 * Reads the catalogue of the database of an API, with the descriptions in `tables/`. Throws an Error with all names in `tables/` that the
 * database does not have.
 */
export async function readOwnCatalogue(
  settings: FolderSettings & { readonly api: ApiFolder },
  database: Database,
  signal?: AbortSignal,
): Promise<Catalogue> {
  const { described } = settings.api;
  const catalogue = await readCatalogue(database, signal);
  const problems: string[] = [];
  const isMissing = described.some(({ name }) => !catalogue.has(name.toLowerCase()));
  // The service creates the tables of materialized definitions.
  const later = isMissing ? await readRollupTables(settings) : new Set();
  const completed = described.flatMap((texts) => {
    const key = texts.name.toLowerCase();
    const table = catalogue.get(key);
    if (table !== undefined) return [[key, complete(table, texts, problems)] as const];
    if (later.has(key)) return [];
    problems.push(
      `tables/${texts.name}: the database has no such table${didYouMean(texts.name, [...catalogue.keys()])}`,
    );
    return [];
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return new Map([...catalogue, ...completed]);
}

function complete(table: CatalogueTable, { name, description, columns }: DescribedTable, problems: string[]) {
  const completed = new Map(table.columns);
  for (const [column, comment] of Object.entries(columns)) {
    const key = column.toLowerCase();
    const known = completed.get(key);
    if (known !== undefined) completed.set(key, { ...known, comment });
    else {
      const hint = didYouMean(column, [...completed.keys()]);
      problems.push(`tables/${name}: the table has no column ${column}${hint}`);
    }
  }
  return { ...table, comment: description || table.comment, columns: completed };
}
