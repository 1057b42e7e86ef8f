import { resolve } from 'node:path';
import type { Database } from '../databases/interface/database.js';

/**
 * Opens the database of a URL for reading: `mysql://user:password@host:port/database` for MySQL, MariaDB and TiDB, or `duckdb:` and the path
 * of a file. Loads only the driver of this database.
 */
export async function openDatabase(url: string): Promise<Database> {
  if (url.startsWith(FILE_SCHEME)) {
    const { openEmbedded } = await import('../databases/duckdb/embedded.js');
    return openEmbedded({ file: resolve(url.slice(FILE_SCHEME.length)), access: 'read_only', ...FILE_LIMITS });
  }
  const { openMysql } = await import('../databases/mysql/database.js');
  return openMysql({ url, allowWritingAccount: true });
}

const FILE_SCHEME = 'duckdb:';
const FILE_LIMITS = { memoryLimit: '1GB', threads: 2, readers: 4 };
