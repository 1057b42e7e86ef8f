import { randomBytes } from 'node:crypto';
import { execute } from '../test/services/execute.js';
import { startTidb, tidbProgram } from '../test/services/tidb.js';
import type { Figure } from './measure.js';

/**
 * Runs a benchmark with an empty database on TiDB: the server of `TEST_TIDB_URL`, or a private server started with the program
 * `TIDB_SERVER`. If neither is set, returns no figures, because Linux distributions have no TiDB package.
 */
export async function withTidb(
  log: (text: string) => void,
  bench: (url: string) => Promise<Figure[]>,
): Promise<Figure[]> {
  const existing = process.env.TEST_TIDB_URL ?? '';
  if (existing === '' && tidbProgram() === '') {
    log('skipped: set TIDB_SERVER, the path of the program, or TEST_TIDB_URL, the URL of a server');
    return [];
  }
  const server = existing === '' ? await startTidb(tidbProgram()) : undefined;
  const url = new URL(server?.url ?? existing);
  const name = `bench_${randomBytes(6).toString('hex')}`;
  try {
    await execute(url.href, `CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin`);
    try {
      return await bench(Object.assign(new URL(url), { pathname: `/${name}` }).href);
    } finally {
      await execute(url.href, `DROP DATABASE ${name}`);
    }
  } finally {
    await server?.remove();
  }
}
