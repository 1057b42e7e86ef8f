import { join } from 'node:path';
import { megabytesOf } from '../../engine/databases/duckdb/connection/options.js';
import type { EmbeddedDatabase } from '../../engine/databases/duckdb/embedded.js';
import type { Database } from '../../engine/index.js';
import { Playground, type PlaygroundQueue } from '../../explorer/playground/playground.js';
import { PUBLIC_SQL } from '../../explorer/playground/sql-access.js';
import { readColumns, type TableReferences } from '../../warehouse/reference/find-table.js';
import { makeFolder } from '../settings/make-folder.js';
import type { Settings } from '../settings/settings.js';

type PlaygroundSettings = Pick<
  Settings,
  'databaseUrl' | 'databaseAllowWritingAccount' | 'playgroundDatabaseUrl' | 'playgroundMemory'
>;

const MEGABYTE = 1024 * 1024;

/** The number of concurrent queries from callers and from the explorer. The two limits are independent. */
const CALLER_QUERIES = 2;
const EXPLORER_QUERIES = 2;
/** Queries for questions may wait longer than queries from callers, because a question is processed in the background. */
const EXPLORER_WAIT_MS = 30_000;

/** Queries wait in the queue of their playground. For a connection, a query waits only until an earlier query has really ended. */
const CONNECTIONS = {
  connections: CALLER_QUERIES + EXPLORER_QUERIES,
  maxWaiting: CALLER_QUERIES + EXPLORER_QUERIES,
  maxWaitMs: 5_000,
  maxResultBytes: 4 * MEGABYTE,
};

/**
 * The playground of callers and that of the explorer. Both playgrounds use the connection pool of the same database, whose state
 * `playgroundPool` returns.
 */
export function createPlaygrounds(
  database: Database,
  tables: TableReferences,
  { playgroundSeconds }: Pick<Settings, 'playgroundSeconds'>,
  onEnd: PlaygroundQueue['onEnd'],
  access = PUBLIC_SQL,
) {
  const timeoutMs = playgroundSeconds * 1000;
  const ofCallers = { concurrency: CALLER_QUERIES, access, ...(onEnd && { onEnd }) };
  const playground = new Playground(database, tables, timeoutMs, ofCallers);
  const ofExplorer = new Playground(database, tables, timeoutMs, {
    access,
    concurrency: EXPLORER_QUERIES,
    maxWaitMs: EXPLORER_WAIT_MS,
  });
  const playgroundPool = (): Database['pool'] => {
    const { pool } = database;
    return pool && { ...pool, waiting: pool.waiting + playground.waiting + ofExplorer.waiting };
  };
  return { playground, ofExplorer, playgroundPool };
}

export interface FilePlaygroundOptions {
  readonly settings: Pick<Settings, 'dataDirectory' | 'playgroundMemory'>;
  readonly tables: TableReferences;
  /** The SELECTs of the views of files by name. Undefined for a database file. */
  readonly selects?: ReadonlyMap<string, string> | undefined;
  readonly onNotice: ((message: string) => void) | undefined;
}

/**
 * Opens the playground of a database file. The playground runs in separate processes, which need about 110 MB each before their first
 * query.
 */
export async function openFilePlayground(
  database: EmbeddedDatabase,
  { settings: { dataDirectory, playgroundMemory }, tables, selects, onNotice }: FilePlaygroundOptions,
): Promise<Database> {
  const { maxResultBytes, ...waiting } = CONNECTIONS;
  const megabytes = megabytesOf(playgroundMemory);
  // The folder for copies of the file.
  const folder = join(dataDirectory, 'playground');
  await makeFolder(folder);
  const options = {
    ...waiting,
    folder,
    tables: [...tables].map(([key, table]) => {
      const { name = key, where } = table;
      return { name, columns: readColumns(table), ...(where !== undefined && { where }) };
    }),
    limits: {
      memoryLimit: playgroundMemory,
      maxResidentBytes: (megabytes + 256) * MEGABYTE,
      maxIdleBytes: (megabytes + 32) * MEGABYTE,
      maxResultBytes,
    },
    minFreeBytes: 512 * MEGABYTE,
    onNotice,
  };
  return database.openIsolated(options, selects);
}

/**
 * Opens the playground of a database server. The playground has separate connections, with limits for untrusted SQL. Closes them if `check`
 * rejects the database.
 */
export async function openServerPlayground(
  settings: PlaygroundSettings,
  check: (database: Database) => Promise<unknown>,
): Promise<Database> {
  const { databaseUrl = '', playgroundDatabaseUrl } = settings;
  const allowWritingAccount = playgroundDatabaseUrl === undefined && settings.databaseAllowWritingAccount === 'yes';
  const url = playgroundDatabaseUrl ?? databaseUrl;
  const untrusted = { memoryMegabytes: megabytesOf(settings.playgroundMemory) };
  // A service with a database file starts faster without loading this module.
  const { openMysql } = await import('../../engine/databases/mysql/database.js');
  const database = await openMysql({ ...CONNECTIONS, url, untrusted, allowWritingAccount, statements: 1 });
  try {
    await check(database);
    if (database.name !== 'tidb' || !allowWritingAccount) return database;
    throw new Error(
      'TiDB has no read-only sessions: set PLAYGROUND_DATABASE_URL to a URL with an account that has only read access.',
    );
  } catch (error) {
    await database.close();
    throw error;
  }
}
