import { hasMariaDb, startMariaDb } from './mariadb.js';
import type { PrivateServer } from './private-server.js';
import { startTidb, tidbProgram } from './tidb.js';

/** A database server that only the tests use. `url` contains its administrator account and no database. */
export interface DatabaseServer extends PrivateServer {
  readonly url: string;
}

/** The database server on which the suites run: MariaDB, or TiDB with `TEST_DATABASE=tidb`. */
export const SERVER = serverUnderTest();
export const IS_TIDB = SERVER === 'TiDB';

/** Starts a private server. `settings` are additional command line options of MariaDB, for example `--max-connections=5`. */
export function startServer(settings: readonly string[] = []): Promise<DatabaseServer> {
  return IS_TIDB ? startTidb(tidbProgram()) : startMariaDb(settings);
}

/** Whether this machine can start a private server. */
export function canStartServer(): boolean {
  return IS_TIDB ? tidbProgram() !== '' : hasMariaDb();
}

/** Returns the URL of the server from the environment variable for these tests. Empty if the variable is not set. */
export function givenServer(): string {
  return (IS_TIDB ? process.env.TEST_TIDB_URL : process.env.TEST_MYSQL_URL) ?? '';
}

/** Defines a suite that uses the embedded database. Runs on TiDB omit it, because `npm test` already runs it. */
export function describeEmbedded(title: string, suite: () => void): void {
  if (!IS_TIDB) describe(title, suite);
}

/** Defines a test of a feature that TiDB does not have. On TiDB it is skipped, and its title contains the reason. */
export function itExceptOnTidb(reason: string, title: string, test: Mocha.AsyncFunc): void {
  if (IS_TIDB) it.skip(`${title} [not on TiDB: ${reason}]`, test);
  else it(title, test);
}

/** Like `itExceptOnTidb`, for a suite. */
export function describeExceptOnTidb(reason: string, title: string, suite: () => void): void {
  if (IS_TIDB) describe.skip(`${title} [not on TiDB: ${reason}]`, suite);
  else describe(title, suite);
}

function serverUnderTest(): 'MariaDB' | 'TiDB' {
  const name = process.env.TEST_DATABASE ?? '';
  if (name === '' || name === 'mariadb') return 'MariaDB';
  if (name !== 'tidb') throw new Error(`TEST_DATABASE: expected mariadb or tidb, got ${name}`);
  if (tidbProgram() === '' && (process.env.TEST_TIDB_URL ?? '') === '') {
    throw new Error(
      'TEST_DATABASE=tidb needs TIDB_SERVER, the path of the program, or TEST_TIDB_URL, the URL of a server.',
    );
  }
  return 'TiDB';
}
