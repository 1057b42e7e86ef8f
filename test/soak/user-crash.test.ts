import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { readNewestAuditEntries } from '../../accounts/audit-log.js';
import { readStateRows } from '../../accounts/state-reads.js';
import { fillWithDemo } from '../../demo/fill-with-demo.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import { importFolders, requireStore } from '../../server/databases/warehouse.js';
import { READ_ONLY_STATE } from '../../server/github-operations.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { listening, start, stopAll } from '../cli/command-line.js';
import { NOW } from '../service/demo-data.js';
import { createUsers, JWT_SECRET } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { eventually } from '../services/eventually.js';
import { createDatabase, needServer, serviceEnvironment, withDatabase } from '../services/mysql.js';
import { type DatabaseServer, SERVER, startServer } from '../services/server.js';
import { record, seedOf } from './report.js';
import { Storm } from './user-storm.js';

/** For each round, the number of acknowledged calls after which the process is killed. */
const ROUNDS = fc.sample(fc.integer({ min: 1, max: 200 }), { numRuns: 2, seed: seedOf('user crash') });

describe('the acknowledged changes of a hundred concurrent callers survive a crash', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-crash-'));
  });
  afterEach(async () => {
    stopAll();
    await rm(folder, { recursive: true, force: true });
  });

  it('of the service over its file', async () => {
    await ofTheService({ DATA_DIR: folder, DATABASE_URL: `duckdb:${join(folder, 'mine.duckdb')}` });
  });

  describe(`over ${SERVER}`, () => {
    let server: DatabaseServer;
    let variables: Readonly<Record<string, string>>;
    needServer();
    beforeEach(async () => {
      // With this option, the server writes every commit to disk, as in production. Other test servers do not use this option.
      server = await startServer(['--innodb-flush-log-at-trx-commit=1']);
      await createDatabase(server.url, 'storm');
      variables = await serviceEnvironment(withDatabase(server.url, 'storm'));
    });
    afterEach(() => server.remove());
    const environment = () => ({ DATA_DIR: folder, ...variables });

    it('of the service', () => ofTheService(environment()));

    it('of the database, while the service continues', async () => {
      const { storm, settings } = await prepared(environment());
      const service = start(['serve'], { environment: settings });
      const url = await listening(service);
      for (const calls of ROUNDS) {
        await storm.blow(url, calls, () => server.kill());
        expect((await fetch(`${url}/healthy/`)).status).to.equal(503);
        await server.restart();
        await eventually(async () => (await fetch(`${url}/healthy/`)).status === 200);
        await eventually(async () => (await fetch(`${url}/v1/collections/`)).status === 200);
        await storm.expectKept(url);
      }
      service.child.kill('SIGTERM');
      await service.ended;
      await expectAccountedFor(storm, settings);
    });
  });
});

async function ofTheService(environment: Record<string, string>): Promise<void> {
  const { storm, settings } = await prepared(environment);
  let service = start(['serve'], { environment: settings });
  let url = await listening(service);
  for (const calls of ROUNDS) {
    const { child } = service;
    await storm.blow(url, calls, () => child.kill('SIGKILL'));
    expect((await service.ended).code).to.equal(null);
    service = start(['serve'], { environment: settings });
    url = await listening(service);
    await storm.expectKept(url);
  }
  record('user crash', `killed after ${ROUNDS.join(' and ')} calls`);
  service.child.kill('SIGTERM');
  expect((await service.ended).code).to.equal(0);
  await expectAccountedFor(storm, settings);
}

/** Creates a database with a few repositories, and a hundred callers. */
async function prepared(environment: Record<string, string>) {
  const plain = {
    PORT: '0',
    CALLER_LIMIT_PER_MINUTE: '0',
    NOW,
    JWT_SECRET,
    ENDPOINTS_DIR: FEW_ENDPOINTS,
    ...environment,
  };
  const settings = readSettings(plain);
  const warehouse = await openWarehouse(settings, { migrating: true });
  await fillWithDemo(requireStore(warehouse), { ...importFolders(settings), now: new Date(NOW), events: 1_000 });
  const rows = await readStateRows(
    warehouse.database,
    'SELECT repo_name FROM github_repos ORDER BY stars DESC, repo_id LIMIT 4',
  );
  await warehouse.close();
  const storm = new Storm(20, rows.map(String));
  expect(storm.callers).to.equal(100);
  return { storm, settings: plain };
}

/** Expects one user per account, and audit log entries that result in the stored state. */
async function expectAccountedFor(storm: Storm, environment: Record<string, string>): Promise<void> {
  const warehouse = await openWarehouse(readSettings(environment), { migrating: false });
  try {
    const users = await createUsers(warehouse.database, READ_ONLY_STATE).listNewest(1_000);
    expect(users.map(({ login }) => login).sort()).to.deep.equal([...storm.switchedOn().keys()].sort());
    const changes = await readNewestAuditEntries(warehouse.database, 10_000);
    const switchedOn = new Map<string, number>();
    for (const { id, login } of users) {
      const own = changes.filter(({ actor }) => actor === `user ${id}`);
      expect(own.filter(({ action }) => action === 'sign-up')).to.have.length(1);
      const on = own.filter(({ action, detail }) => action === 'subscribe' || detail === 'on').length;
      const off = own.filter(({ action, detail }) => action === 'unsubscribe' || detail === 'off').length;
      switchedOn.set(login, on - off);
    }
    expect(Object.fromEntries(switchedOn)).to.deep.equal(Object.fromEntries(storm.switchedOn()));
  } finally {
    await warehouse.close();
  }
}
