import { createConnection } from 'mysql2/promise';
import { isMariaDbInstalled, startMariaDb } from '../test/services/mariadb.js';
import type { Figure } from './measure.js';

/**
 * Runs a benchmark over an empty database on a MariaDB of its own, whose account may do everything. Where none is
 * installed, the only figure is one that is not kept.
 */
export async function onMariaDb(name: string, bench: (url: string) => Promise<Figure[]>): Promise<Figure[]> {
  if (!isMariaDbInstalled()) {
    const detail = 'mariadbd is not on the PATH: install mariadb-server';
    return [{ name, value: Number.NaN, unit: '×', bar: Number.NaN, keeps: 'at least', detail }];
  }
  const server = await startMariaDb(SERVER);
  try {
    const connection = await createConnection({ uri: server.url });
    await connection.query('CREATE DATABASE bench CHARACTER SET utf8mb4');
    await connection.end();
    return await bench(`${server.url}/bench`);
  } finally {
    await server.remove();
  }
}

/**
 * A server of a small machine, with memory for the data of the largest benchmark. As tests have it, it does not wait for
 * the disk, whose speed is none of ours.
 */
const SERVER = ['--innodb-buffer-pool-size=2G', '--innodb-log-file-size=1G', '--innodb-log-buffer-size=64M'];
