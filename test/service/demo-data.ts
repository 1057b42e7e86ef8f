import { copyFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DemoOptions } from '../../demo/demo-plan.js';
import { fillWithDemo } from '../../demo/fill-with-demo.js';
import { databaseFile } from '../../server/settings/database-location.js';
import type { Settings } from '../../server/settings/settings.js';
import { importFolders, openWarehouse, requireStore } from '../../server/warehouse.js';
import { execute } from '../services/execute.js';
import { sharedResource } from '../services/shared-resource.js';

/** The moment at which the world of these tests ends. */
export const NOW = '2026-06-30T12:00:00Z';

export type DemoSize = Pick<DemoOptions, 'events' | 'repositories' | 'people'>;

/** Creates the tables in the database of the settings, with a demo world of this size if there is one. It costs seconds; a copy does not. */
export async function createTables(settings: Settings, size: DemoSize | undefined): Promise<void> {
  const warehouse = await openWarehouse(settings, { migrating: true });
  if (size !== undefined) {
    await fillWithDemo(requireStore(warehouse), { ...importFolders(settings), now: new Date(NOW), ...size });
  }
  await warehouse.close();
}

/** Copies the demo world that the run has created for this size into the database of the settings. */
export async function copyDemo(settings: Settings, size: DemoSize): Promise<void> {
  const file = databaseFile(settings);
  if (file === undefined) await copyToServer(settings.databaseUrl ?? '', { ...size });
  else await copyToFile(file, { ...size });
}

/** Copies tables without events into a database file that does not exist yet. */
export function copyEmptyFile(file: string): Promise<void> {
  return copyToFile(file, {});
}

/** Copies tables without events into an empty database, if it is on the server that the suites share. */
export async function copyEmptyTables(url: string): Promise<void> {
  if (new URL(url).host === new URL(await sharedResource('/server')).host) await copyToServer(url, {});
}

async function copyToFile(file: string, size: Readonly<Record<string, number>>): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await copyFile(await sharedResource('/database-file', size), file);
}

/** Does nothing where a service of the same suite has done so. */
async function copyToServer(database: string, size: Readonly<Record<string, number>>): Promise<void> {
  const url = new URL(await sharedResource('/server'));
  url.pathname = new URL(database).pathname;
  const has = await execute(url.href, "SHOW TABLES LIKE 'github_events'");
  if (has.length > 0) return;
  const from = await sharedResource('/database', size);
  const tables = (await execute(url.href, `SHOW TABLES FROM ${from}`)).flatMap((row) => Object.values(row).map(String));
  const copies = tables.flatMap((table) => [
    `CREATE TABLE ${table} LIKE ${from}.${table}`,
    `INSERT INTO ${table} SELECT * FROM ${from}.${table}`,
  ]);
  await execute(url.href, ...copies);
}
