import { randomBytes } from 'node:crypto';
import { exactCollation, flavorOf } from '../../engine/databases/mysql/connection/flavor.js';
import { execute } from './execute.js';
import { type DatabaseServer, describeEmbedded, IS_TIDB, SERVER, startServer } from './server.js';
import { sharedResource } from './shared-resource.js';

export { execute };

/** A database for one suite. The database is removed when the suite ends. */
export interface TestDatabase {
  readonly name: string;
  /** The URL of the database, with an account that has all privileges. */
  readonly url: string;
  /** The environment variables with which a service uses this database. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Creates a database for the calling suite on a server that all suites share: the server of `TEST_MYSQL_URL`, or a private MariaDB; with
 * `TEST_DATABASE=tidb` the server of `TEST_TIDB_URL`, or a private TiDB. Without a server, the suite is skipped, or with
 * `REQUIRE_SERVICES=1` fails. A suite that changes the server must set `own`, and gets a private server if one can be started. The result
 * must only be read in tests and hooks.
 */
export function useMysql({ own = false } = {}): TestDatabase {
  let server: DatabaseServer | undefined;
  let url = '';
  const name = `test_${randomBytes(6).toString('hex')}`;
  let environment: TestDatabase['environment'] = {};
  before(async function () {
    if (own && (await canStart())) server = await startServer();
    const serverUrl = server?.url ?? (await sharedResource('/server'));
    if (serverUrl === '') return skip(this);
    await createDatabase(serverUrl, name);
    url = withDatabase(serverUrl, name);
    environment = await serviceEnvironment(url);
    // This hook is added here, so that it runs after all other hooks of the suite, which can close services.
    this.test?.parent?.afterAll('removes the database', async () => {
      if (server !== undefined) return server.remove();
      await execute(url, `DROP DATABASE IF EXISTS ${name}`, `DROP USER IF EXISTS player_${name}`);
    });
  });
  return {
    name,
    get url() {
      return url;
    },
    get environment() {
      return environment;
    },
  };
}

/**
 * Defines a suite for each kind of database. `database` returns the settings of the database, and must only be called in tests and hooks.
 * With `isServer`, a suite can define only the tests whose results depend on the database.
 */
export function onBothDatabases(
  title: string,
  suite: (database: () => Record<string, string>, isServer: boolean) => void,
): void {
  describeEmbedded(`${title}, on the embedded database`, () => suite(() => ({}), false));
  onServer(title, (database) => suite(database, true));
}

/** Defines the part of a suite that depends on the database, on a server. For `database`, see `onBothDatabases`. */
export function onServer(title: string, suite: (database: () => Record<string, string>) => void): void {
  describe(`${title}, on ${SERVER}`, () => {
    const server = useMysql();
    suite(() => server.environment);
  });
}

/** Like `useMysql`, for suites that start private servers because they kill them. */
export function needServer(): void {
  before(async function () {
    if (!(await canStart())) skip(this);
  });
}

/**
 * Returns the environment variables of a service on the database of a server. TiDB has no read-only sessions, so the playground needs a
 * read-only account there, which this function creates.
 */
export async function serviceEnvironment(url: string): Promise<Readonly<Record<string, string>>> {
  const variables = { DATABASE_URL: url, DATABASE_ALLOW_WRITING_ACCOUNT: 'yes' };
  if (!IS_TIDB) return variables;
  const database = new URL(url).pathname.slice(1);
  const player = `player_${database}`;
  await execute(url, `CREATE USER ${player}`, `GRANT SELECT ON ${database}.* TO ${player}`);
  const playground = Object.assign(new URL(url), { username: player, password: '' });
  return { ...variables, PLAYGROUND_DATABASE_URL: playground.href };
}

/** Creates a database in which tables without an explicit collation compare text by its exact bytes. */
export async function createDatabase(server: string, name: string): Promise<void> {
  const [{ version } = {}] = await execute(server, 'SELECT VERSION() AS version');
  const collation = exactCollation(flavorOf(String(version)));
  await execute(server, `CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE ${collation}`);
}

export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

async function canStart(): Promise<boolean> {
  return (await sharedResource('/can-start-server')) !== '';
}

function skip(context: Mocha.Context): void {
  const reason = IS_TIDB
    ? 'needs a private TiDB: set TIDB_SERVER'
    : 'needs MariaDB: install mariadb-server, or set TEST_MYSQL_URL';
  if (process.env.REQUIRE_SERVICES === '1') throw new Error(`This suite ${reason}.`);
  process.stderr.write(`SKIPPED, ${reason}: ${context.currentTest?.parent?.title ?? context.test?.parent?.title}\n`);
  context.skip();
}
