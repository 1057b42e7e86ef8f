import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import type { StateStore } from '../../accounts/state-store.js';
import type { EmbeddedDatabase } from '../../engine/databases/duckdb/embedded.js';
import type { Database, DataVersions, RollupStore } from '../../engine/index.js';
import type { TableReferences } from '../../warehouse/reference/find-table.js';
import type { Store } from '../../warehouse/store/store.js';
import { makeFolder } from '../settings/make-folder.js';
import type { Settings } from '../settings/settings.js';

/** An open database that a service reads. */
export interface OpenDatabase {
  readonly database: Database;
  /** Undefined if no account with write access is configured. */
  readonly store: Store | undefined;
  /** Undefined if no account with write access is configured. */
  readonly state: StateStore | undefined;
  /** The versions of the tables. `close` also stops polling them. */
  readonly versions: DataVersions;
  /** The materialized tables. Undefined if the program cannot create them. */
  readonly rollups?: RollupStore | undefined;
  /** Reads the tables that untrusted SQL may read. Throws an Error if an API publishes names that do not exist. */
  readonly readPublicTables: () => Promise<TableReferences>;
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
  | 'endpointsDirectory'
  | 'databaseWriteUrl'
  | 'databaseAllowWritingAccount'
  | 'databaseConnections'
  | 'databaseMemory'
  | 'databaseThreads'
  | 'databaseSilenceMinutes'
  | 'playgroundDatabaseUrl'
  | 'playgroundMemory'
  | 'tiflashReplicas'
  | 'versionPollMs'
>;

/** Returns the options for DuckDB in this process. DuckDB is the embedded database, or the staging database of imports into a server. */
export async function duckdbOptions(settings: WarehouseSettings) {
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

/** Returns the URL of a server with an account that may change its tables; undefined without such an account. */
export function writingUrlOf({
  databaseUrl,
  databaseWriteUrl,
  databaseAllowWritingAccount,
}: WarehouseSettings): string | undefined {
  return databaseWriteUrl ?? (databaseAllowWritingAccount === 'yes' ? databaseUrl : undefined);
}

/** Closes `opened` if `rest` fails. */
export async function closeOnFailure<T>(
  opened: { close(): Promise<void> } | undefined,
  rest: () => Promise<T>,
): Promise<T> {
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
