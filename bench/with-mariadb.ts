import { createConnection } from 'mysql2/promise';
import { isMariaDbInstalled, startMariaDb } from '../test/services/mariadb.js';
import type { DatabaseServer } from '../test/services/server.js';
import type { Figure } from './measure.js';

/**
 * Runs a benchmark with an empty database on a private MariaDB server, whose account has all privileges. If MariaDB is not installed,
 * returns one figure that does not meet its target.
 */
export async function withMariaDb(
  name: string,
  bench: (url: string, server: DatabaseServer) => Promise<Figure[]>,
): Promise<Figure[]> {
  if (!isMariaDbInstalled()) {
    const detail = 'mariadbd is not on the PATH: install mariadb-server';
    return [{ name, value: Number.NaN, unit: '×', target: Number.NaN, bound: 'at least', detail }];
  }
  const server = await startMariaDb(SERVER);
  try {
    const connection = await createConnection({ uri: server.url });
    await connection.query('CREATE DATABASE bench CHARACTER SET utf8mb4');
    await connection.end();
    return await bench(`${server.url}/bench`, server);
  } finally {
    await server.remove();
  }
}

/**
 * Options of a small server with enough memory for the largest benchmark. As in the tests, the server does not wait until data are written
 * to disk, because the speed of the disk is not measured.
 */
const SERVER = ['--innodb-buffer-pool-size=2G', '--innodb-log-file-size=1G', '--innodb-log-buffer-size=64M'];
