import { join } from 'node:path';
import { openWarehouse } from '../../../server/databases/open-database.js';
import { requireStore } from '../../../server/databases/warehouse.js';
import { createDemo, demoSettings } from '../../demo-service.js';
import { type StoredRepository, startOfFiles, writeHourlyFiles } from './hourly-files.js';

/** A database with demo data that end a day ago, and archive files for the hours since then. */
export interface PreparedImports {
  readonly files: readonly string[];
  readonly repositories: readonly StoredRepository[];
}

/** The number of repositories, those with the most stars, that the imported events and the requests are about. */
const REPOSITORIES = 40;

/** Until the first import, the data are more than a day old, so the limit for stale data is higher. */
export const IMPORT_SETTINGS = { STALE_AFTER_HOURS: '72' };

export async function prepareImports(
  folder: string,
  variables: Readonly<Record<string, string>>,
  { events, eventsPerHour }: { readonly events: number; readonly eventsPerHour: number },
): Promise<PreparedImports> {
  const start = startOfFiles();
  const settings = demoSettings(folder, variables);
  await createDemo(settings, events, { now: new Date(start.getTime() - 1_000) });
  const warehouse = await openWarehouse(settings, { migrating: true });
  try {
    const rows = await requireStore(warehouse).write((tables) =>
      tables.rows(
        `SELECT r.repo_id, r.repo_name FROM mv_repo_totals t JOIN github_repos r ON r.repo_id = t.repo_id
         WHERE r.is_deleted = 0 ORDER BY t.stars DESC, r.repo_id LIMIT ${REPOSITORIES}`,
      ),
    );
    const repositories = rows.map(([id, name]) => ({ id: Number(id), name: String(name) }));
    return { files: await writeHourlyFiles(join(folder, 'hours'), start, repositories, eventsPerHour), repositories };
  } finally {
    await warehouse.close();
  }
}
