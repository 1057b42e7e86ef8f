import { join } from 'node:path';
import { type EmbeddedDatabase, openEmbedded } from '../../engine/databases/duckdb/embedded.js';
import { openMysql } from '../../engine/databases/mysql/database.js';
import { EmbeddedStore } from '../../warehouse/store/embedded-store.js';
import { MysqlStore } from '../../warehouse/store/mysql-store.js';

/** The time of all imports in tests. */
export const NOW = new Date('2026-01-26T00:00:00Z');

/** Opens the database of a URL, or a file in the folder if there is no URL. The limits of the store are small. */
export async function openTestStore(folder: string, url: string | undefined) {
  const importOptions = { stagingDirectory: join(folder, 'staging'), downloadDirectory: join(folder, 'downloads') };
  if (url === undefined) {
    const database = await openTestFile(folder);
    return { database, store: new EmbeddedStore(database), importOptions, close: () => database.close() };
  }
  const database = await openMysql({ url, allowWritingAccount: true, connections: 1 });
  const store = new MysqlStore({ ...limits(folder), url });
  const close = async () => void (await Promise.all([database.close(), store.close()]));
  return { database, store, importOptions, close };
}

export function openTestFile(folder: string): Promise<EmbeddedDatabase> {
  return openEmbedded({ ...limits(folder), file: testFile(folder), readers: 1 });
}

export function testFile(folder: string): string {
  return join(folder, 'test.duckdb');
}

/** The limits of DuckDB in tests. */
export function limits(folder: string) {
  return {
    memoryLimit: '256MB',
    threads: 1,
    tempDirectory: join(folder, 'temporary'),
    stagingDirectory: join(folder, 'staging'),
  };
}
