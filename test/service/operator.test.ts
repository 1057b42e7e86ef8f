import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { operatorOperation } from '../../app-routes/console/operator.js';
import type { OperatorStatus } from '../../app-routes/console/operator-status.js';
import type { PersonalRequest } from '../../engine/http/operations/operation.js';
import { SERVICE } from '../../engine/http/package-root.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import { QueryMetrics } from '../../server/metrics/request-metrics.js';
import { readProcess } from '../../server/metrics/service-metrics.js';
import { databaseFile } from '../../server/settings/database-location.js';
import { readSettings } from '../../server/settings/read-settings.js';
import type { Store } from '../../warehouse/store/store.js';
import { fileOf, keyOf } from '../accounts/keys.js';
import { copyEmptyFile } from './demo-data.js';
import { createUsers, type DemoService, SYSTEM_TIME, startDemoService } from './demo-service.js';

const VALID = `name: days
summary: Days
columns:
  - { col: days, data_type: BIGINT, nullable: false, description: Number of days }
sql: SELECT COUNT(*) AS days FROM calendar_days
`;

describe('the state for operators', () => {
  let folder: string;
  let demo: DemoService;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-operator-'));
    await writeFile(join(folder, 'days.yaml'), VALID);
    for (let number = 10; number < 22; number += 1) {
      await writeFile(join(folder, `broken-${number}.yaml`), `name: broken-${number}\nsql: SELECT 'secret-word'\n`);
    }
    const prepare = (store: Store) =>
      store.write((tables) =>
        tables.insertRows('mv_event_shares', [
          ['WatchEvent', '2026-04-01', 50_000, '0.7300', 2, 41, 1000, 1, '4.1 % in 2026-04'],
          ['ForkEvent', '2026-05-01', 50_000, '0.7300', 0, 0, 0, 1, '2026-05'],
          ['PushEvent', '2026-05-01', 50_000, '0.7300', 0, 0, 0, 0, '2026-05'],
        ]),
      );
    demo = await startDemoService({ ENDPOINTS_DIR: folder }, { prepare });
    await demo.as('otto', '/user/');
    const users = createUsers(demo.database, demo.state);
    const [user] = await users.findByLogin('otto');
    await users.setTrusted(user?.id ?? 0, true, SYSTEM_TIME);
  });
  after(async () => {
    await demo?.close();
    await rm(folder, { recursive: true });
  });

  const status = async (): Promise<OperatorStatus> => {
    const response = await demo.as('otto', '/console/operator/');
    expect([response.status, response.headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
    return (await response.json()) as OperatorStatus;
  };

  it('is for trusted users only', async () => {
    const answers = [await demo.get('/console/operator/'), await demo.as('anna', '/console/operator/')];
    const codes = answers.map(async (response) => [
      response.status,
      ((await response.json()) as { code: string }).code,
    ]);
    expect(await Promise.all(codes)).to.deep.equal([
      [401, 'credential_missing'],
      [403, 'not_trusted'],
    ]);
  });

  it('names the process, its parts, the imports, the gaps and the partial months', async () => {
    const { process: own, health, imports, follow } = await status();
    expect(follow).to.equal(null);
    expect(own).to.deep.include({ pid: process.pid, worker: null, workers: null, version: SERVICE.version });
    expect(Date.parse(own.startedAt)).to.be.closeTo(Date.parse(readProcess().startedAt), 60_000);
    expect(health).to.deep.equal({ database: true, redis: null, shadow: null });
    const { rows } = await demo.database.query(
      demo.database.prepare('SELECT COUNT(*), SUM(events) FROM import_files'),
      [],
      { maxRows: 1, timeoutMs: 5_000 },
    );
    expect(imports?.files).to.equal(Number(rows[0]?.[0]));
    const listed = imports?.newestFiles.reduce((sum, { events }) => sum + events, 0);
    expect(listed).to.equal(Number(rows[0]?.[1]));
    expect(imports?.newestEventAt).to.match(/^2026-06-30T1[01]:/);
    expect(imports?.lagMs).to.be.within(1, 2 * 3_600_000);
    expect(imports?.newestPartialMonths).to.deep.equal([
      { type: 'ForkEvent', month: '2026-05', events: 50_000, share: null, repositories: 0 },
      { type: 'WatchEvent', month: '2026-04', events: 50_000, share: 0.041, repositories: 2 },
    ]);
  });

  it('counts the answers of the cache and the queries of each definition', async () => {
    const before = await status();
    for (let time = 0; time < 3; time += 1) expect((await demo.get('/q/days')).status).to.equal(200);
    const { cache, queries } = await status();
    const sourcesOf = ({ memory, redis, computed, coalesced, bypassed, stale }: OperatorStatus['cache']) => [
      memory,
      redis,
      computed,
      coalesced,
      bypassed,
      stale,
    ];
    const moved = sourcesOf(cache).map((count, at) => count - (sourcesOf(before.cache)[at] ?? 0));
    expect(moved).to.deep.equal([2, 0, 1, 0, 0, 0]);
    expect(cache.entries).to.equal(before.cache.entries + 1);
    expect(queries.slowest.map(({ operation, queries: count, failed }) => [operation, count, failed])).to.deep.equal([
      ['days', 1, 0],
    ]);
    expect(queries).to.deep.include({ isBreakerOpen: false, running: 0, waiting: 0 });
  });

  it('lists the API keys with the most requests', async () => {
    const { key, secret } = keyOf('0000000a', { requestsPerMinute: 2 });
    await writeFile(join(demo.folder, 'keys.json'), fileOf(key));
    for (const expected of [200, 200, 429]) {
      const { status: sent } = await demo.get('/q/days', { headers: { 'X-API-Key': secret } });
      expect(sent).to.equal(expected);
    }
    expect((await status()).keys).to.deep.equal([
      { id: '0000000a', name: 'key 0000000a', requests: 3, limited: 1, failed: 0 },
    ]);
    await writeFile(join(demo.folder, 'keys.json'), 'damaged');
    expect((await status()).keys).to.deep.equal([{ id: '0000000a', name: null, requests: 3, limited: 1, failed: 0 }]);
    await rm(join(demo.folder, 'keys.json'));
  });

  it('lists at most ten problems of definitions, with their places and without SQL', async () => {
    const { definitions } = await status();
    const { problems, ...counts } = definitions;
    expect(counts).to.deep.equal({
      served: 1,
      broken: 12,
      outdated: 0,
      canaries: 0,
      reloads: { succeeded: 0, problems: 0, failed: 0 },
    });
    expect(problems.map(({ name, state }) => [name, state])).to.deep.equal(
      Array.from({ length: 10 }, (_, at) => [`broken-${at + 10}`, 'broken']),
    );
    for (const { problem } of problems) expect(problem).to.match(/^broken-\d\d\.yaml:\d+:\d+ /);
    expect(JSON.stringify(definitions)).to.not.include('secret-word');
  });

  it('says when a reload keeps the last good version', async () => {
    await writeFile(join(folder, 'days.yaml'), VALID.replace('calendar_days', ''));
    await demo.service.definitions.reload();
    const { definitions } = await status();
    expect(definitions).to.deep.include({ served: 1, outdated: 1, reloads: { succeeded: 0, problems: 1, failed: 0 } });
    await writeFile(join(folder, 'days.yaml'), VALID);
    await demo.service.definitions.reload();
  });

  it('still answers, and says so, when the database does not answer', async () => {
    const settings = readSettings({ DATA_DIR: join(folder, 'closed') });
    await copyEmptyFile(databaseFile(settings) ?? '');
    const { database, close } = await openWarehouse(settings, { migrating: false });
    await close();
    const { cache, definitions } = demo.service;
    const reported: unknown[] = [];
    const { handle } = operatorOperation({
      process: () => readProcess(),
      report: (error) => void reported.push(error),
      health: { database, redis: undefined, shadow: undefined },
      engine: { load: { running: 0, waiting: 0 } },
      queries: new QueryMetrics(() => true, 0),
      keys: async () => [],
      definitions: () => definitions.state(),
      reloads: () => ({ succeeded: 0, problems: 0, failed: 0 }),
      tracking: () => null,
      clock: () => SYSTEM_TIME,
      ...{ database, cache },
    });
    const { body } = await handle({ now: SYSTEM_TIME } as PersonalRequest);
    const { health, imports, importsFailure } = body as OperatorStatus;
    expect({ health, imports, importsFailure }).to.deep.equal({
      health: { database: false, redis: null, shadow: null },
      imports: null,
      importsFailure: 'The database is unavailable.',
    });
    expect(reported).to.have.length(1);
  });
});
