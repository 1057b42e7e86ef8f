import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { startService } from '../../server/service.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { openWarehouse } from '../../server/warehouse.js';
import { runProcess } from '../cli/command-line.js';
import { errorOf } from '../databases/failures.js';
import { eventually } from '../services/eventually.js';

describe('a service that cannot start', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('leaves nothing that keeps its process running', async () => {
    await writeFile(join(folder, 'jwt-secret'), 'half of it');
    const environment = { DATA_DIR: folder, DATABASE_URL: `duckdb:${join(folder, 'x.duckdb')}`, PORT: '0' };
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
    const settings = readSettings({ DATA_DIR: folder, PORT: '0', REDIS_URL: `redis://127.0.0.1:${port}` });
    const warehouse = await openWarehouse(settings, { migrating: true });
    const wrong = { ...settings, trustedProxies: 'no address' };
    const error = await errorOf(startService(wrong, warehouse, pino({ level: 'silent' })));
    expect(error.message).to.include('no address');
    await eventually(20_000, async () => connections.size === 0);
    redis.close();
    await warehouse.close();
  });
});
