import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { pino } from 'pino';
import { readNewestAuditEntries } from '../../accounts/audit-log.js';
import type { Database } from '../../engine/index.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import type { Warehouse } from '../../server/databases/warehouse.js';
import { READ_ONLY_STATE } from '../../server/github-operations.js';
import { startService } from '../../server/service.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { eventually } from '../services/eventually.js';
import { createDatabase, needServer, onBothDatabases, serviceEnvironment, withDatabase } from '../services/mysql.js';
import { type DatabaseServer, SERVER, startServer } from '../services/server.js';
import type { CrashStep } from './crashing-service.js';
import { copyDemo, DEMO_SIZE, NOW } from './demo-data.js';
import { createUsers, JWT_SECRET, PATIENT, tokenOf } from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';

type Settings = Readonly<Record<string, string>>;
const COMMON = { PORT: '0', NOW, JWT_SECRET, ENDPOINTS_DIR: FEW_ENDPOINTS, CALLER_LIMIT_PER_MINUTE: '0' };

onBothDatabases('changes by users and a crash of the service', (database) => {
  let settings: Settings;
  beforeEach(async () => {
    settings = { ...COMMON, DATA_DIR: await mkdtemp(join(tmpdir(), 'repo-insight-crash-')), ...database() };
    await copyDemo(readSettings(settings), DEMO_SIZE);
  });
  afterEach(() => rm(settings.DATA_DIR ?? '', { recursive: true, force: true }));

  it('have no effect if it is before the commit, are kept if it is after the commit, and are always kept if acknowledged', async () => {
    const login = 'crashed';
    const [one, other] = await withWarehouse(settings, ({ database }) => repositories(database));
    const both = [one, other].sort();
    const before = await crash(settings, 'before the commit', async (url, arm) => {
      const acknowledged = [await put(url, login, `/repos/${one}/subscribe/`), await switchMails(url, login, true)];
      expect(acknowledged).to.deep.equal([200, 200]);
      await arm();
      return put(url, login, `/repos/${other}/subscribe/`);
    });
    expect(before).to.equal('no answer');
    // A commit on a server does not depend on the process. `test/soak/user-crash.test.ts` kills the service at any moment there.
    if (database().DATABASE_URL === undefined) {
      const after = await crash(settings, 'after the commit', async (url, arm) => {
        expect(await choices(url, login)).to.deep.equal({ names: [one], emailGetUpdates: true });
        await arm();
        return put(url, login, `/repos/${other}/subscribe/`);
      });
      expect(after).to.equal('no answer');
    }
    await withService(settings, async (url, tables) => {
      const names = database().DATABASE_URL === undefined ? both : [one];
      expect(await choices(url, login)).to.deep.equal({ names, emailGetUpdates: true });
      expect(await put(url, login, `/repos/${other}/subscribe/`)).to.equal(200);
      expect(await choices(url, login)).to.deep.equal({ names: both, emailGetUpdates: true });
      // Each change is logged only once, even if it was repeated because the first calls got no answer.
      expect(await loggedActions(tables, login)).to.deep.equal([
        ...['sign-up', 'subscribe', 'email-updates', 'subscribe'],
      ]);
    });
  });

  const repositories = async (tables: Database): Promise<[string, string]> => {
    const query = tables.prepare('SELECT repo_name FROM github_repos ORDER BY stars DESC, repo_id LIMIT 2');
    const { rows } = await tables.query(query, [], { maxRows: 2, timeoutMs: 60_000 });
    return rows.map(([name]) => String(name)) as [string, string];
  };
});

describe(`changes by users and a crash of ${SERVER}`, () => {
  let folder: string;
  let server: DatabaseServer;
  needServer();
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-crash-'));
    // With this option, the server writes every commit to disk, as in production. Other test servers do not use this option.
    server = await startServer(['--innodb-flush-log-at-trx-commit=1']);
    await createDatabase(server.url, 'crash');
  });
  after(async () => {
    await server?.remove();
    await rm(folder, { recursive: true });
  });

  it('are kept if they are acknowledged, and the service continues', async () => {
    const variables = await serviceEnvironment(withDatabase(server.url, 'crash'));
    await withService({ ...COMMON, DATA_DIR: folder, ...variables }, async (url) => {
      const statusOf = async (path: string) => (await fetch(url + path)).status;
      const logins = ['ada', 'bea', 'cleo'];
      expect(await Promise.all(logins.map((login) => switchMails(url, login, true)))).to.deep.equal([200, 200, 200]);
      await server.kill();
      expect([await statusOf('/healthy/'), await switchMails(url, 'ada', false)]).to.deep.equal([503, 503]);
      await server.restart();
      await eventually(async () => (await statusOf('/healthy/')) === 200);
      await eventually(async () => (await statusOf('/v1/collections/')) === 200);
      const kept = async (login: string) => (await choices(url, login)).emailGetUpdates;
      expect(await Promise.all(logins.map(kept))).to.deep.equal([true, true, true]);
      expect([await switchMails(url, 'ada', false), await kept('ada')]).to.deep.equal([200, false]);
    });
  });
});

/** Starts a service in a child process. After a call of `arm`, waits until the process has killed itself at this step. */
async function crash<T>(
  settings: Settings,
  step: CrashStep,
  work: (url: string, arm: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const { PATH } = process.env;
  const program = fileURLToPath(new URL('crashing-service.js', import.meta.url));
  const child = fork(program, [], { env: { PATH, ...settings }, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  try {
    const ended = once(child, 'exit');
    const [url] = (await once(child, 'message')) as [string];
    const arm = () => {
      child.send(step);
      return once(child, 'message');
    };
    const result = await work(url, arm);
    expect(await ended).to.deep.equal([null, 'SIGKILL']);
    return result;
  } finally {
    child.kill('SIGKILL');
  }
}

async function withService(settings: Settings, work: (url: string, tables: Database) => Promise<void>): Promise<void> {
  await withWarehouse(settings, async (warehouse) => {
    const service = await startService(readSettings(settings), warehouse, pino({ level: 'silent' }));
    await work(service.url, warehouse.database).finally(() => service.close());
  });
}

async function withWarehouse<T>(settings: Settings, work: (warehouse: Warehouse) => Promise<T>): Promise<T> {
  const warehouse = await openWarehouse(readSettings(settings), PATIENT);
  return work(warehouse).finally(() => warehouse.close());
}

async function put(url: string, login: string, path: string, body?: object): Promise<number | 'no answer'> {
  const headers = { Authorization: `Bearer ${await tokenOf(login)}`, 'Content-Type': 'application/json' };
  const init = { method: 'PUT', headers, ...(body && { body: JSON.stringify(body) }) };
  return fetch(url + path, init).then(
    ({ status }) => status,
    () => 'no answer',
  );
}

const switchMails = (url: string, login: string, enable: boolean) =>
  put(url, login, '/user/email-updates/', { enable });

async function choices(url: string, login: string) {
  const headers = { Authorization: `Bearer ${await tokenOf(login)}` };
  const read = async (path: string) => (await fetch(url + path, { headers })).json();
  const subscriptions = (await read('/user/subscriptions/')) as { repoName: string }[];
  const { emailGetUpdates } = (await read('/user/email-updates/')) as { emailGetUpdates: boolean };
  return { names: subscriptions.map(({ repoName }) => repoName).sort(), emailGetUpdates };
}

/** The logged actions of the only user with this login, in order. */
async function loggedActions(tables: Database, login: string): Promise<string[]> {
  const users = await createUsers(tables, READ_ONLY_STATE).findByLogin(login);
  expect(users).to.have.length(1);
  const entries = await readNewestAuditEntries(tables, 1_000);
  return entries
    .filter(({ actor }) => actor === `user ${users[0]?.id}`)
    .map(({ action }) => action)
    .reverse();
}
