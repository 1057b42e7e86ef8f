import type { DemoOptions } from '../demo/demo-plan.js';
import { fillWithDemo } from '../demo/fill-with-demo.js';
import { openWarehouse } from '../server/databases/open-database.js';
import { importFolders, requireStore } from '../server/databases/warehouse.js';
import { readSettings } from '../server/settings/read-settings.js';
import type { SettingValues } from '../server/settings/settings.js';

/** The end time of the demo data in all benchmarks. */
export const NOW = '2026-06-30T12:00:00Z';

/** Settings for a database server. The account in the URL must have all privileges. */
export function serverVariables(url: string): Readonly<Record<string, string>> {
  return { DATABASE_URL: url, DATABASE_ALLOW_WRITING_ACCOUNT: 'yes' };
}

/** Settings with enough memory for ten million events. Only the import benchmark has a smaller limit. */
export function demoSettings(folder: string, variables: Readonly<Record<string, string>> = {}): SettingValues {
  return readSettings({ DATA_DIR: folder, NOW, DATABASE_MEMORY: '1GB', ...variables });
}

/** Fills the database of the settings with demo data of about `events` events, which end at `NOW` by default. */
export async function createDemo(
  settings: SettingValues,
  events: number,
  options: Partial<Pick<DemoOptions, 'now' | 'repositories' | 'people'>> = {},
): Promise<void> {
  const warehouse = await openWarehouse(settings, { migrating: true });
  try {
    await fillWithDemo(requireStore(warehouse), { ...importFolders(settings), now: new Date(NOW), events, ...options });
  } finally {
    await warehouse.close();
  }
}
