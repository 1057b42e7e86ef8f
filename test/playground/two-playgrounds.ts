import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readSettings } from '../../server/settings/read-settings.js';
import { copyDemo } from '../service/demo-data.js';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { execute, type TestDatabase, useMysql, withDatabase } from '../services/mysql.js';
import { IS_TIDB } from '../services/server.js';
import { closeAtEnd } from '../services/test-run.js';
import { newDatabase } from '../warehouse/test-warehouse.js';

/**
 * Services with the same demo data on both databases. The service on MariaDB uses the documented account for the
 * playground.
 */
export interface TwoPlaygrounds {
  readonly embedded: DemoService;
  readonly served: DemoService;
  close(): Promise<void>;
}

/** Without a rate limit, because the suites send more requests than one address may. */
const SETTINGS = { PLAYGROUND_PER_MINUTE: '0', ENDPOINTS_DIR: FEW_ENDPOINTS };

export interface PlaygroundAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export async function startTwoPlaygrounds(
  server: TestDatabase,
  events = 2_000,
  seconds = 600,
): Promise<TwoPlaygrounds> {
  const settings = { ...SETTINGS, PLAYGROUND_SECONDS: String(seconds) };
  const serverSettings = { DATABASE_URL: server.url, DATABASE_ALLOW_WRITING_ACCOUNT: 'yes' };
  // The tables must exist before the account gets privileges on them.
  await copyDemo(readSettings(serverSettings), { events });
  const account = await createAccount(server);
  const [embedded, served] = await Promise.all([
    startDemoService(settings, { size: { events } }),
    startDemoService({ ...settings, ...serverSettings, PLAYGROUND_DATABASE_URL: account.url }, { size: { events } }),
  ]);
  return {
    embedded,
    served,
    close: async () => {
      await Promise.all([embedded.close(), served.close()]);
      await account.drop();
    },
  };
}

/** Returns the playgrounds that the suites of a process share, so suites must only read from them. Their tables contain private data. */
export function useTwoPlaygrounds(): TwoPlaygrounds {
  // This skips the suite if there is no server.
  const server = useMysql();
  let two: TwoPlaygrounds | undefined;
  before(async () => {
    shared ??= startShared(server.url);
    two = await shared;
  });
  const started = () => {
    if (two === undefined) throw new Error('The playgrounds are available in tests and hooks only.');
    return two;
  };
  return {
    get embedded() {
      return started().embedded;
    },
    get served() {
      return started().served;
    },
    close: async () => undefined,
  };
}

/** A text that occurs only in private data. */
export const SECRET = 'secret-address@example.org';

let shared: Promise<TwoPlaygrounds> | undefined;
closeAtEnd(async () => (await shared)?.close());

async function startShared(server: string): Promise<TwoPlaygrounds> {
  const url = await newDatabase(server);
  const two = await startTwoPlaygrounds({ url, name: new URL(url).pathname.slice(1), environment: {} });
  const statements = [
    `UPDATE github_users SET email = '${SECRET}'`,
    "INSERT INTO collections (id, name, public) VALUES (999, 'hidden-collection', 0)",
    "INSERT INTO collection_items (id, collection_id, repo_name, repo_id) VALUES (999, 999, 'hidden-owner/hidden-repo', 1)",
  ];
  for (const { store } of [two.embedded, two.served]) {
    await store.write(async (tables) => {
      for (const statement of statements) await tables.run(statement);
    });
  }
  return two;
}

/** Sends SQL to `/q/playground/`. */
export async function askPlayground(
  service: Pick<DemoService, 'get'>,
  sql: string,
  more: object = {},
): Promise<PlaygroundAnswer> {
  const response = await service.get('/q/playground/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ sql, ...more }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Returns the statements of docs/playground.md that create the account. */
export async function readDocumentedGrants(): Promise<string[]> {
  const text = await readFile(fileURLToPath(new URL('../../../docs/playground.md', import.meta.url)), 'utf8');
  return [...text.matchAll(/^((?:CREATE USER|GRANT) .*);$/gm)].map(([, statement = '']) => statement);
}

/** Creates the documented account for the playground on the tables of a database. TiDB has no grants on columns. */
export async function createAccount(server: TestDatabase) {
  const statements = (await readDocumentedGrants()).map((statement) =>
    (IS_TIDB ? statement.replace(/^GRANT SELECT \(.*?\)/, 'GRANT SELECT') : statement)
      .replace('…', 'secret')
      .replaceAll("'insight_playground'@'%'", accountOf(server))
      .replace(' insight.', ` ${server.name}.`),
  );
  await execute(server.url, ...statements);
  const url = new URL(server.url);
  url.username = `p_${server.name}`;
  url.password = 'secret';
  return {
    url: url.href,
    drop: () => execute(withDatabase(server.url, ''), `DROP USER ${accountOf(server)}`),
  };
}

function accountOf({ name }: TestDatabase): string {
  return `'p_${name}'@'%'`;
}
