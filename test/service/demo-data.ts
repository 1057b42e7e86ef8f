import { copyFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Settings } from '../../server/settings/settings.js';
import { databaseFile, importFolders, openWarehouse, storeOf } from '../../server/warehouse.js';
import type { DemoOptions } from '../../warehouse/demo/demo-plan.js';
import { fillWithDemo } from '../../warehouse/demo/fill-with-demo.js';
import { execute } from '../services/execute.js';
import { sharedResource } from '../services/shared-resource.js';

/** The moment at which the world of these tests ends. */
export const NOW = '2026-06-30T12:00:00Z';

export type DemoSize = Pick<DemoOptions, 'events' | 'repositories' | 'people'>;

/** Generates a demo world in the empty database of the settings. It costs seconds; `copyDemo` has the same result. */
export async function createDemo(settings: Settings, size: DemoSize): Promise<void> {
  const warehouse = await openWarehouse(settings, { migrating: true });
  await fillWithDemo(storeOf(warehouse), { ...importFolders(settings), now: new Date(NOW), ...size });
  await warehouse.close();
}

/** Copies the demo world that the run has created for this size into the database of the settings. */
export async function copyDemo(settings: Settings, size: DemoSize): Promise<void> {
  const file = databaseFile(settings);
  if (file !== undefined) {
    await mkdir(dirname(file), { recursive: true });
    return copyFile(await sharedResource('/demo-file', { ...size }), file);
  }
  const url = new URL(await sharedResource('/server'));
  url.pathname = new URL(settings.databaseUrl ?? '').pathname;
  await copyTables(await sharedResource('/demo-database', { ...size }), url.href);
}

/** Copies all tables of another database of the server, unless a service of the same suite has done so. */
async function copyTables(from: string, url: string): Promise<void> {
  const has = await execute(url, "SHOW TABLES LIKE 'github_events'");
  if (has.length > 0) return;
  const tables = (await execute(url, `SHOW TABLES FROM ${from}`)).flatMap((row) => Object.values(row).map(String));
  const copies = tables.flatMap((table) => [
    `CREATE TABLE ${table} LIKE ${from}.${table}`,
    `INSERT INTO ${table} SELECT * FROM ${from}.${table}`,
  ]);
  await execute(url, ...copies);
}
