import { copyFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DemoOptions } from '../../demo/demo-plan.js';
import { fillWithDemo } from '../../demo/fill-with-demo.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import { importFolders, requireStore } from '../../server/databases/warehouse.js';
import { databaseFile } from '../../server/settings/database-location.js';
import type { Settings } from '../../server/settings/settings.js';
import { copyTables, execute } from '../services/execute.js';
import { sharedResource } from '../services/shared-resource.js';

/** The end time of the demo data in these tests. */
export const NOW = '2026-06-30T12:00:00Z';

export type DemoSize = Pick<DemoOptions, 'events' | 'repositories' | 'people'>;

/**
 * The usual size of the demo data. Each additional size costs four seconds of CPU time, so it is also used for smaller numbers of events.
 */
export const DEMO_SIZE = { events: 6_000 } satisfies DemoSize;

/**
 * Creates the tables in the database of the settings, and fills them with demo data if a size is given. The import takes several seconds;
 * `copyDemo` is faster.
 */
export async function createTables(settings: Settings, size: DemoSize | undefined): Promise<void> {
  const warehouse = await openWarehouse(settings, { migrating: true });
  if (size !== undefined) {
    await fillWithDemo(requireStore(warehouse), { ...importFolders(settings), now: new Date(NOW), ...size });
  }
  await warehouse.close();
}

/**
 * Copies demo data with at least this number of events into the database of the settings. Data of each size are generated only once per
 * test run.
 */
export async function copyDemo(settings: Settings, atLeast: DemoSize): Promise<void> {
  const size = Object.keys(atLeast).length === 1 && (atLeast.events ?? 0) < DEMO_SIZE.events ? DEMO_SIZE : atLeast;
  const file = databaseFile(settings);
  if (file === undefined) await copyToServer(settings.databaseUrl ?? '', { ...size });
  else await copyToFile(file, { ...size });
}

/** Creates a database file with tables without events. The file must not exist. */
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

/** Does nothing if the database already has tables, because another service of the same suite has copied them. */
async function copyToServer(database: string, size: Readonly<Record<string, number>>): Promise<void> {
  const url = new URL(await sharedResource('/server'));
  url.pathname = new URL(database).pathname;
  const has = await execute(url.href, "SHOW TABLES LIKE 'github_events'");
  if (has.length > 0) return;
  const from = await sharedResource('/database', size);
  await copyTables(from, url.href);
}
