import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { EmbeddedState } from '../accounts/embedded-state.js';
import { MysqlState } from '../accounts/mysql-state.js';
import type { StateStore } from '../accounts/state-store.js';
import { type EmbeddedDatabase, openEmbedded } from '../databases/duckdb/embedded.js';
import { openMysql } from '../databases/mysql/database.js';
import type { Database } from '../engine/index.js';
import { migrate } from '../warehouse/migrate.js';
import { PUBLIC_TABLES } from '../warehouse/public-tables.js';
import { requireExactTables, requireSchema, requireVersion } from '../warehouse/schema/schema.js';
import { EmbeddedStore } from '../warehouse/store/embedded-store.js';
import { MysqlStore } from '../warehouse/store/mysql-store.js';
import type { Store } from '../warehouse/store/store.js';
import { makeFolder } from './make-folder.js';
import { databaseFile } from './settings/database-location.js';
import type { Settings } from './settings/settings.js';

/** An open database that has the tables of this program. */
export interface Warehouse {
  readonly database: Database;
  /** Undefined where no account may write. */
  readonly store: Store | undefined;
  /** Likewise. */
  readonly state: StateStore | undefined;
  /** The public part of the same data, for SQL of strangers. It is closed with the rest. */
  openPlayground(): Promise<Database>;
  close(): Promise<void>;
}

export interface OpeningOptions {
  /** Whether missing tables are made, where an account may; else they are asked for. A file always gets its tables. */
  readonly migrating: boolean;
  /** Hears what the operator may want to change. */
  readonly onNotice?: (message: string) => void;
}

type WarehouseSettings = Pick<
  Settings,
  | 'dataDirectory'
  | 'databaseUrl'
  | 'databaseWriteUrl'
  | 'databaseAllowWritingAccount'
  | 'databaseConnections'
  | 'databaseMemory'
  | 'databaseThreads'
  | 'databaseSilenceMinutes'
  | 'playgroundDatabaseUrl'
  | 'tiflashReplicas'
>;

/** Queries at the same time where `DATABASE_CONNECTIONS` is unset. */
export const DEFAULT_CONNECTIONS = { embedded: 4, server: 10 } as const;
/** Queries of the playground at the same time, on their own connections. */
const PLAYGROUND_CONNECTIONS = 2;

/** Opens the database of the settings. Throws what tells why it cannot be used. */
export async function openWarehouse(settings: WarehouseSettings, options: OpeningOptions): Promise<Warehouse> {
  const file = databaseFile(settings);
  return file === undefined ? openServer(settings, options) : openFile(settings, file, options.onNotice);
}

/** Opens the database of the settings as it is: nothing in it is made or changed. Throws what tells why it cannot be used. */
export async function openForReading(
  settings: WarehouseSettings,
  onNotice: NonNullable<OpeningOptions['onNotice']>,
  closeGraceMs = 5_000,
): Promise<Database> {
  const file = databaseFile(settings);
  if (file === undefined) {
    const { databaseUrl: url = '', databaseConnections: connections = DEFAULT_CONNECTIONS.server } = settings;
    const allowWritingAccount = settings.databaseAllowWritingAccount === 'yes';
    const database = await openMysql({ url, connections, allowWritingAccount, closeGraceMs });
    return orClosed(database, async () => {
      await requireSchema(database);
      return database;
    });
  }
  if (!existsSync(file)) throw new Error(`There is no database ${file}.`);
  const options = {
    ...(await duckdbOptions(settings, 'reading')),
    file,
    readers: settings.databaseConnections ?? DEFAULT_CONNECTIONS.embedded,
    closeGraceMs,
    onNotice,
  };
  const database = await openEmbedded({ ...options, access: 'read_only' });
  return orClosed(database, async () => {
    await requireVersion(database);
    return database;
  });
}

/** Opens a database file with all its tables, made where they are missing. */
export async function openFile(
  settings: WarehouseSettings,
  file: string,
  onNotice?: OpeningOptions['onNotice'],
): Promise<Warehouse> {
  const database = await openEmbedded({
    ...(await duckdbOptions(settings)),
    file,
    readers: settings.databaseConnections ?? DEFAULT_CONNECTIONS.embedded,
    ...(onNotice && { onNotice }),
  });
  return orClosed(database, async () => {
    const store = new EmbeddedStore(database);
    await migrate(store);
    const openPlayground = () => openFilePlayground(settings, database, onNotice);
    return { database, store, state: new EmbeddedState(database), openPlayground, close: () => database.close() };
  });
}

async function openServer(settings: WarehouseSettings, { migrating, onNotice }: OpeningOptions): Promise<Warehouse> {
  const { databaseUrl: url = '', databaseWriteUrl, tiflashReplicas } = settings;
  const connections = settings.databaseConnections ?? DEFAULT_CONNECTIONS.server;
  const allowWritingAccount = settings.databaseAllowWritingAccount === 'yes';
  const database = await openMysql({ url, connections, allowWritingAccount });
  return orClosed(database, async () => {
    const writeUrl = databaseWriteUrl ?? (allowWritingAccount ? url : undefined);
    const limits = { ...(await duckdbOptions(settings)), silenceMs: settings.databaseSilenceMinutes * 60_000 };
    const store =
      writeUrl === undefined ? undefined : new MysqlStore({ ...limits, url: writeUrl, ...(onNotice && { onNotice }) });
    return orClosed(store, async () => {
      if (migrating && store !== undefined) {
        await migrate(store);
        if (tiflashReplicas > 0) await store.replicate(tiflashReplicas);
      }
      await requireSchema(database);
      const state = writeUrl === undefined ? undefined : new MysqlState({ url: writeUrl });
      const opened: { close(): Promise<void> }[] = [database, ...(store ? [store] : []), ...(state ? [state] : [])];
      const openPlayground = async () => {
        const playground = await openServerPlayground(settings);
        opened.push(playground);
        return playground;
      };
      const close = async () => void (await Promise.all(opened.map((one) => one.close())));
      return { database, store, state, openPlayground, close };
    });
  });
}

const MEGABYTE = 1024 * 1024;

/** Few wait, and not for long: whoever plays may come again. */
const PLAYGROUND_LIMITS = { maxWaiting: 16, maxWaitMs: 5_000, maxResultBytes: 4 * MEGABYTE };

/** Its processes take some 110 MB each before their first query. */
async function openFilePlayground(
  settings: WarehouseSettings,
  database: EmbeddedDatabase,
  onNotice: OpeningOptions['onNotice'],
): Promise<Database> {
  const folder = join(settings.dataDirectory, 'playground');
  await makeFolder(folder);
  const { maxResultBytes, ...waiting } = PLAYGROUND_LIMITS;
  return database.openIsolated({
    ...waiting,
    connections: PLAYGROUND_CONNECTIONS,
    folder,
    tables: [...PUBLIC_TABLES].map(([name, table]) => ({ name, ...table })),
    limits: {
      memoryLimit: '128MB',
      maxResidentBytes: 384 * MEGABYTE,
      maxIdleBytes: 160 * MEGABYTE,
      maxResultBytes,
    },
    minFreeBytes: 512 * MEGABYTE,
    onNotice,
  });
}

async function openServerPlayground(settings: WarehouseSettings): Promise<Database> {
  const { databaseUrl = '', playgroundDatabaseUrl } = settings;
  const allowWritingAccount = playgroundDatabaseUrl === undefined && settings.databaseAllowWritingAccount === 'yes';
  const url = playgroundDatabaseUrl ?? databaseUrl;
  const untrusted = { ...PLAYGROUND_LIMITS, allowWritingAccount, isUntrusted: true, statements: 1 } as const;
  const database = await openMysql({ ...untrusted, url, connections: PLAYGROUND_CONNECTIONS });
  return orClosed(database, async () => {
    await requireExactTables(database, [...PUBLIC_TABLES.keys()]);
    if (database.name !== 'tidb' || !allowWritingAccount) return database;
    throw new Error('TiDB has no read-only sessions: set PLAYGROUND_DATABASE_URL, by an account that only reads.');
  });
}

/** What every DuckDB of this process is told: the embedded database, or that on which rows are made ready for a server. */
async function duckdbOptions(settings: WarehouseSettings, name = '') {
  // Two databases would write over each other's temporary files.
  const tempDirectory = join(settings.dataDirectory, 'temporary', name);
  const { stagingDirectory } = importFolders(settings);
  await Promise.all([tempDirectory, stagingDirectory].map(makeFolder));
  return {
    memoryLimit: settings.databaseMemory,
    threads: settings.databaseThreads === 0 ? availableParallelism() : settings.databaseThreads,
    tempDirectory,
    stagingDirectory,
  };
}

/** Closes what was opened when the rest of the opening fails. */
async function orClosed<T>(opened: { close(): Promise<void> } | undefined, rest: () => Promise<T>): Promise<T> {
  try {
    return await rest();
  } catch (error) {
    await opened?.close();
    throw error;
  }
}

/** What writes; an error that says what to set where nobody may. */
export function storeOf({ store }: Pick<Warehouse, 'store'>): Store {
  if (store !== undefined) return store;
  throw new Error(
    'The account of DATABASE_URL only reads. Set DATABASE_WRITE_URL to the same database with an account that may ' +
      'change its tables, or DATABASE_ALLOW_WRITING_ACCOUNT=yes when that of DATABASE_URL is to do both.',
  );
}

/** Where imports put what they download and what the database is to read. */
export function importFolders({ dataDirectory }: Pick<Settings, 'dataDirectory'>) {
  return {
    stagingDirectory: resolve(dataDirectory, 'staging'),
    downloadDirectory: resolve(dataDirectory, 'downloads'),
  };
}
