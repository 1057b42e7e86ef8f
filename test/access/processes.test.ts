import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { listening, run, startHere, stopAll } from '../cli/command-line.js';
import { eventually } from '../services/eventually.js';
import { useRedis } from '../services/redis.js';
import { createKey, writeTenants } from './tenants.js';

describe('API keys of two services with one Redis', () => {
  const redis = useRedis();
  let folder: string;
  let urls: readonly string[];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-keys-'));
    await writeTenants(folder);
    const environment = { PORT: '0', LOG_LEVEL: 'silent', REDIS_URL: redis.url };
    urls = await Promise.all([1, 2].map(() => listening(startHere(['serve'], { cwd: folder, environment }))));
  });
  after(async () => {
    stopAll();
    await rm(folder, { recursive: true });
  });

  const statusesOf = (secret: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const response = await fetch(`${urls[index % 2]}/v1/orders/`, { headers: { 'X-API-Key': secret } });
        await response.arrayBuffer();
        return response.status;
      }),
    );

  it('allow exactly the requests of the key, over both services', async () => {
    const { secret } = await createKey(folder, [
      'limited',
      '--scope',
      'orders',
      '--claim',
      'tenant=acme',
      '--per-minute',
      '7',
    ]);
    const statuses = await statusesOf(secret, 30);
    const countOf = (status: number) => statuses.filter((one) => one === status).length;
    expect([countOf(200), countOf(429)]).to.deep.equal([7, 23]);
  });

  it('are rejected by both services after their revocation, also if the answer is in memory and in Redis', async () => {
    const { secret } = await createKey(folder, ['revoked', '--scope', '*', '--claim', 'tenant=acme']);
    expect(await statusesOf(secret, 4)).to.deep.equal([200, 200, 200, 200]);
    await run(['keys', 'revoke', 'revoked', '--yes'], { cwd: folder });
    await eventually(async () => (await statusesOf(secret, 2)).every((status) => status === 401));
    expect(await statusesOf(secret, 4)).to.deep.equal([401, 401, 401, 401]);
  });
});
