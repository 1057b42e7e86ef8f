import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { openEmbedded } from '../databases/duckdb/embedded.js';
import type { Database } from '../engine/index.js';
import { migrate } from '../warehouse/migrate.js';
import { EmbeddedStore } from '../warehouse/store/embedded-store.js';
import type { Store } from '../warehouse/store/store.js';
import type { Settings } from './settings.js';

/** An open database with the tables of this program, to be read and to be written. */
export interface Warehouse {
  readonly database: Database;
  readonly store: Store;
  close(): Promise<void>;
}

type WarehouseSettings = Pick<
  Settings,
  'dataDirectory' | 'databaseUrl' | 'databaseMemory' | 'databaseThreads' | 'databaseReaders'
>;

const SCHEME = 'duckdb:';

/** The file that `DATABASE_URL` names, or the default one in `DATA_DIR`. */
export function databaseFile({ databaseUrl, dataDirectory }: Pick<Settings, 'databaseUrl' | 'dataDirectory'>): string {
  if (databaseUrl === undefined) return resolve(dataDirectory, 'repo-insight.duckdb');
  return resolve(databaseUrl.slice(SCHEME.length));
}

/** Opens the database with all its tables, made where they are missing. */
export async function openWarehouse(settings: WarehouseSettings, file = databaseFile(settings)): Promise<Warehouse> {
  const tempDirectory = join(settings.dataDirectory, 'temporary');
  const { stagingDirectory } = importFolders(settings);
  await Promise.all([tempDirectory, stagingDirectory].map((folder) => mkdir(folder, { recursive: true })));
  const database = await openEmbedded({
    file,
    memoryLimit: settings.databaseMemory,
    threads: settings.databaseThreads === 0 ? availableParallelism() : settings.databaseThreads,
    readers: settings.databaseReaders,
    tempDirectory,
    stagingDirectory,
  });
  try {
    const store = new EmbeddedStore(database);
    await migrate(store);
    return { database, store, close: () => database.close() };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Where imports put what they download and what the database is to read. */
export function importFolders({ dataDirectory }: Pick<Settings, 'dataDirectory'>) {
  return {
    stagingDirectory: resolve(dataDirectory, 'staging'),
    downloadDirectory: resolve(dataDirectory, 'downloads'),
  };
}
