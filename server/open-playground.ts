import type { EmbeddedDatabase } from '../engine/databases/duckdb/embedded.js';
import type { Database } from '../engine/index.js';
import { Playground, type PlaygroundQueue } from '../explorer/playground/playground.js';
import { PUBLIC_TABLES } from '../warehouse/public-tables.js';
import { requireExactTables } from '../warehouse/schema/schema.js';
import type { Settings } from './settings/settings.js';

type PlaygroundSettings = Pick<Settings, 'databaseUrl' | 'databaseAllowWritingAccount' | 'playgroundDatabaseUrl'>;

const MEGABYTE = 1024 * 1024;

/** The number of concurrent queries that callers wrote, and that the explorer wrote. Neither waits for the other. */
const CALLER_QUERIES = 2;
const EXPLORER_QUERIES = 2;
/** Questions wait longer than callers, because they wait in a queue anyway. */
const EXPLORER_WAIT_MS = 30_000;

/** A query waits in the queue of its playground. Here it waits only until an earlier query has really ended. */
const CONNECTIONS = {
  connections: CALLER_QUERIES + EXPLORER_QUERIES,
  maxWaiting: CALLER_QUERIES + EXPLORER_QUERIES,
  maxWaitMs: 5_000,
  maxResultBytes: 4 * MEGABYTE,
};

/** The playground of callers and that of the explorer. They share the connections of a database, whose use `playgroundPool` returns. */
export function createPlaygrounds(database: Database, timeoutMs: number, onEnd: PlaygroundQueue['onEnd']) {
  const playground = new Playground(database, timeoutMs, { concurrency: CALLER_QUERIES, ...(onEnd && { onEnd }) });
  const ofExplorer = new Playground(database, timeoutMs, {
    concurrency: EXPLORER_QUERIES,
    maxWaitMs: EXPLORER_WAIT_MS,
  });
  const playgroundPool = (): Database['pool'] => {
    const { pool } = database;
    return pool && { ...pool, waiting: pool.waiting + playground.waiting + ofExplorer.waiting };
  };
  return { playground, ofExplorer, playgroundPool };
}

/**
 * The playground of a file runs in its own processes, which take about 110 MB each before their first query. `folder` is an existing
 * folder for their copies of the file.
 */
export function openFilePlayground(
  database: EmbeddedDatabase,
  folder: string,
  onNotice: ((message: string) => void) | undefined,
): Promise<Database> {
  const { maxResultBytes, ...waiting } = CONNECTIONS;
  return database.openIsolated({
    ...waiting,
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

/** The playground of a server has its own connections, with limits for untrusted SQL. */
export async function openServerPlayground(settings: PlaygroundSettings): Promise<Database> {
  const { databaseUrl = '', playgroundDatabaseUrl } = settings;
  const allowWritingAccount = playgroundDatabaseUrl === undefined && settings.databaseAllowWritingAccount === 'yes';
  const url = playgroundDatabaseUrl ?? databaseUrl;
  const untrusted = { ...CONNECTIONS, allowWritingAccount, isUntrusted: true, statements: 1 } as const;
  // A service with a database file starts faster without this module.
  const { openMysql } = await import('../engine/databases/mysql/database.js');
  const database = await openMysql({ ...untrusted, url });
  try {
    await requireExactTables(database, [...PUBLIC_TABLES.keys()]);
    if (database.name !== 'tidb' || !allowWritingAccount) return database;
    throw new Error(
      'TiDB has no read-only sessions: set PLAYGROUND_DATABASE_URL to a URL with an account that has only read access.',
    );
  } catch (error) {
    await database.close();
    throw error;
  }
}
