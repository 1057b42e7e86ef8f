import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { openWarehouse } from '../../server/databases/open-database.js';
import { requireStore, type Warehouse } from '../../server/databases/warehouse.js';
import { startService } from '../../server/service.js';
import { databaseFile } from '../../server/settings/database-location.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { ageOfRefresh, markOutdated } from '../../warehouse/derived/refresh-as-of.js';
import type { Tables } from '../../warehouse/store/store.js';
import { runProcess } from '../cli/command-line.js';
import { errorOf } from '../databases/failures.js';
import { eventually } from '../services/eventually.js';
import { copyEmptyFile } from './demo-data.js';
import { FEW_ENDPOINTS } from './few-endpoints.js';

describe('a service that cannot start', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('leaves nothing that keeps its process running', async () => {
    await writeFile(join(folder, 'jwt-secret'), 'half of it');
    const file = join(folder, 'x.duckdb');
    await copyEmptyFile(file);
    const environment = { DATA_DIR: folder, DATABASE_URL: `duckdb:${file}`, PORT: '0', ENDPOINTS_DIR: FEW_ENDPOINTS };
    const { code, err } = await runProcess(['serve'], { environment });
    expect(code).to.equal(2);
    expect(err).to.include('is damaged');
  });

  it('leaves no connection open', async () => {
    const connections = new Set<Socket>();
    const redis = createServer((socket) => {
      connections.add(socket);
      socket.on('error', () => undefined).on('close', () => connections.delete(socket));
      socket.resume();
    });
    redis.listen(0, '127.0.0.1');
    await once(redis, 'listening');
    const { port } = redis.address() as AddressInfo;
    const REDIS_URL = `redis://127.0.0.1:${port}`;
    const settings = readSettings({ DATA_DIR: folder, PORT: '0', REDIS_URL, ENDPOINTS_DIR: FEW_ENDPOINTS });
    await copyEmptyFile(databaseFile(settings) ?? '');
    const warehouse = await openWarehouse(settings, { migrating: true });
    const wrong = { ...settings, trustedProxies: 'no address' };
    const error = await errorOf(startService(wrong, warehouse, pino({ level: 'silent' })));
    expect(error.message).to.include('no address');
    await eventually(async () => connections.size === 0);
    redis.close();
    await warehouse.close();
  });
});

describe('the trends at the start of a service', () => {
  let folder: string;
  let warehouse: Warehouse;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
    const settings = readSettings({ DATA_DIR: folder });
    await copyEmptyFile(databaseFile(settings) ?? '');
    warehouse = await openWarehouse(settings, { migrating: true });
  });
  after(async () => {
    await warehouse.close();
    await rm(folder, { recursive: true });
  });

  /** Starts and stops a service. Returns the number of trending repositories before and after the start. */
  const countAt = async (now: string, work: (tables: Tables) => Promise<void> = async () => undefined) => {
    const settings = readSettings({ DATA_DIR: folder, PORT: '0', NOW: now, ENDPOINTS_DIR: FEW_ENDPOINTS });
    const store = requireStore(warehouse);
    await store.write(work);
    const count = () => store.write((tables) => tables.rows('SELECT COUNT(*) FROM mv_trending_repos'));
    const before = await count();
    const service = await startService(settings, warehouse, pino({ level: 'silent' }));
    const counts = [...before, ...(await count())].flat();
    await service.close();
    return counts;
  };
  const addRow = (tables: Tables) =>
    tables.insertRows('mv_trending_repos', [
      ['All', 'past_week', '2026-06-30 12:00:00', 1, 1, 1, null, null, '1.0000', null],
    ]);

  it('stay as an earlier service has computed them for an hour, unless the tables have changed since then', async () => {
    expect(await countAt('2026-06-30T12:00:00Z', addRow)).to.deep.equal([1, 0]);
    expect(await countAt('2026-06-30T12:30:00Z', addRow)).to.deep.equal([1, 1]);
    expect(await countAt('2026-06-30T13:00:00Z')).to.deep.equal([1, 0]);
    // Without an age, a service computes the trends as at the first start.
    const ageAt = (now: string) => ageOfRefresh(warehouse.database, new Date(now));
    expect(await ageAt('2026-06-30T13:00:00Z')).to.equal(0);
    expect(await ageAt('2026-06-30T12:30:00Z')).to.equal(undefined);
    await requireStore(warehouse).write(markOutdated);
    expect(await ageAt('2026-06-30T13:00:00Z')).to.equal(undefined);
  });
});
