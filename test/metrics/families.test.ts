import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Logger, pino } from 'pino';
import { openWarehouse } from '../../server/databases/open-database.js';
import { requireStore } from '../../server/databases/warehouse.js';
import { createLog } from '../../server/logging/log.js';
import { rollupFamilies } from '../../server/metrics/rollup-families.js';
import { startService } from '../../server/service.js';
import { readSettings } from '../../server/settings/read-settings.js';
import type { Settings } from '../../server/settings/settings.js';
import { TIMEOUTS } from '../../server/settings/timeouts.js';
import { ALL_HOURS } from '../../warehouse/derived/hours.js';
import type { Tables } from '../../warehouse/store/store.js';
import { fileOf, keyOf } from '../accounts/keys.js';
import { definition, LENIENT, NAMES } from '../cache/cached-service.js';
import { type ModelServer, startModelServer } from '../explorer/model-server.js';
import { type GitHubAnswer, rateLimitHeaders, startGitHubServer } from '../github/github-server.js';
import { answerSources } from '../github/issue-truth.js';
import { createOwnFolder, type OwnFolder } from '../live/own-folder.js';
import { createRollupApi } from '../rollups/rollup-api.js';
import { copyEmptyFile } from '../service/demo-data.js';
import { type DemoService, startDemoService } from '../service/demo-service.js';
import { eventually } from '../services/eventually.js';
import { archiveServer } from '../warehouse/archive-server.js';
import { archiveFiles, EVENTS } from '../warehouse/follow/following.js';
import { scrape, sumOf } from './scraped.js';

type Metrics = Awaited<ReturnType<typeof scrape>>;

/** A query that runs until its client disconnects. */
const ENDLESS = (name: string) =>
  definition(name, {
    more: 'limits: { timeout: 2m, concurrency: 1 }\n',
    params: '  n: { in: query, type: integer, default: 0, description: Makes requests different }\n',
    sql: `SELECT COUNT(*) AS id, 'x' AS name FROM calendar_days a JOIN calendar_days b ON a.day <> b.day
  JOIN calendar_days c ON LENGTH(DATE_FORMAT(c.day, '%Y')) + DAY(b.day) + {{ n }} > 0`,
  });
const QUESTION = 'What is the average length of a login among all pushers on weekends?';
const PREFIX = 'repo_insight_';
/** The end of the rate limit, in seconds since 1970. */
const END_OF_LIMIT = Date.parse('2099-01-01T00:00:00Z') / 1_000;

describe('each family of metrics', () => {
  let folder: string;
  let own: OwnFolder;
  let model: ModelServer;
  let demo: DemoService;
  let logger: Logger;
  let reading: number;
  const url = () => demo.service.metricsUrl ?? '';
  /** The families that a test has changed so far. */
  const moved = new Set<string>();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-metrics-'));
    own = await createOwnFolder();
    await Promise.all([
      own.write('names.yaml', NAMES),
      own.write('lenient.yaml', LENIENT),
      own.write('endless.yaml', ENDLESS('endless')),
      own.write('other.yaml', ENDLESS('other-endless')),
    ]);
    model = await startModelServer();
    // The log is a pipe without a reader, so that lines are dropped.
    const fifo = join(folder, 'log');
    execFileSync('mkfifo', [fifo]);
    reading = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
    logger = createLog(
      { logLevel: 'info' },
      { fd: openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK), isReadable: false },
    );
    const settings = {
      METRICS_PORT: '0',
      ENDPOINTS_DIR: own.path,
      VERSION_POLL_MS: '50',
      SLOW_QUERY_MS: '1',
      DATABASE_CONNECTIONS: '1',
      PLAYGROUND_PER_MINUTE: '1',
      MODEL_URL: model.url,
      MODEL_NAME: 'tester',
      GITHUB_TOKEN: 'ghp_tests',
      // No server listens at this address.
      GITHUB_API_URL: 'http://127.0.0.1:9',
    };
    demo = await startDemoService(settings, { createLogger: () => logger });
  });
  after(async () => {
    await demo?.close();
    await model?.close();
    await own?.close();
    closeSync(reading);
    await rm(folder, { recursive: true, force: true });
  });

  const get = async (path: string, init?: RequestInit) => (await fetch(demo.service.url + path, init)).arrayBuffer();
  const rename = (name: string) =>
    demo.store.write((tables) => tables.run('UPDATE collections SET name = :p1 WHERE id = 1', [name]));

  /** Defines a test that the sums of families change because of `cause`. */
  const moves = (title: string, families: readonly string[], cause: () => Promise<void>) => {
    it(`is moved by what it measures: ${title}`, async () => {
      const before = await scrape(url());
      await cause();
      for (const family of families.map((name) => PREFIX + name)) {
        await untilSum(family, (sum) => sum !== sumOf(before, family));
        moved.add(family);
      }
    });
  };

  moves(
    'requests',
    [
      ...['http_requests_total', 'http_request_duration_seconds', 'http_response_bytes_total', 'rows_returned_total'],
      ...['cache_answers_total', 'cache_entries', 'cache_bytes'],
      ...['database_query_duration_seconds', 'database_query_wait_seconds'],
    ],
    async () => {
      for (let time = 0; time < 3; time += 1) await get('/v1/cached/names/');
    },
  );

  moves('requests with an API key', ['key_requests_total'], async () => {
    const { key, secret } = keyOf('0000000a');
    await writeFile(join(demo.folder, 'keys.json'), fileOf(key));
    for (let time = 0; time < 3; time += 1) await get('/v1/cached/names/', { headers: { 'X-API-Key': secret } });
    const wrong = `${secret.slice(0, 13)}${'a'.repeat(43)}`;
    await get('/v1/cached/names/', { headers: { 'X-API-Key': wrong } });
    const series = `${PREFIX}key_requests_total{key="0000000a",operation="names",result="answered"}`;
    await eventually(async () => (await scrape(url())).get(series) === 3);
    await eventually(async () => sumOf(await scrape(url()), `${PREFIX}key_requests_total`) === 3);
    const { body } = await fetch(`${url()}/metrics`).then(async (response) => ({ body: await response.text() }));
    expect(body).not.to.contain('rik_').and.not.to.contain(key.sha256);
  });

  moves('a commit', ['cache_stale_answers_total', 'cache_events_total'], async () => {
    let renamed = 0;
    await eventually(async () => {
      await get('/v1/cached/lenient/');
      renamed += 1;
      await rename(`Renamed ${renamed} times`);
      await get('/v1/cached/lenient/');
      return sumOf(await scrape(url()), `${PREFIX}cache_stale_answers_total`) > 0;
    });
  });

  it('is moved by what it measures: requests and queries in progress, which their clients cancel', async () => {
    const clients = new AbortController();
    const { signal } = clients;
    const paths = ['endless/?n=1', 'endless/?n=2', 'other-endless/'];
    const requests = paths.map((path) => get(`/v1/cached/${path}`, { signal }).catch(() => undefined));
    const gauges = ['http_requests_in_flight', 'database_queries_waiting', 'database_queries_running'];
    for (const name of [...gauges, 'database_connection_waits']) {
      await untilSum(PREFIX + name, (sum) => sum > 0);
      moved.add(PREFIX + name);
    }
    const busy = `${PREFIX}database_connections{pool="main",state="busy"}`;
    await eventually(async () => (await scrape(url())).get(busy) === 1);
    moved.add(`${PREFIX}database_connections`);
    clients.abort();
    await Promise.all(requests);
    const series = `${PREFIX}database_query_errors_total{operation="endless",code="query_cancelled"}`;
    await eventually(async () => (await scrape(url())).get(series) === 2);
    moved.add(`${PREFIX}database_query_errors_total`);
    expect((await scrape(url())).get(`${PREFIX}slow_queries_total{operation="endless"}`)).to.be.at.least(1);
    moved.add(`${PREFIX}slow_queries_total`);
    for (const name of [...gauges, 'database_connection_waits']) {
      await untilSum(PREFIX + name, (sum) => sum === 0);
    }
    await eventually(async () => (await scrape(url())).get(busy) === 0);
  });

  moves('requests over a limit', ['rate_limited_requests_total'], async () => {
    const body = JSON.stringify({ sql: 'SELECT 1 AS one' });
    const init = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } };
    for (let time = 0; time < 2; time += 1) await get('/q/playground', init);
  });

  moves('definitions and reloads', ['endpoints', 'reloads_total'], async () => {
    await own.write('broken.yaml', 'name: broken\npath: /v1/cached/broken/\n');
    await demo.service.definitions.reload();
  });

  moves('questions', ['explorer_questions_total', 'model_tokens_total'], async () => {
    model.replyTo(QUESTION, {
      answer: {
        ...{ revisedTitle: 'Pushes', sqlCanAnswer: true, recommendedQuestions: [] },
        sql: 'SELECT COUNT(*) AS pushes FROM github_events',
        chart: { chartName: 'NumberCard', title: 'Pushes', value: 'pushes' },
      },
    });
    await askQuestion(QUESTION);
  });

  moves('questions in progress', ['explorer_questions_active', 'explorer_questions_waiting'], async () => {
    model.replyTo('with a model that stalls', { stall: 'before-headers' });
    // Four questions are prepared at the same time; the others are queued.
    for (const user of ['ada', 'bob', 'eve']) {
      for (const letter of ['x', 'y']) {
        await askQuestion(`${QUESTION.slice(0, -1)} with a model that stalls, of ${user} with ${letter}?`, user);
      }
    }
  });

  moves('failures of GitHub', ['breaker_open'], async () => {
    const [owner = '', name = ''] = demo.repository.split('/');
    const paths = [`/gh/repos/${owner}/${name}/`, ...[1, 2, 3, 4, 5].map((number) => `/gh/repos/${owner}/r${number}/`)];
    for (const path of paths) await get(path);
  });

  moves('lines that the log cannot write', ['log_lines_lost_total'], async () => {
    for (let line = 0; line < 3_000; line += 1) logger.info('x'.repeat(1_000));
  });

  it('is moved by what it measures: an archive with a missing hour that the service follows', async () => {
    const archive = await archiveServer(archiveFiles([6, 7]));
    const file = join(folder, 'followed.duckdb');
    await copyEmptyFile(file);
    const settings = readSettings({
      ...{ DATA_DIR: folder, DATABASE_URL: `duckdb:${file}`, ENDPOINTS_DIR: own.path, PORT: '0', METRICS_PORT: '0' },
      ...{ ARCHIVE_URL: archive.url, NOW: '2015-01-01T08:10:00Z', FOLLOW_ARCHIVE: '2015-01-01-5' },
    });
    const expected = {
      import_lag_seconds: 10 * 60,
      import_missing_hours: 1,
      imported_hours_total: 2,
      imported_events_total: 2 * EVENTS,
      import_problems_total: 1,
      follow_state: 1,
    };
    const waiting = `${PREFIX}follow_state{state="waiting"}`;
    await expectMoved(settings, expected, (read) => read.get(waiting) === 1).finally(() => archive.close());
  });

  it('is moved by what it measures: tracked repositories that GitHub sends in part', async () => {
    const github = await startGitHubServer();
    const file = join(folder, 'tracked.duckdb');
    await copyEmptyFile(file);
    const now = '2015-01-02T00:00:00Z';
    const settings = readSettings({
      ...{ DATA_DIR: folder, DATABASE_URL: `duckdb:${file}`, ENDPOINTS_DIR: own.path, PORT: '0', METRICS_PORT: '0' },
      ...{ NOW: now, TRACK_REPOSITORIES: 'yes', GITHUB_API_URL: github.url, GITHUB_TOKEN: 'one' },
    });
    const createdAt = Date.parse('2015-01-01T00:00:00Z');
    const truths = [7, 8].map((id) => ({ id, name: `owner/r${id}`, createdAt, stars: [], issues: [] }));
    const faults: Readonly<Record<string, GitHubAnswer>> = {
      '/repositories/8/stargazers/history': { status: 500, body: {} },
      '/repositories/8/issues': { status: 403, headers: rateLimitHeaders(0, END_OF_LIMIT), body: {} },
    };
    github.answer = (call) =>
      faults[call.path.replace(/\?.*/, '')] ?? answerSources(truths, call, { url: github.url, now: Date.parse(now) });
    const prepare = async (tables: Tables) => {
      const rows = [7, 8].map((id) => [id, `owner/r${id}`, '2015-01-01 00:00:00']);
      await tables.insertRows('sys_tracked_repos', rows);
      const read = '2015-01-01 22:00:00';
      await tables.insertRows('sys_repo_sources', [
        [8, 'repository', null, 1, null, read, read, read, 0, '', null, null],
      ]);
      await insertPartialMonth(tables);
    };
    const expected = {
      tracked_repositories: 2,
      tracked_sources_due: 1,
      tracked_sources_failing: 1,
      tracked_sources_age_seconds: 2 * 3600,
      tracking_requests_total: 7,
      github_requests_left: 0,
      archive_event_share: 0.25,
    };
    const isRead = (read: Metrics) => read.has(`${PREFIX}tracked_repositories`);
    await expectMoved(settings, expected, isRead, prepare).finally(() => github.close());
  });

  it('changes with the refreshes of materialized tables', async () => {
    const api = await createRollupApi({});
    const columns = 'columns: [{ col: id, data_type: BIGINT, nullable: false, description: Id. }]\n';
    await api.writeOrders([{ id: 1, shop: 'a', at: '2026-02-01 10:00:00', total: '1.00' }]);
    await api.define('ids', `${columns}sql: SELECT id FROM orders\nmaterialize: { every: 1h, key: [id] }\n`);
    const { work } = await api.open();
    await work.start();
    const samples = rollupFamilies(work).map(({ name, samples: read }) => [name, [...read()]] as const);
    await api.close();
    const values = Object.fromEntries(samples.map(([name, all]) => [name.slice(PREFIX.length), all.at(0)?.[1]]));
    expect(values).to.deep.include({
      rollup_refreshes_total: 1,
      rollup_refreshed_timestamp_seconds: Date.parse('2026-03-01T12:00:00Z') / 1_000,
      rollup_rows: 1,
    });
    expect(values.rollup_refresh_seconds).to.be.a('number');
    for (const [name] of samples) moved.add(name);
  });

  it('has a test that moves it', () => {
    const families = demo.service.metrics.families.map(({ name }) => name);
    expect([...moved].sort()).to.deep.equal(families.sort());
  });

  /** Starts a service, and as soon as its metrics are available, expects these sums of families. */
  async function expectMoved(
    settings: Settings,
    expected: Readonly<Record<string, number>>,
    isReached: (read: Metrics) => boolean,
    prepare: (tables: Tables) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const warehouse = await openWarehouse(settings, { migrating: true });
    await requireStore(warehouse).write(prepare);
    const service = await startService(settings, warehouse, pino({ level: 'silent' }), { ...TIMEOUTS, drainMs: 0 });
    const names = Object.keys(expected).map((name) => PREFIX + name);
    try {
      const read = async () => scrape(service.metricsUrl ?? '');
      await eventually(async () => isReached(await read()));
      const end = await read();
      expect(names.map((name) => sumOf(end, name))).to.deep.equal(Object.values(expected));
      for (const name of names) moved.add(name);
    } finally {
      await service.close();
      await warehouse.close();
    }
  }

  async function untilSum(family: string, isReached: (sum: number) => boolean): Promise<void> {
    let sum = Number.NaN;
    const check = async () => {
      sum = sumOf(await scrape(url()), family);
      return isReached(sum);
    };
    await eventually(check).catch(() => expect.fail(`${family} is still ${sum}`));
  }

  async function askQuestion(question: string, user = 'ada'): Promise<void> {
    const { signal } = new AbortController();
    const init = { method: 'POST', body: JSON.stringify({ question }), signal };
    await demo.as(user, '/explorer/questions/', { ...init, headers: { 'Content-Type': 'application/json' } });
  }
});

/** Inserts ten complete days of 2014-12, with a quarter of the issues that GitHub lists for three repositories. */
async function insertPartialMonth(tables: Tables): Promise<void> {
  const days = Array.from({ length: 10 }, (_, index) => `2014-12-${String(index + 1).padStart(2, '0')}`);
  await tables.insertRows(
    'mv_event_coverage',
    days.map((day) => ['PushEvent', day, 1, `${day} 23:00:00`, ALL_HOURS]),
  );
  const issues = [21, 22, 23].flatMap((repo) =>
    Array.from({ length: 40 }, (_, index) => ({
      repo,
      number: index + 1,
      openedAt: `${days[1 + (index % 8)]} 10:00:00`,
    })),
  );
  await tables.insertRows(
    'github_issue_lists',
    [21, 22, 23].map((repo) => [repo, '2014-12-20']),
  );
  await tables.insertRows(
    'github_issues',
    issues.map(({ repo, number, openedAt }) => [repo, number, 0, 1, openedAt, null]),
  );
  await tables.insertRows(
    'mv_repo_issues',
    issues.flatMap(({ repo, number, openedAt }) => (number > 10 ? [] : [[repo, number, 1, openedAt, 1]])),
  );
}
