import { type Database, NO_TABLE_FACTS, readCatalogue, type TableFacts, tableFactsOf } from '../../../engine/index.js';
import type { CommandContext } from '../../terminal/command-context.js';

/** The tables with versions: their names, to find misspelled ones, and the check whether a table is one of them. */
export interface VersionedTables {
  readonly names: readonly string[];
  readonly isVersioned: (table: string) => boolean;
}

/** Returns the tables whose changes the service notices: in an API in a folder, those of its files and its materialized tables. */
export async function readVersioned(settings: CommandContext['settings']): Promise<VersionedTables> {
  const { api } = settings;
  if (api !== undefined) {
    const { readRollupTables } = await import('../../../server/settings/definitions.js');
    const names = [...api.tables.map(({ name }) => name), ...(await readRollupTables(settings))];
    return { names, isVersioned: (table) => names.includes(table) };
  }
  const { isOwnTableName } = await import('../../../warehouse/own-tables/own-table-name.js');
  const { readVersionedTables } = await import('../../../warehouse/schema/versioned-tables.js');
  const names = await readVersionedTables();
  return { names, isVersioned: (table) => names.includes(table) || isOwnTableName(table) };
}

/**
 * Reads the facts about tables for warnings. Those of an API in a folder come from the database; without a database, nothing is known about
 * its tables.
 */
export async function readFacts(
  { api }: CommandContext['settings'],
  database: Database | undefined,
  signal?: AbortSignal,
): Promise<TableFacts> {
  if (api !== undefined)
    return database === undefined ? NO_TABLE_FACTS : tableFactsOf(await readCatalogue(database, signal));
  const { readTableFacts } = await import('../../../warehouse/schema/table-facts.js');
  return readTableFacts();
}
