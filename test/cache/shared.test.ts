import { expect } from 'chai';
import { Redis } from 'ioredis';
import { eventually } from '../services/eventually.js';
import { useMysql } from '../services/mysql.js';
import { needRedis, type PrivateRedis, startRedis } from '../services/redis.js';
import { startTcpProxy, type TcpProxy } from '../services/tcp-proxy.js';
import { type CachedService, NAMES, nameOf, startCachedService } from './cached-service.js';

const MISS = 'fwd=miss; stored';
const SHARED_HIT = 'hit; detail=redis';
/** A longer limit, because on a busy machine, a service with the usual limit would stop waiting for Redis. */
const PATIENT = { redisMs: 600_000 };

describe('answers in Redis', () => {
  needRedis();
  const server = useMysql();
  const services: CachedService[] = [];
  let redis: PrivateRedis;
  let client: Redis;
  let proxy: TcpProxy | undefined;
  let isStopped = false;
  /** Services with the same settings, for tests that need no others. */
  const all: CachedService[] = [];
  before(async () => {
    redis = await startRedis();
    // One after the other, because the first one creates the tables.
    while (all.length < 3) all.push(await create());
  });
  beforeEach(async () => {
    client = new Redis(redis.url, { maxRetriesPerRequest: null });
    client.on('error', () => {});
    await client.flushdb();
  });
  afterEach(async () => {
    client.disconnect();
    await Promise.all(services.splice(0).map((service) => service.close()));
    await proxy?.close();
    proxy = undefined;
    if (isStopped) await redis.restart();
    isStopped = false;
  });
  after(async () => {
    await Promise.all(all.map((service) => service.close()));
    await redis?.remove();
  });

  const create = (environment: Readonly<Record<string, string>> = {}, timeouts = PATIENT) =>
    startCachedService(
      [NAMES],
      { ...server.environment, REDIS_URL: redis.url, CACHE_MEMORY: '0', ...environment },
      timeouts,
    );
  /** Creates a service that ends with the test. */
  const start = async (...settings: Parameters<typeof create>) => {
    const service = await create(...settings);
    services.push(service);
    return service;
  };
  const stopRedis = async () => {
    isStopped = true;
    await redis.stop();
  };
  const two = () => all as unknown as readonly [CachedService, CachedService];
  const storedKeys = () => client.keys('repo-insight:answer:*');
  const isStored = async () => (await storedKeys()).length > 0;
  const queriesOf = (all: readonly CachedService[]) =>
    all
      .map(({ service }) => service.cache.counts())
      .reduce((sum, { misses, collapsed }) => sum + misses - collapsed, 0);

  it('are used by other processes, until a commit of any process changes their tables', async () => {
    const [one, other] = two();
    const first = await one.ask('/v1/cached/names/?least=1');
    await eventually(isStored);
    const second = await other.ask('/v1/cached/names/?least=1');
    expect([first.cache, second.cache, second.text]).to.deep.equal([MISS, SHARED_HIT, first.text]);
    await one.rename(1, 'renamed by one');
    const newest = { headers: { 'Cache-Control': 'no-cache' } };
    expect(nameOf(await other.ask('/v1/cached/names/?least=1', newest), 1)).to.equal('renamed by one');
    await other.rename(1, 'renamed by other');
    expect(nameOf(await one.ask('/v1/cached/names/?least=1', newest), 1)).to.equal('renamed by other');
    // The next tests need services that know the newest version.
    for (const service of all) await service.ask('/v1/cached/names/?least=1', newest);
  });

  it('are computed once for many clients of several processes', async () => {
    const before = queriesOf(all);
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => all[index % all.length]?.ask('/v1/cached/names/?least=2')),
    );
    expect(new Set(answers.map((answer) => answer?.text))).to.have.length(1);
    expect(queriesOf(all) - before).to.equal(1);
  });

  it('are computed by another process if the one that computes them ends', async () => {
    const [one, other] = two();
    await one.ask('/v1/cached/names/?least=3');
    await eventually(isStored);
    const [key = ''] = await storedKeys();
    const lease = key.replace('answer:', 'answer-lease:');
    await client.flushdb();
    // Simulates a process that took the lease and then ended, so that the lease is not extended.
    await client.set(lease, 'the token of a process that ended', 'PX', 500);
    expect((await other.ask('/v1/cached/names/?least=3')).cache).to.equal(MISS);
    await client.flushdb();
    await client.rpush(lease, 'a list that never expires');
    expect((await other.ask('/v1/cached/names/?least=3')).cache).to.equal(MISS);
  });

  it('are computed by one of the waiting processes if the one that computes them ends', async () => {
    await all[0]?.ask('/v1/cached/names/?least=3');
    await eventually(isStored);
    const [key = ''] = await storedKeys();
    await client.flushdb();
    await client.set(key.replace('answer:', 'answer-lease:'), 'the token of a process that ended', 'PX', 1_000);
    const before = queriesOf(all);
    const answers = await Promise.all(all.map((service) => service.ask('/v1/cached/names/?least=3')));
    expect(new Set(answers.map(({ text }) => text))).to.have.length(1);
    expect(queriesOf(all) - before).to.equal(1);
  });

  it('are computed by each process, without a wait for the others, if they are too large for Redis', async () => {
    const limited = [await start({ CACHE_REDIS_MEMORY: '1kB' }), await start({ CACHE_REDIS_MEMORY: '1kB' })];
    const [first] = await Promise.all(limited.map((service) => service.ask('/v1/cached/names/?least=3')));
    expect([first?.status, queriesOf(limited), await isStored()]).to.deep.equal([200, 2, false]);
    await eventually(async () => {
      await limited[0]?.ask('/v1/cached/names/?least=3');
      const leases = await client.keys('repo-insight:answer-lease:*');
      const tokens = await Promise.all(leases.map((key) => client.get(key)));
      return tokens.length === 1 && tokens[0] === '';
    });
  });

  it('are replaced if other values are under their keys', async () => {
    const [service] = two();
    const path = '/v1/cached/names/?least=4';
    const { text } = await service.ask(path);
    const damage: ((key: string) => Promise<unknown>)[] = [
      (key) => client.set(key, 'no answer'),
      (key) => client.set(key, ''),
      async (key) => client.set(key, (await client.getBuffer(key))?.subarray(0, -1) ?? ''),
      (key) => client.setrange(key, 200, 'x'),
      (key) => client.del(key).then(() => client.hset(key, 'field', 'value')),
      (key) => client.del(key).then(() => client.sadd(key, 'member')),
    ];
    for (const replaceValue of damage) {
      await eventually(async () => (await service.ask(path)).cache === SHARED_HIT);
      for (const key of await client.keys('repo-insight:answer*')) {
        if (key.includes('answer:')) await replaceValue(key);
        else await client.set(key, 'another type');
      }
      const answer = await service.ask(path);
      expect([answer.cache, answer.body.data.rows]).to.deep.equal([MISS, JSON.parse(text).data.rows]);
    }
    await eventually(async () => (await service.ask(path)).cache === SHARED_HIT);
  });

  it('are limited by a budget, and the least recently stored answers are removed', async () => {
    const service = await start({ CACHE_REDIS_MEMORY: '40kB' });
    for (let least = 0; least < 60; least += 1) await service.ask(`/v1/cached/names/?least=${least}`);
    await eventually(async () => (await service.ask('/v1/cached/names/?least=59')).cache === SHARED_HIT);
    const sizes = await Promise.all((await storedKeys()).map((key) => client.strlen(key)));
    expect(sizes.reduce((sum, size) => sum + size)).to.be.within(20_000, 40_000);
    expect(sizes.length).to.equal(await client.zcard('repo-insight:answers:index'));
    expect((await service.ask('/v1/cached/names/?least=0')).cache).to.equal(MISS);
  });

  it('are removed in the order of their last use, also within a second', async () => {
    const [service] = two();
    const ids = () => client.zrange('repo-insight:answers:index', '0', '-1');
    const used: string[] = [];
    const store = async (least: number) => {
      await service.ask(`/v1/cached/names/?least=${least}`);
      await eventually(async () => (await ids()).length > used.length);
      used.push(...(await ids()).filter((id) => !used.includes(id)));
    };
    for (let least = 0; least < 12; least += 1) await store(least);
    expect(await ids()).to.deep.equal(used);
    const first = used.shift() ?? '';
    // Only a sample of the hits is recorded.
    await eventually(async () => {
      await service.ask('/v1/cached/names/?least=0');
      return (await ids()).at(-1) === first;
    });
    used.push(first);
    await store(12);
    expect(await ids()).to.deep.equal(used);
  });

  it('are not needed: requests are answered if Redis is unreachable, full, flushed or stopped', async () => {
    await stopRedis();
    const service = await start();
    const ask = async () => {
      const { status, cache } = await service.ask('/v1/cached/names/?least=5');
      return [status, cache?.replace('; stored', '')];
    };
    expect(await ask()).to.deep.equal([200, 'fwd=miss']);
    await redis.restart();
    await eventually(async () => (await ask())[1] === SHARED_HIT);
    await client.config('SET', 'maxmemory', '1');
    expect((await service.ask('/v1/cached/names/?least=6')).status).to.equal(200);
    // A full Redis cannot count requests, so the service removes its cached answers.
    await eventually(async () => !(await isStored()));
    expect(await ask()).to.deep.equal([200, 'fwd=miss']);
    expect(await ask()).to.deep.equal([200, 'fwd=miss']);
    await stopRedis();
    expect(await ask()).to.deep.equal([200, 'fwd=miss']);
    expect(service.log.filter(({ msg }) => /Redis/.test(String(msg))).map(({ msg }) => msg)).to.deep.equal([
      'Redis is unavailable; requests are counted in memory until it is back',
      'Redis is back',
      'Redis is unavailable; requests are counted in memory until it is back',
    ]);
  });

  it('do not delay requests for longer than the silence limit if Redis stalls', async () => {
    proxy = await startTcpProxy(redis.port);
    const service = await start({ REDIS_URL: `redis://127.0.0.1:${proxy.port}` }, { redisMs: 300 });
    await service.ask('/v1/cached/names/?least=6');
    await eventually(async () => (await service.ask('/v1/cached/names/?least=6')).cache === SHARED_HIT);
    proxy.stall();
    const statuses = new Set<number>();
    for (let time = 0; time < 3; time += 1) {
      statuses.add((await service.ask(`/v1/cached/names/?least=${100 + time}`)).status);
    }
    expect([...statuses]).to.deep.equal([200]);
    proxy.resume();
  });
});
