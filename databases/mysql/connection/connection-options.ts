import { readFile } from 'node:fs/promises';
import type { ConnectionOptions, SslOptions } from 'mysql2';
import { type MysqlAddress, MysqlUrlError } from './address.js';

/**
 * What mysql2 is told of the address, with results that lose nothing: DECIMAL, dates and 64-bit integers beyond 2^53
 * as text, text as UTF-8 of four bytes. Reads the certificates; throws `MysqlUrlError`.
 */
export async function connectionOptions(address: MysqlAddress): Promise<ConnectionOptions> {
  const { host, port, user, password, database } = address;
  const ssl = await sslOptions(address);
  return {
    host,
    port,
    user,
    password,
    database,
    ...(ssl === undefined ? {} : { ssl }),
    charset: 'UTF8MB4_BIN',
    supportBigNumbers: true,
    dateStrings: true,
    jsonStrings: true,
    // Dates travel as text; this is how a `Date` would be written, if one were bound.
    timezone: 'Z',
    multipleStatements: false,
    enableKeepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
    connectAttributes: { program_name: 'repo-insight' },
  };
}

/** A server that vanished is noticed by this, where the operating system alone would wait for hours. */
const KEEP_ALIVE_MS = 30_000;

async function sslOptions({ ssl, sslFiles }: MysqlAddress): Promise<SslOptions | undefined> {
  if (ssl === 'false') return undefined;
  const isVerified = ssl === 'true';
  const files = await Promise.all(Object.entries(sslFiles).map(async ([name, file]) => [name, await pem(name, file)]));
  return { ...Object.fromEntries(files), rejectUnauthorized: isVerified, verifyIdentity: isVerified };
}

async function pem(name: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new MysqlUrlError(`ssl_${name} to be a file that can be read`, `${file} (${(error as Error).message})`);
  }
}
