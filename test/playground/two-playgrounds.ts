import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readSettings } from '../../server/settings/read-settings.js';
import type { Timeouts } from '../../server/settings/timeouts.js';
import { copyDemo } from '../service/demo-data.js';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { execute, type TestDatabase, withDatabase } from '../services/mysql.js';

/**
 * Services with the same demo data on both databases. The service on MariaDB uses the documented account for the
 * playground.
 */
export interface TwoPlaygrounds {
  readonly embedded: DemoService;
  readonly served: DemoService;
  close(): Promise<void>;
}

/** Without the rate limit, because the suites send more requests than the limit allows for one address. */
const SETTINGS = { PLAYGROUND_PER_MINUTE: '0', ENDPOINTS_DIR: FEW_ENDPOINTS };

export interface PlaygroundAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export async function startTwoPlaygrounds(
  server: TestDatabase,
  events = 2_000,
  timeouts: Partial<Timeouts> = {},
): Promise<TwoPlaygrounds> {
  const serverSettings = { DATABASE_URL: server.url, DATABASE_ALLOW_WRITING_ACCOUNT: 'yes' };
  // The tables must exist before the account gets privileges on them.
  await copyDemo(readSettings(serverSettings), { events });
  const account = await createAccount(server);
  const [embedded, served] = await Promise.all([
    startDemoService(SETTINGS, events, {}, timeouts),
    startDemoService({ ...SETTINGS, ...serverSettings, PLAYGROUND_DATABASE_URL: account.url }, events, {}, timeouts),
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

/** Sends SQL to `/q/playground/`. */
export async function askPlayground(service: DemoService, sql: string, more: object = {}): Promise<PlaygroundAnswer> {
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

/** Creates the documented account for the playground on the tables of a database. */
export async function createAccount(server: TestDatabase) {
  const statements = (await readDocumentedGrants()).map((statement) =>
    statement
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
