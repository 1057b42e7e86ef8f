import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { readSettings } from '../../server/settings/read-settings.js';
import { eventually } from '../services/eventually.js';
import { execute, useMysql, withDatabase } from '../services/mysql.js';
import { startTcpProxy, type TcpProxy } from '../services/tcp-proxy.js';
import { copyDemo, DEMO_SIZE } from './demo-data.js';
import { type DemoService, startDemoService } from './demo-service.js';
import { FEW_ENDPOINTS, ISSUE_CREATORS, PULL_REQUEST_CREATORS, STARGAZERS, TRENDS } from './few-endpoints.js';

const NONE = { equal: 0, different: 0, undecided: 0, failed: 0, dropped: 0 };

/** A definition whose rows have sixty thousand characters. */
const LARGE = `name: large
path: /v1/large/
summary: Long texts
params:
  rows: { in: query, type: integer, minimum: 1, maximum: 200, default: 1, description: How many, example: 1 }
columns:
  - { col: text, data_type: VARCHAR, nullable: false, description: A long text }
sql: |
  SELECT REPEAT('x', 60000) AS text FROM calendar_days WHERE DATEDIFF(day, '2020-01-01') BETWEEN 1 AND {{ rows }}
`;

describe('a shadow database', () => {
  let folder: string;
  let demo: DemoService | undefined;
  let proxy: TcpProxy | undefined;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-test-'));
    await fill({ DATABASE_URL: `duckdb:${fileOf('same')}` });
  });
  afterEach(async () => {
    await demo?.close();
    await proxy?.close();
    demo = undefined;
    proxy = undefined;
  });
  after(() => rm(folder, { recursive: true }));

  const fileOf = (name: string) => join(folder, `${name}.duckdb`);

  /** Fills another database with the same data. */
  const fill = (environment: Readonly<Record<string, string>>) =>
    copyDemo(readSettings({ DATA_DIR: folder, ...environment }), DEMO_SIZE);
  /** Creates a copy of the data in another file, changed by these statements. */
  const changed = async (name: string, ...statements: string[]) => {
    await copyFile(fileOf('same'), fileOf(name));
    const instance = await DuckDBInstance.create(fileOf(name));
    const connection = await instance.connect();
    for (const statement of statements) await connection.run(statement);
    connection.closeSync();
    instance.closeSync();
    return `duckdb:${fileOf(name)}`;
  };
  const serve = async (url: string, settings: Readonly<Record<string, string>> = {}) => {
    const own = {
      SHADOW_DATABASE_URL: url,
      SHADOW_SAMPLE_PERCENT: '100',
      CACHE_MEMORY: '0',
      ENDPOINTS_DIR: FEW_ENDPOINTS,
    };
    demo = await startDemoService({ ...own, ...settings });
    return demo;
  };
  const lines = (message: string) => demo?.log.filter(({ msg }) => msg === message) ?? [];
  const isShadowHealthy = async () => {
    const health = (await (await demo?.get('/healthy/'))?.json()) as { isShadowTiDBHealthy: boolean; healthy: boolean };
    expect(health.healthy).to.equal(true);
    return health.isShadowTiDBHealthy;
  };
  /** Waits until this number of answers was compared, and returns the counts. */
  const compared = async (answers: number) => {
    const counts = () => demo?.service.shadow?.counts ?? NONE;
    const count = () => Object.values(counts()).reduce((sum, one) => sum + one, 0);
    await eventually(() => count() === answers);
    return counts();
  };
  const statusOf = async (path: string) => {
    const response = await demo?.get(path);
    await response?.arrayBuffer();
    return response?.status;
  };

  it('counts as equal if its answers are the same, and gets no answer of many megabytes', async () => {
    const endpoints = join(folder, 'endpoints');
    await mkdir(endpoints);
    await writeFile(join(endpoints, 'large.yaml'), LARGE);
    const settings = { ENDPOINTS_DIR: [FEW_ENDPOINTS, TRENDS, STARGAZERS, ISSUE_CREATORS, endpoints].join() };
    const { repository } = await serve(`duckdb:${fileOf('same')}`, settings);
    const paths = [
      '/v1/collections/',
      '/v1/collections/1/ranking_by_stars/',
      '/v1/trends/repos/?period=past_month',
      `/v1/repos/${repository}/stargazers/history/?per=day`,
      `/v1/repos/${repository}/issue_creators/?page_size=2`,
      '/v1/repos/no-one/nothing/issue_creators/',
      '/q/list-collections',
      '/v1/large/?rows=1',
      '/v1/large/?rows=200',
    ];
    for (const path of paths) expect(await statusOf(path), path).to.equal(200);
    expect(await statusOf('/v1/collections/one/repos/')).to.equal(400);
    expect(await isShadowHealthy()).to.equal(true);
    const counts = await compared(paths.length);
    expect(counts).to.deep.equal({ ...NONE, equal: paths.length - 1, dropped: 1 });
    await demo?.service.close();
    expect(lines('answers compared with the shadow database')[0]).to.include(counts);
  });

  it('is logged with the first different row if its answers differ, and callers get the answers of the service', async () => {
    const { get } = await serve(await changed('other', "UPDATE collections SET name = 'Another' WHERE id = 1"));
    const { data } = (await (await get('/v1/collections/')).json()) as {
      data: { rows: { id: string; name: string }[] };
    };
    const ours = data.rows.find(({ id }) => id === '1')?.name;
    expect(await compared(1)).to.deep.equal({ ...NONE, different: 1 });
    const [{ level, time, pid, hostname, msg, ...facts } = {}] = lines(
      'the shadow database returned a different answer',
    );
    expect(facts).to.deep.equal({
      endpoint: 'list-collections',
      parameters: {},
      at: `row ${1 + data.rows.findIndex(({ id }) => id === '1')}, name`,
      ours: JSON.stringify(ours),
      shadows: '"Another"',
    });
  });

  it('does not count as different if its data have a different time', async () => {
    const url = await changed(
      'late',
      'DELETE FROM collection_items WHERE collection_id = 1',
      "UPDATE mv_event_coverage SET newest_at = newest_at - INTERVAL '1 hour'",
    );
    await serve(url);
    expect(await statusOf('/v1/collections/1/ranking_by_stars/')).to.equal(200);
    expect(await compared(1)).to.deep.equal({ ...NONE, undecided: 1 });
    const [line] = lines('the data of the shadow database have a different time') as {
      dataAsOf?: { ours: string; shadows: string };
    }[];
    const { ours = '', shadows = '' } = line?.dataAsOf ?? {};
    expect(Date.parse(ours) - Date.parse(shadows)).to.equal(3_600_000);
  });

  it('does not affect answers if it is unavailable at the start, and is used when it is available', async () => {
    await serve(`duckdb:${fileOf('later')}`);
    expect(await statusOf('/v1/collections/')).to.equal(200);
    expect(await isShadowHealthy()).to.equal(false);
    expect(lines('the shadow database is unavailable').map(({ reason }) => reason)).to.have.length(1);
    await changed('later');
    await eventually(isShadowHealthy);
    expect(lines('the shadow database is available again')).to.have.length(1);
    expect(await statusOf('/v1/collections/')).to.equal(200);
    expect(await compared(2)).to.deep.equal({ ...NONE, failed: 1, equal: 1 });
  });

  describe('in a file, while the database of the service is on a server', () => {
    const server = useMysql();

    it('counts as equal if it has the same answers', async () => {
      const { repository: name } = await serve(`duckdb:${fileOf('same')}`, {
        ...server.environment,
        ENDPOINTS_DIR: [FEW_ENDPOINTS, TRENDS, STARGAZERS, ISSUE_CREATORS, PULL_REQUEST_CREATORS].join(),
      });
      const repository = `/v1/repos/${name}`;
      const paths = [
        '/v1/collections/1/ranking_by_prs/?period=past_28_days',
        '/v1/collections/1/repos/',
        '/v1/trends/repos/?period=past_month',
        `${repository}/issue_creators/`,
        `${repository}/pull_request_creators/?sort=first_pr_merged_at-desc`,
        `${repository}/stargazers/countries`,
        `${repository}/stargazers/organizations/`,
        `${repository}/issue_creators/history/?per=week`,
      ];
      for (const path of paths) expect(await statusOf(path), path).to.equal(200);
      expect(await compared(paths.length)).to.deep.equal({ ...NONE, equal: paths.length });
    });
  });

  describe('behind the MySQL protocol', () => {
    const server = useMysql();
    const account = () => server.name.replace('test_', 'shadow_');
    before(async () => {
      await fill(server.environment);
      await execute(
        server.url,
        `CREATE USER ${account()} IDENTIFIED BY 'sec/ret'`,
        `GRANT SELECT ON ${server.name}.* TO ${account()}`,
      );
    });
    after(() => execute(withDatabase(server.url, ''), `DROP USER ${account()}`));

    const urlOf = (port = new URL(server.url).port, password = 'sec%2Fret') =>
      `mysql://${account()}:${password}@127.0.0.1:${port}/${server.name}`;

    it('is reported to reject a wrong password, without showing the password', async () => {
      await serve(urlOf(undefined, 'wrong-secret'));
      expect(await statusOf('/v1/collections/')).to.equal(200);
      expect(await isShadowHealthy()).to.equal(false);
      expect(String(lines('the shadow database is unavailable')[0]?.reason)).to.include(
        'it rejects this account or password',
      );
      expect(JSON.stringify(demo?.log)).to.not.match(/wrong-secret|sec.ret/);
    });

    it('is rejected if its account can write', async () => {
      await serve(server.url);
      expect(await isShadowHealthy()).to.equal(false);
      expect(String(lines('the shadow database is unavailable')[0]?.reason)).to.include('must only be able to read');
    });

    it('is compared cell by cell, and is logged once when it becomes unavailable and once when it is back', async () => {
      proxy = await startTcpProxy(Number(new URL(server.url).port));
      const { port } = proxy;
      const { get, repository } = await serve(urlOf(String(port)), { ENDPOINTS_DIR: `${FEW_ENDPOINTS},${STARGAZERS}` });
      await eventually(isShadowHealthy);
      for (const path of ['countries', 'history', 'organizations']) {
        expect(await statusOf(`/v1/repos/${repository}/stargazers/${path}/`)).to.equal(200);
      }
      expect(await compared(3)).to.deep.equal({ ...NONE, equal: 3 });
      await proxy.close();
      for (let time = 0; time < 20; time += 1) expect((await get('/v1/collections/')).status).to.equal(200);
      await eventually(() => lines('the shadow database is unavailable').length > 0);
      proxy = await startTcpProxy(Number(new URL(server.url).port), port);
      await eventually(isShadowHealthy);
      expect(lines('the shadow database is unavailable')).to.have.length(1);
      expect(lines('the shadow database is available again')).to.have.length(1);
    });
  });
});
