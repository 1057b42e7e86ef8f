import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { EmbeddedState } from '../accounts/embedded-state.js';
import { limitStateReads } from '../accounts/state-reads.js';
import type { StateStore } from '../accounts/state-store.js';
import { type EmbeddedDatabase, openEmbedded } from '../engine/databases/duckdb/embedded.js';
import type { Database, DataVersions, VersionState } from '../engine/index.js';
import { migrate } from '../warehouse/migrate.js';
import { requireSchema, requireVersion } from '../warehouse/schema/schema.js';
import { EmbeddedStore } from '../warehouse/store/embedded-store.js';
import type { Store } from '../warehouse/store/store.js';
import { PolledVersions } from '../warehouse/versions/polled-versions.js';
import { readVersions } from '../warehouse/versions/version-table.js';
import { makeFolder } from './make-folder.js';
import { openFilePlayground, openServerPlayground } from './open-playground.js';
import { DEFAULT_CONNECTIONS, databaseFile } from './settings/database-location.js';
import type { Settings } from './settings/settings.js';

/** An open database that a service reads. */
export interface OpenDatabase {
  readonly database: Database;
  /** Undefined if no account with write access is configured. */
  readonly store: Store | undefined;
  /** Undefined if no account with write access is configured. */
  readonly state: StateStore | undefined;
  /** The versions of the tables. `close` also stops polling them. */
  readonly versions: DataVersions;
  /** Opens a database with only the public tables of the same data, for untrusted SQL. `close` also closes it. Undefined without public tables. */
  readonly openPlayground: (() => Promise<Database>) | undefined;
  /** Copies the database into a new file. Undefined for a database server. */
  readonly backUp?: EmbeddedDatabase['backUp'];
  /** Verifies the checksums in the database file. Undefined for a database server. */
  readonly verify?: EmbeddedDatabase['verify'];
  close(): Promise<void>;
}

/** An open database with all tables of this program. */
export interface Warehouse extends OpenDatabase {
  openPlayground(): Promise<Database>;
}

export interface OpeningOptions {
  /**
   * Whether missing tables of a database server are created. If false, they are an error. Missing tables of a database file are always
   * created.
   */
  readonly migrating: boolean;
  /** Called with notices for the operator. */
  readonly onNotice?: (message: string) => void;
  /** The time limit of a read or a change of users, sessions or questions, in milliseconds. */
  readonly stateMs?: number;
}

export type WarehouseSettings = Pick<
  Settings,
  | 'api'
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
  | 'versionPollMs'
>;

/** Opens the database of the settings. Throws an error with the reason if it cannot be used. */
export async function openWarehouse(
  settings: WarehouseSettings & { readonly api?: undefined },
  options: OpeningOptions,
): Promise<Warehouse>;
export async function openWarehouse(settings: WarehouseSettings, options: OpeningOptions): Promise<OpenDatabase>;
export async function openWarehouse(settings: WarehouseSettings, options: OpeningOptions): Promise<OpenDatabase> {
  if (settings.api !== undefined) return openOwnDatabase(settings, options.onNotice);
  const file = databaseFile(settings);
  return file === undefined ? openServer(settings, options) : openFile(settings, file, options);
}

/** Opens the database of an API in a folder. The service only reads it: it creates no table, and stores nothing. */
async function openOwnDatabase(
  settings: WarehouseSettings,
  onNotice: (message: string) => void = () => undefined,
): Promise<OpenDatabase> {
  const tables = settings.api?.tables ?? [];
  const [first] = tables;
  if (settings.databaseUrl === undefined) {
    if (first === undefined) throw new Error(HOW_TO_CONNECT);
    const { openFileDatabase } = await import('./file-database.js');
    const readers = settings.databaseConnections ?? DEFAULT_CONNECTIONS.embedded;
    const { memoryLimit, threads, tempDirectory } = await duckdbOptions(settings);
    return openFileDatabase({
      memoryLimit,
      threads,
      tempDirectory,
      readers,
      tables,
      pollMs: settings.versionPollMs,
      onNotice,
    });
  }
  if (first !== undefined) throw new Error(`tables/${first.name}.yaml: files are tables only without DATABASE_URL.`);
  const database = await openForReading(settings, onNotice);
  const close = () => database.close();
  return { database, store: undefined, state: undefined, versions: NO_VERSIONS, openPlayground: undefined, close };
}

const HOW_TO_CONNECT =
  'DATABASE_URL is not set. Write it into the file .env of this folder, for example ' +
  'DATABASE_URL=mysql://reader:password@127.0.0.1:3306/shop, or DATABASE_URL=duckdb:shop.duckdb. The account needs only read access. ' +
  'For Parquet, CSV and JSON files, write a file in tables/ instead.';

/** Tables that other programs write have no versions, so that answers state none. */
const NO_STATE: VersionState = { tables: new Map(), confirmedAt: 0 };

const NO_VERSIONS: DataVersions = {
  known: NO_STATE,
  recent: () => NO_STATE,
  confirm: async () => NO_STATE,
  onChange: () => () => undefined,
};

/** Opens the database of the settings without changing it. Throws an error with the reason if it cannot be used. */
export async function openForReading(
  settings: WarehouseSettings,
  onNotice: NonNullable<OpeningOptions['onNotice']>,
  closeGraceMs = 5_000,
): Promise<Database> {
  const file = databaseFile(settings);
  if (file === undefined) {
    const { databaseUrl: url = '', databaseConnections: connections = DEFAULT_CONNECTIONS.server } = settings;
    const allowWritingAccount = settings.databaseAllowWritingAccount === 'yes';
    const { openMysql } = await loadMysql();
    const database = await openMysql({ url, connections, allowWritingAccount, closeGraceMs });
    return closeOnFailure(database, async () => {
      if (settings.api === undefined) await requireSchema(database);
      return database;
    });
  }
  if (!existsSync(file)) throw new Error(`There is no database ${file}.`);
  const options = {
    ...(await duckdbOptions(settings)),
    file,
    readers: settings.databaseConnections ?? DEFAULT_CONNECTIONS.embedded,
    closeGraceMs,
    onNotice,
  };
  const database = await openEmbedded({ ...options, access: 'read_only' });
  return closeOnFailure(database, async () => {
    if (settings.api === undefined) await requireVersion(database);
    return database;
  });
}

/** Opens a database file and creates its missing tables. */
export async function openFile(
  settings: WarehouseSettings,
  file: string,
  { onNotice, stateMs: timeoutMs }: Omit<OpeningOptions, 'migrating'> = {},
): Promise<Warehouse> {
  const database = await openEmbedded({
    ...(await duckdbOptions(settings)),
    file,
    readers: settings.databaseConnections ?? DEFAULT_CONNECTIONS.embedded,
    ...(onNotice && { onNotice }),
  });
  return closeOnFailure(database, async () => {
    const store = new EmbeddedStore(database, onNotice);
    await migrate(store);
    const { versions } = store;
    await versions.confirm();
    const openPlayground = async () => {
      const folder = join(settings.dataDirectory, 'playground');
      await makeFolder(folder);
      return openFilePlayground(database, folder, onNotice);
    };
    const close = () => database.close();
    const backUp: EmbeddedDatabase['backUp'] = (to, signal) => database.backUp(to, signal);
    const verify: EmbeddedDatabase['verify'] = (signal) => database.verify(signal);
    if (timeoutMs !== undefined) limitStateReads(database, timeoutMs);
    const state = new EmbeddedState(database, { ...(timeoutMs !== undefined && { timeoutMs }) });
    return { database, store, state, versions, openPlayground, backUp, verify, close };
  });
}

async function openServer(settings: WarehouseSettings, options: OpeningOptions): Promise<Warehouse> {
  const { migrating, onNotice, stateMs: timeoutMs } = options;
  const { databaseUrl: url = '', databaseWriteUrl, tiflashReplicas, versionPollMs: pollMs } = settings;
  const connections = settings.databaseConnections ?? DEFAULT_CONNECTIONS.server;
  const allowWritingAccount = settings.databaseAllowWritingAccount === 'yes';
  const { openMysql, MysqlState, MysqlStore } = await loadMysql();
  const database = await openMysql({ url, connections, allowWritingAccount });
  return closeOnFailure(database, async () => {
    const writeUrl = databaseWriteUrl ?? (allowWritingAccount ? url : undefined);
    const limits = { ...(await duckdbOptions(settings)), silenceMs: settings.databaseSilenceMinutes * 60_000 };
    const versions = new PolledVersions({ read: (timeoutMs) => readVersions(database, timeoutMs), pollMs, onNotice });
    const callbacks = { onCommit: () => versions.expectChange(), ...(onNotice && { onNotice }) };
    const store = writeUrl === undefined ? undefined : new MysqlStore({ ...limits, url: writeUrl, ...callbacks });
    return closeOnFailure(store, async () => {
      if (migrating && store !== undefined) {
        await migrate(store);
        if (tiflashReplicas > 0) await store.replicate(tiflashReplicas);
      }
      await requireSchema(database);
      if (timeoutMs !== undefined) limitStateReads(database, timeoutMs);
      const state =
        writeUrl === undefined
          ? undefined
          : new MysqlState({ url: writeUrl, ...(timeoutMs !== undefined && { timeoutMs }) });
      const opened: { close(): Promise<void> }[] = [database, ...(store ? [store] : []), ...(state ? [state] : [])];
      const openPlayground = async () => {
        const playground = await openServerPlayground(settings);
        opened.push(playground);
        return playground;
      };
      const close = async () => {
        versions.close();
        await Promise.all(opened.map((one) => one.close()));
      };
      return { database, store, state, versions, openPlayground, close };
    });
  });
}

/** Loads the modules for database servers only when needed, so that a service with a database file starts faster. */
async function loadMysql() {
  const [{ openMysql }, { MysqlState }, { MysqlStore }] = await Promise.all([
    import('../engine/databases/mysql/database.js'),
    import('../accounts/mysql-state.js'),
    import('../warehouse/store/mysql-store.js'),
  ]);
  return { openMysql, MysqlState, MysqlStore };
}

/** Returns the options for DuckDB in this process. DuckDB is the embedded database, or the staging database of imports into a server. */
async function duckdbOptions(settings: WarehouseSettings) {
  const tempDirectory = join(settings.dataDirectory, 'temporary');
  const { stagingDirectory } = importFolders(settings);
  await Promise.all([tempDirectory, stagingDirectory].map((path) => makeFolder(path)));
  return {
    memoryLimit: settings.databaseMemory,
    threads: settings.databaseThreads === 0 ? availableParallelism() : settings.databaseThreads,
    tempDirectory,
    stagingDirectory,
  };
}

/** Closes `opened` if `rest` fails. */
async function closeOnFailure<T>(opened: { close(): Promise<void> } | undefined, rest: () => Promise<T>): Promise<T> {
  try {
    return await rest();
  } catch (error) {
    await opened?.close();
    throw error;
  }
}

/** Returns the store of a warehouse. If no account with write access is configured, throws an error that names the settings. */
export function requireStore({ store }: Pick<Warehouse, 'store'>): Store {
  if (store !== undefined) return store;
  throw new Error(
    'The account of DATABASE_URL has only read access. Set DATABASE_WRITE_URL to the same database with an account that ' +
      'can change its tables, or DATABASE_ALLOW_WRITING_ACCOUNT=yes if the account of DATABASE_URL can change them.',
  );
}

/** Returns the folders of imports: the folder for downloads, and the folder for files that the database reads. */
export function importFolders({ dataDirectory }: Pick<Settings, 'dataDirectory'>) {
  return {
    stagingDirectory: resolve(dataDirectory, 'staging'),
    downloadDirectory: resolve(dataDirectory, 'downloads'),
  };
}
