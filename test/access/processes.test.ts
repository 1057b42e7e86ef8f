import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { listening, run, startHere, stopAll } from '../cli/command-line.js';
import { eventually } from '../services/eventually.js';
import { useRedis } from '../services/redis.js';
import { createKey, writeTenants } from './tenants.js';

const limitedDefinition = (name: string, access: string) => `name: ${name}
path: /v1/${name}/
access: ${access}
summary: Countries
columns: [{ col: code, data_type: VARCHAR, nullable: true, description: C. }]
sql: SELECT code FROM countries ORDER BY code
limits: { requests: 3/day }
`;

describe('API keys of two services with one Redis', () => {
  const redis = useRedis();
  let folder: string;
  let urls: readonly string[];
  before(async () => {
    // The path is short, because the name of a socket has a limit.
    folder = await mkdtemp(join(tmpdir(), 'keys-'));
    await writeTenants(folder);
    for (const [name, access] of [
      ['few', 'key'],
      ['few-for-all', 'public'],
    ])
      await writeFile(join(folder, 'endpoints', `${name}.yaml`), limitedDefinition(`${name}`, `${access}`));
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

  it('are ignored until the first one is created, and then rejected with the headers of the limits', async () => {
    const ask = async (path: string) => {
      const { status, headers } = await fetch(`${urls[0]}${path}`, { headers: { 'X-API-Key': 'of a proxy' } });
      return [status, headers.get('x-ratelimit-limit')];
    };
    expect([await ask('/q/open'), await ask('/q/orders')]).to.deep.equal([
      [200, '600'],
      [401, '600'],
    ]);
    await createKey(folder, ['first', '--scope', '*']);
    await eventually(async () => (await ask('/q/open'))[0] === 401);
    expect(await ask('/q/open')).to.deep.equal([401, '600']);
  });

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
    // The counts of both services are added.
    const { out } = await run(['keys', 'list', '--json'], { cwd: folder });
    const [used] = (JSON.parse(out) as Record<string, unknown>[]).filter(({ name }) => name === 'limited');
    expect(used).to.deep.include({ requests: 30, limited: 23, failed: 0 });
  });

  it('report their limits in one header each, also for answers in memory', async () => {
    const { secret } = await createKey(folder, ['reported', '--scope', '*', '--per-minute', '60']);
    for (const remaining of ['59', '58']) {
      const { headers } = await fetch(`${urls[0]}/q/open`, { headers: { 'X-API-Key': secret } });
      const names = ['limit', 'remaining', 'limit-minute', 'remaining-minute'];
      expect(names.map((name) => headers.get(`x-ratelimit-${name}`))).to.deep.equal([null, null, '60', remaining]);
    }
  });

  it('allow exactly the requests of a definition with a limit, for each caller and over all ways', async () => {
    const keys = await Promise.all(
      ['one', 'two'].map(async (name) => (await createKey(folder, [name, '--scope', 'few'])).secret),
    );
    const ask = async (path: string, index: number, secret?: string) => {
      const headers = secret === undefined ? undefined : { 'X-API-Key': secret };
      const response = await fetch(`${urls[index % 2]}${path}`, headers && { headers });
      return [response.status, response.ok ? '' : await response.text()] as const;
    };
    for (const secret of keys) {
      const answers = [];
      for (const [index, path] of [
        '/v1/few/',
        '/q/few.csv',
        '/q/explain/few/',
        '/v1/few/',
        '/q/few',
        '/e/few.svg',
      ].entries())
        answers.push(await ask(path, index, secret));
      expect(answers.map(([status]) => status)).to.deep.equal([200, 200, 200, 429, 429, 429]);
      expect(answers[4]?.[1]).to.contain('the limit of 3 requests in 86400 s of one caller for few');
    }
    // Requests without access do not count for the definition.
    const denied = await Promise.all([0, 1, 2, 3, 4].map(async (index) => (await ask('/v1/few/', index))[0]));
    expect(denied).to.deep.equal([401, 401, 401, 401, 401]);
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => (await ask('/v1/few-for-all/', index))[0]),
    );
    expect(statuses.sort()).to.deep.equal([200, 200, 200, 429, 429, 429, 429, 429]);
  });

  it('are the only credentials of an API without an issuer of tokens', async () => {
    const response = await fetch(`${urls[0]}/v1/orders/`, { headers: { Authorization: 'Bearer a.b.c' } });
    const { data } = (await response.json()) as { data: { result: { error: string; message: string } } };
    expect([response.status, data.result.error, data.result.message]).to.deep.equal([
      401,
      'credential_invalid',
      'This service accepts API keys only: no issuer of tokens is configured.',
    ]);
    expect(await readdir(join(folder, '.repo-insight'))).not.to.contain('jwt-secret');
  });

  it('are rejected by both services after their revocation, also if the answer is in memory and in Redis', async () => {
    const { secret } = await createKey(folder, ['revoked', '--scope', '*', '--claim', 'tenant=acme']);
    expect(await statusesOf(secret, 4)).to.deep.equal([200, 200, 200, 200]);
    await run(['keys', 'revoke', 'revoked', '--yes'], { cwd: folder });
    await eventually(async () => (await statusesOf(secret, 2)).every((status) => status === 401));
    expect(await statusesOf(secret, 4)).to.deep.equal([401, 401, 401, 401]);
  });
});
