import type { TableMeanings } from '../../../../engine/authoring/index.js';
import type { Database } from '../../../../engine/index.js';
import { readOwnCatalogue } from '../../../../server/databases/own-catalogue.js';
import type { Settings } from '../../../../server/settings/settings.js';

/** Reads the tables that a new definition can read: in an API in a folder those of the database, else also with their documentation. */
export async function readMeanings(
  settings: Pick<Settings, 'api' | 'endpointsDirectory'>,
  database: Database,
  signal: AbortSignal,
): Promise<TableMeanings> {
  const { api } = settings;
  if (api !== undefined) {
    const { readCatalogueMeanings } = await import('../../../../engine/authoring/index.js');
    return readCatalogueMeanings(await readOwnCatalogue({ ...settings, api }, database, signal), database, signal);
  }
  const { readTableMeanings } = await import('../../../../warehouse/own-tables/table-meanings.js');
  return readTableMeanings(database, signal);
}
