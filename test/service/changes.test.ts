import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { deleteOldAuditEntries, readNewestAuditEntries, writeAuditEntry } from '../../accounts/audit-log.js';
import type { StateStore } from '../../accounts/state-store.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import type { Warehouse } from '../../server/databases/warehouse.js';
import { startService } from '../../server/service.js';
import { databaseFile } from '../../server/settings/database-location.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { TIMEOUTS } from '../../server/settings/timeouts.js';
import { eventually, LIMIT_MS } from '../services/eventually.js';
import { onBothDatabases } from '../services/mysql.js';
import { useRedis } from '../services/redis.js';
import { copyEmptyFile, copyEmptyTables } from './demo-data.js';
import { type DemoService, PATIENT, SYSTEM_TIME, startDemoService } from './demo-service.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';

const DAY_MS = 86_400_000;

onBothDatabases('what signed-in users change', changes);

describe('changes by signed-in users, in processes that share a Redis', () => {
  const redis = useRedis();

  it('are counted together', async () => {
    const settings = { CALLER_LIMIT_PER_MINUTE: '3', REDIS_URL: redis.url, ENDPOINTS_DIR: FEW_ENDPOINTS };
    const begin = () => startDemoService(settings, { timeouts: { redisMs: LIMIT_MS, redisConnectMs: LIMIT_MS } });
    const [one, other] = await Promise.all([begin(), begin()]);
    try {
      const path = '/user/email-updates/';
      const statuses = [
        ...(await statusesOf(one, 'alice', [path, path])),
        ...(await statusesOf(other, 'alice', [path, path])),
      ];
      expect(statuses).to.deep.equal([200, 200, 200, 429]);
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });
});

function changes(environment: () => Record<string, string>): void {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('have a limit per user and minute, which counts failed changes, too', async () => {
    const demo = await startDemoService({
      ...environment(),
      CALLER_LIMIT_PER_MINUTE: '4',
      ENDPOINTS_DIR: FEW_ENDPOINTS,
    });
    try {
      expect(await statusesOf(demo, 'alice', [...CHANGES, '/user/email-updates/'])).to.deep.equal([
        ...[200, 404, 400, 200],
        429,
      ]);
      const rejected = await demo.as('alice', '/user/email-updates/', put({ enable: true }));
      const { status, code, detail } = (await rejected.json()) as Record<string, unknown>;
      const seconds = Number(rejected.headers.get('retry-after'));
      expect(seconds).to.be.within(1, 60);
      expect({ status, code, detail }).to.deep.equal({
        status: 429,
        code: 'rate_limited',
        detail: `The request exceeds the limit of 4 changes per minute of one user; retry in ${seconds} s.`,
      });
      expect((await demo.as('alice', '/user/')).status).to.equal(200);
      expect(await statusesOf(demo, 'bob', CHANGES)).to.deep.equal([200, 404, 400, 200]);
      expect((await demo.get('/user/email-updates/', put({ enable: true }))).status).to.equal(401);
    } finally {
      await demo.close();
    }
  });

  it('are deleted from the log of changes when they are old enough', async () => {
    const { database, state, close } = await opened({ DATA_DIR: folder, ...environment() });
    try {
      const before = new Date('2026-03-01T00:00:00Z');
      await noteAll(state, before, -1_201, -1);
      await noteAll(state, before, 0, 2);
      const stopped = AbortSignal.abort();
      expect(await deleteOldAuditEntries(state, before, stopped)).to.equal(500);
      expect(await deleteOldAuditEntries(state, before)).to.equal(701);
      expect(await readNewestAuditEntries(database, 10_000)).to.deep.equal(
        [2, 1, 0].map((second) => ({
          at: `2026-03-01T00:00:0${second}Z`,
          actor: 'user 1',
          action: 'subscribe',
          subject: `repository ${second}`,
          detail: '',
        })),
      );
      expect(await deleteOldAuditEntries(state, before)).to.equal(0);
      expect(await deleteOldAuditEntries(state, new Date('2026-03-01T00:00:03Z'))).to.equal(3);
      expect(await readNewestAuditEntries(database, 10_000)).to.deep.equal([]);
    } finally {
      await close();
    }
  });

  it('are deleted by a service after the time of its setting', async () => {
    const settings = { DATA_DIR: folder, PORT: '0', ENDPOINTS_DIR: FEW_ENDPOINTS, ...environment() };
    const warehouse = await opened(settings);
    await noteAll(warehouse.state, new Date(SYSTEM_TIME.getTime() - 10 * DAY_MS), 1, 1);
    await noteAll(warehouse.state, new Date(SYSTEM_TIME.getTime() - 30 * DAY_MS), 2, 2);
    const kept = async () => (await readNewestAuditEntries(warehouse.database, 10)).map(({ subject }) => subject);
    try {
      await serving({ ...settings, AUDIT_KEEP_DAYS: '0' }, warehouse, async () => {
        expect(await kept()).to.deep.equal(['repository 1', 'repository 2']);
      });
      await serving({ ...settings, AUDIT_KEEP_DAYS: '20' }, warehouse, async (log) => {
        await eventually(() => log.length > 0);
        expect(log).to.deep.equal([[1, 'old changes were deleted']]);
      });
      expect(await kept()).to.deep.equal(['repository 1']);
    } finally {
      await warehouse.close();
    }
  });
}

/** Four requests for changes: a successful one, one for an unknown repository, one with an invalid parameter, and one without an effect. */
const CHANGES = [
  '/user/email-updates/',
  '/repos/unknown/nothing/subscribe/',
  '/user/email-updates/?x=1',
  '/user/email-updates/',
];

function put(body: unknown): RequestInit {
  return { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

async function statusesOf(demo: DemoService, login: string, paths: readonly string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const path of paths) statuses.push((await demo.as(login, path, put({ enable: true }))).status);
  return statuses;
}

type OpenedWarehouse = Warehouse & { readonly state: StateStore };

/** Opens a warehouse and clears its audit log, because a server still contains the log of the previous test. */
async function opened(environment: Readonly<Record<string, string>>): Promise<OpenedWarehouse> {
  const settings = readSettings(environment);
  const file = databaseFile(settings);
  await (file === undefined ? copyEmptyTables(settings.databaseUrl ?? '') : copyEmptyFile(file));
  const warehouse = await openWarehouse(settings, PATIENT);
  if (warehouse.state === undefined) throw new Error('There is no state.');
  await deleteOldAuditEntries(warehouse.state, new Date('9999-01-01'));
  return { ...warehouse, state: warehouse.state };
}

/** Writes one log entry per second, from `from` to `to` seconds after `moment`. */
async function noteAll(state: StateStore, moment: Date, from: number, to: number): Promise<void> {
  await state.transaction(async (tables) => {
    for (let second = from; second <= to; second += 1) {
      const at = new Date(moment.getTime() + second * 1_000);
      await writeAuditEntry(tables, { at, actor: 'user 1', action: 'subscribe', subject: `repository ${second}` });
    }
  });
}

/** Runs a service on the warehouse during `work`. `log` contains the lines of the service log about the audit log. */
async function serving(
  environment: Readonly<Record<string, string>>,
  warehouse: Warehouse,
  work: (log: readonly unknown[]) => Promise<void>,
): Promise<void> {
  const log: unknown[] = [];
  const write = (line: string) => {
    const { forgotten, msg } = JSON.parse(line) as Record<string, unknown>;
    if (/changes/.test(String(msg))) log.push([forgotten, msg]);
  };
  const logger = pino({ level: 'info' }, { write });
  const role = { systemClock: () => SYSTEM_TIME };
  const service = await startService(readSettings(environment), warehouse, logger, TIMEOUTS, role);
  try {
    await work(log);
  } finally {
    await service.close();
  }
}
