import { readFile } from 'node:fs/promises';
import type { ConnectionOptions, SslOptions } from 'mysql2';
import { type MysqlAddress, MysqlUrlError } from './address.js';

/**
 * Returns the options of mysql2 for an address. With them, results are exact: DECIMAL, dates and integers beyond 2^53 arrive as text, and
 * text is UTF-8 with up to four bytes per character. Reads the certificate files. Throws `MysqlUrlError`.
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
    // A bound `Date` is sent in UTC. Dates in results are text.
    timezone: 'Z',
    multipleStatements: false,
    connectAttributes: { program_name: 'repo-insight' },
  };
}

async function sslOptions({ ssl, sslFiles }: MysqlAddress): Promise<SslOptions | undefined> {
  if (ssl === 'false') return undefined;
  const isVerified = ssl === 'true';
  const files = await Promise.all(
    Object.entries(sslFiles).map(async ([name, file]) => [name, await readPem(name, file)]),
  );
  return { ...Object.fromEntries(files), rejectUnauthorized: isVerified, verifyIdentity: isVerified };
}

async function readPem(name: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new MysqlUrlError(`a readable file for ssl_${name}`, `${file} (${(error as Error).message})`);
  }
}
