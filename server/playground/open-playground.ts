import type { EmbeddedDatabase } from '../../databases/duckdb/embedded.js';
import type { Database } from '../../engine/index.js';
import { PUBLIC_TABLES } from '../../warehouse/public-tables.js';
import { requireExactTables } from '../../warehouse/schema/schema.js';
import type { Settings } from '../settings/settings.js';

type PlaygroundSettings = Pick<Settings, 'databaseUrl' | 'databaseAllowWritingAccount' | 'playgroundDatabaseUrl'>;

const MEGABYTE = 1024 * 1024;

/** The number of concurrent queries of the playground, which has its own connections. */
const PLAYGROUND_CONNECTIONS = 2;

/** The limits of the playground's queue. The queue is short, because callers of the playground can retry. */
const PLAYGROUND_LIMITS = { maxWaiting: 16, maxWaitMs: 5_000, maxResultBytes: 4 * MEGABYTE };

/**
 * The playground of a file runs in its own processes, which take about 110 MB each before their first query. `folder` is an existing
 * folder for their copies of the file.
 */
export function openFilePlayground(
  database: EmbeddedDatabase,
  folder: string,
  onNotice: ((message: string) => void) | undefined,
): Promise<Database> {
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

/** The playground of a server has its own connections, with limits for untrusted SQL. */
export async function openServerPlayground(settings: PlaygroundSettings): Promise<Database> {
  const { databaseUrl = '', playgroundDatabaseUrl } = settings;
  const allowWritingAccount = playgroundDatabaseUrl === undefined && settings.databaseAllowWritingAccount === 'yes';
  const url = playgroundDatabaseUrl ?? databaseUrl;
  const untrusted = { ...PLAYGROUND_LIMITS, allowWritingAccount, isUntrusted: true, statements: 1 } as const;
  // A service with a database file starts faster without this module.
  const { openMysql } = await import('../../databases/mysql/database.js');
  const database = await openMysql({ ...untrusted, url, connections: PLAYGROUND_CONNECTIONS });
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
