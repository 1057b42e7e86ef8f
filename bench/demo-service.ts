import { fillWithDemo } from '../demo/fill-with-demo.js';
import { readSettings } from '../server/settings/read-settings.js';
import type { Settings } from '../server/settings/settings.js';
import { importFolders, openWarehouse, requireStore } from '../server/warehouse.js';

/** The moment at which every benchmark's demo world ends. */
export const NOW = '2026-06-30T12:00:00Z';

/** Variables that name a server's database, whose account may do everything. */
export function serverVariables(url: string): Readonly<Record<string, string>> {
  return { DATABASE_URL: url, DATABASE_ALLOW_WRITING_ACCOUNT: 'yes' };
}

/** Memory enough for ten million events: its bound is measured by the import alone. */
export function demoSettings(folder: string, variables: Readonly<Record<string, string>> = {}): Settings {
  return readSettings({ DATA_DIR: folder, NOW, DATABASE_MEMORY: '1GB', ...variables });
}

/** Fills the database of the settings with a demo world of about so many events, ready to be served. */
export async function makeDemo(settings: Settings, events: number): Promise<void> {
  const warehouse = await openWarehouse(settings, { migrating: true });
  try {
    await fillWithDemo(requireStore(warehouse), { ...importFolders(settings), now: new Date(NOW), events });
  } finally {
    await warehouse.close();
  }
}
