import { readSettings, type Settings } from '../server/settings.js';
import { importFolders, openWarehouse, storeOf } from '../server/warehouse.js';
import { fillWithDemo } from '../warehouse/demo/fill-with-demo.js';

/** The moment at which every benchmark's demo world ends. */
export const NOW = '2026-06-30T12:00:00Z';

/** Memory enough for ten million events: its bound is measured by the import alone. */
export function demoSettings(folder: string): Settings {
  return readSettings({ DATA_DIR: folder, NOW, DATABASE_MEMORY: '1GB' });
}

/** Makes a data folder with a demo world of about so many events, ready to be served. */
export async function makeDemoFolder(folder: string, events: number): Promise<void> {
  const settings = demoSettings(folder);
  const warehouse = await openWarehouse(settings, { migrating: true });
  try {
    await fillWithDemo(storeOf(warehouse), { ...importFolders(settings), now: new Date(NOW), events });
  } finally {
    await warehouse.close();
  }
}
