import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { pino } from 'pino';
import { openWarehouse } from '../../server/databases/open-database.js';
import { requireStore } from '../../server/databases/warehouse.js';
import { startService } from '../../server/service.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { messageOf } from '../databases/failures.js';
import { eventually } from '../services/eventually.js';
import { execute, useMysql, withDatabase } from '../services/mysql.js';
import { IS_TIDB } from '../services/server.js';
import { startTcpProxy } from '../services/tcp-proxy.js';
import { NOW } from './demo-data.js';
import { type DemoService, startDemoService, useSharedDemo } from './demo-service.js';

const PASSWORD = 'p@ss/w:rd';

const LANGUAGES = ['Go', 'Rust', 'Java', 'Ruby', 'Python', 'PHP', 'C', 'Shell', 'Kotlin', 'Dart', 'Swift'];
const PERIODS = ['past_24_hours', 'past_week', 'past_month', 'past_3_months'];

describe("a service over a server's database", () => {
  const server = useMysql();
  const shared = useSharedDemo();
  let served: DemoService;

  before(async () => {
    await execute(server.url, ...(await accountStatements(server.name)));
    const urls = {
      DATABASE_URL: readerUrl(server.name),
      DATABASE_WRITE_URL: accountUrl('insight_writer', server.name),
    };
    served = await startDemoService(urls);
  });
  after(async () => {
    await served?.close();
    await execute(withDatabase(server.url, ''), 'DROP USER insight_reader, insight_writer');
  });

  const readerUrl = (database: string) => accountUrl('insight_reader', database);
  const accountUrl = (account: string, database: string) => {
    const url = new URL(server.url);
    url.username = account;
    url.password = encodeURIComponent(PASSWORD);
    url.pathname = `/${database}`;
    return url.href;
  };
  const rowsOf = async (service: DemoService, path: string) => {
    const response = await service.get(path);
    const { data } = (await response.json()) as { data: { columns: unknown; rows: unknown } };
    return { status: response.status, columns: data.columns, rows: data.rows };
  };

  it('gives the same answers as one over the embedded database', async () => {
    const { demo: embedded } = shared;
    const paths = [
      '/v1/trends/repos/?period=past_month',
      '/v1/collections/',
      `/v1/repos/${embedded.repository}/stargazers/history/?per=week`,
      `/v1/repos/${embedded.repository}/issue_creators/`,
    ];
    for (const path of paths) expect(await rowsOf(served, path)).to.deep.equal(await rowsOf(embedded, path));
  });

  it('runs with a read-only account if another service maintains the tables', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
    const settings = readSettings({ DATA_DIR: folder, PORT: '0', NOW, DATABASE_URL: readerUrl(server.name) });
    const warehouse = await openWarehouse(settings, { migrating: true });
    try {
      const service = await startService(settings, warehouse, pino({ level: 'silent' }));
      const response = await fetch(`${service.url}/v1/collections/1/repos/`);
      expect(response.status).to.equal(200);
      await service.close();
      expect(() => requireStore(warehouse)).to.throw('Set DATABASE_WRITE_URL');
    } finally {
      await warehouse.close();
      await rm(folder, { recursive: true });
    }
  });

  it('stores visits with the account for writing, and reads with the read-only account', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
    const urls = {
      DATABASE_URL: readerUrl(server.name),
      DATABASE_WRITE_URL: accountUrl('insight_writer', server.name),
    };
    const settings = readSettings({ DATA_DIR: folder, PORT: '0', NOW, ...urls });
    const warehouse = await openWarehouse(settings, { migrating: true });
    try {
      for (const visits of [1, 2]) {
        const service = await startService(settings, warehouse, pino({ level: 'silent' }));
        await fetch(`${service.url}/v1/collections/1/repos/`);
        await service.close();
        expect(await execute(server.url, 'SELECT collection_id, visits FROM collection_visits')).to.deep.equal([
          { collection_id: 1, visits },
        ]);
      }
    } finally {
      await warehouse.close();
      await rm(folder, { recursive: true });
    }
  });

  it('stops the statements of disconnected clients soon', async () => {
    try {
      const slow =
        'CREATE VIEW mv_trending_repos AS SELECT k.* FROM kept_trends k JOIN (SELECT SLEEP(60) AS slept) s WHERE slept = 0';
      await execute(server.url, 'RENAME TABLE mv_trending_repos TO kept_trends', slow);
      const running = async () => {
        const [{ n } = {}] = await execute(
          withDatabase(server.url, ''),
          `SELECT COUNT(*) AS n FROM information_schema.processlist WHERE db = '${server.name}' AND info LIKE '%mv_trending_repos%'`,
        );
        return Number(n);
      };
      // The requests differ, because equal requests would share one statement.
      const clients = LANGUAGES.flatMap((language) =>
        PERIODS.map((period) => ({ language, period, controller: new AbortController() })),
      );
      const answers = clients.map(({ language, period, controller: { signal } }) =>
        served.get(`/v1/trends/repos/?language=${language}&period=${period}`, { signal }).then(
          async (response) => `${response.status} ${await response.text()}`,
          () => 'gone',
        ),
      );
      // TiDB plans the query for each execution, and does not list it as running during that time, so at least one running statement is
      // enough.
      await eventually(async () => (await running()) >= (IS_TIDB ? 1 : 5));
      for (const { controller } of clients) controller.abort();
      await eventually(async () => (await running()) === 0);
      expect(new Set(await Promise.all(answers))).to.deep.equal(new Set(['gone']));
    } finally {
      await execute(server.url, 'DROP VIEW mv_trending_repos', 'RENAME TABLE kept_trends TO mv_trending_repos');
    }
    expect((await served.get('/v1/trends/repos/')).status).to.equal(200);
  });

  it('reports an unavailable database to callers, and its name and the reason in the log', async () => {
    const proxy = await startTcpProxy(Number(new URL(server.url).port));
    const url = readerUrl(server.name).replace(/:\d+\//, `:${proxy.port}/`);
    const lines: string[] = [];
    const folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
    const settings = readSettings({ DATA_DIR: folder, PORT: '0', NOW, DATABASE_URL: url });
    const warehouse = await openWarehouse(settings, { migrating: false });
    const service = await startService(settings, warehouse, pino({}, { write: (line: string) => lines.push(line) }));
    try {
      await proxy.close();
      const response = await fetch(`${service.url}/v1/collections/1/repos/`);
      expect([response.status, response.headers.get('retry-after')]).to.deep.equal([503, '5']);
      const body = await response.text();
      expect(JSON.parse(body).data.result).to.include({
        error: 'database_unavailable',
        message: 'The database cannot be reached.',
      });
      expect(body).to.not.match(new RegExp(`127\\.0\\.0\\.1|${proxy.port}|reader|SELECT`));
      expect(lines.join('')).to.include(`:${proxy.port} cannot be reached: no server listens on this port.`);
      expect(lines.join('')).to.not.include(PASSWORD);
    } finally {
      await service.close();
      await warehouse.close();
      await rm(folder, { recursive: true });
    }
  });

  it('does not open a database for the playground with a different collation', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
    const other = `${server.name}_other`;
    await execute(
      server.url,
      `CREATE DATABASE ${other} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
      `CREATE TABLE ${other}.collections (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(255) NOT NULL)`,
      // The grant on TiDB is for the whole table, because TiDB hides a table from an account with grants only on its
      // columns.
      `GRANT SELECT${IS_TIDB ? '' : ' (id)'} ON ${other}.collections TO insight_reader`,
    );
    const urls = { DATABASE_URL: readerUrl(server.name), PLAYGROUND_DATABASE_URL: readerUrl(other) };
    const warehouse = await openWarehouse(readSettings({ DATA_DIR: folder, ...urls }), { migrating: false });
    try {
      expect(await messageOf(warehouse.openPlayground())).to.include(
        'These tables differ: collections (InnoDB, utf8mb4_bin).',
      );
    } finally {
      await warehouse.close();
      await execute(server.url, `DROP DATABASE ${other}`);
      await rm(folder, { recursive: true });
    }
  });

  it('does not start without the tables that it needs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
    const empty = `${server.name}_empty`;
    await execute(server.url, `CREATE DATABASE ${empty}`, `GRANT SELECT ON ${empty}.* TO insight_reader`);
    try {
      const settings = readSettings({ DATA_DIR: folder, DATABASE_URL: readerUrl(empty) });
      const error = await openWarehouse(settings, { migrating: true }).catch((reason: Error) => reason);
      expect((error as Error).message).to.match(/^The tables of this program do not exist; .* Run `data migrate`/);
    } finally {
      await execute(server.url, `DROP DATABASE ${empty}`);
      await rm(folder, { recursive: true });
    }
  });
});

/** Returns the statements in the documentation that create the two accounts. */
async function accountStatements(database: string): Promise<string[]> {
  const text = await readFile(fileURLToPath(new URL('../../../docs/deployment.md', import.meta.url)), 'utf8');
  const statements = [...text.matchAll(/^ +((?:CREATE USER|GRANT) .*);$/gm)].map(([, statement = '']) =>
    statement.replace('…', PASSWORD).replace('insight.*', `${database}.*`),
  );
  return ['DROP USER IF EXISTS insight_reader, insight_writer', ...statements];
}
