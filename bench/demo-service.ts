import { readSettings } from '../server/settings.js';
import { importFolders, openWarehouse } from '../server/warehouse.js';
import { fillWithDemo } from '../warehouse/demo/fill-with-demo.js';

/** The moment at which every benchmark's demo world ends. */
export const NOW = '2026-06-30T12:00:00Z';

/** Makes a data folder with a demo world of about so many events, ready to be served. */
export async function makeDemoFolder(folder: string, events: number): Promise<void> {
  const settings = readSettings({ DATA_DIR: folder, NOW });
  const database = await openWarehouse(settings);
  try {
    await fillWithDemo(database, { ...importFolders(settings), now: new Date(NOW), events });
  } finally {
    await database.close();
  }
}
