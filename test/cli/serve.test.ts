import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Envelope } from '../../http/envelopes/envelope.js';
import { loadDefinitions } from '../../server/definitions.js';
import { copyEmptyFile } from '../service/demo-data.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { eventually } from '../services/eventually.js';
import { hourLines } from '../warehouse/event-files.js';
import { listening, run, runProcess, start, stopAll } from './command-line.js';

/** About a second of work on the tables of an empty database. */
const SLOW = `name: slow
path: /v1/slow/
summary: Pairs of days
limits: { timeout: 2m }
columns:
  - { col: pairs, data_type: BIGINT, nullable: false, description: How many }
sql: |
  SELECT COUNT(*) AS pairs
  FROM calendar_days a
  JOIN calendar_days b ON LENGTH(DATE_FORMAT(a.day, '%Y')) + DAY(b.day) > 0
  WHERE a.day < '2002-01-01'
`;

describe('the serve command', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-serve-'));
  });
  afterEach(async () => {
    stopAll();
    await rm(folder, { recursive: true, force: true });
  });

  describe('with its own database', () => {
    const environmentOf = () => ({
      DATA_DIR: folder,
      DATABASE_URL: `duckdb:${join(folder, 'mine.duckdb')}`,
      PORT: '0',
      ENDPOINTS_DIR: FEW_ENDPOINTS,
    });

    it('starts with empty tables and generates no demo data', async () => {
      const server = start(['serve'], { environment: environmentOf() });
      const url = await listening(server);
      const { data } = (await (await fetch(`${url}/v1/collections/`)).json()) as Envelope;
      expect([data.rows, data.result.stale, data.result.data_as_of]).to.deep.equal([[], true, null]);
      server.child.kill('SIGTERM');
      await server.ended;
    });

    /** Starts a server with existing empty tables. */
    const startWithTables = async () => {
      await copyEmptyFile(join(folder, 'mine.duckdb'));
      return start(['serve'], { environment: environmentOf() });
    };

    it('writes only lines of JSON to standard output', async () => {
      const server = await startWithTables();
      const url = await listening(server);
      await (await fetch(`${url}/v1/collections/`)).text();
      server.child.kill('SIGTERM');
      await server.ended;
      const lines = server.out().trimEnd().split('\n');
      const logged = lines.map((line) => JSON.parse(line) as { msg: string });
      expect(logged.map(({ msg }) => msg)).to.deep.equal([`repo-insight is listening at ${url}`, 'request completed']);
      const { endpoints, ...start } = logged[0] as unknown as Record<string, unknown>;
      expect(start).to.include({ level: 30, url, database: join(folder, 'mine.duckdb') });
      expect(endpoints).to.be.above(0);
    });

    it('runs commands while it holds the file', async () => {
      const server = await startWithTables();
      await listening(server);
      const status = await run(['data', 'status', '--json'], { environment: environmentOf() });
      expect(status.code).to.equal(0);
      expect(JSON.parse(status.out)).to.include({ events: 0, files: 0 });
      await writeFile(join(folder, 'broken.json.gz'), 'no gzip at all');
      const rejected = await run(['data', 'import', 'broken.json.gz'], { environment: environmentOf(), cwd: folder });
      expect(rejected.code).to.equal(1);
      expect(rejected.err).to.match(/broken\.json\.gz: refused/);
      const unknown = await run(['endpoint', 'run', 'no-such-endpoint'], { environment: environmentOf() });
      expect(unknown.code).to.equal(2);
      server.child.kill('SIGTERM');
      await server.ended;
    });

    it('computes trends after an import only if it imported events', async () => {
      const server = await startWithTables();
      await listening(server);
      await writeFile(join(folder, 'hour.json'), hourLines(1, 5).join('\n'));
      const importHour = async () => {
        const words = ['data', 'import', 'hour.json', '--json'];
        const { code, out } = await run(words, { environment: environmentOf(), cwd: folder });
        const { events, refreshSeconds } = JSON.parse(out) as { events: number; refreshSeconds: number };
        return { code, events, isRefreshed: refreshSeconds > 0 };
      };
      expect(await importHour()).to.deep.equal({ code: 0, events: 65, isRefreshed: true });
      expect(await importHour()).to.deep.equal({ code: 0, events: 0, isRefreshed: false });
      server.child.kill('SIGTERM');
      await server.ended;
    });

    it('accepts commands in a folder with a path that is too long for a socket', async () => {
      const deep = join(folder, 'a'.repeat(100));
      await mkdir(deep);
      const environment = { ...environmentOf(), DATA_DIR: 'data', DATABASE_URL: 'duckdb:mine.duckdb' };
      const server = start(['serve'], { environment, cwd: deep });
      await listening(server);
      expect((await runProcess(['data', 'status'], { environment, cwd: deep })).code).to.equal(0);
      const far = {
        ...environment,
        DATA_DIR: join(deep, 'data'),
        DATABASE_URL: `duckdb:${join(deep, 'other.duckdb')}`,
      };
      const rejected = await runProcess(['serve'], { environment: far, cwd: tmpdir() });
      expect(rejected.code).to.equal(2);
      expect(rejected.err).to.include('is too long for the socket next to it');
      server.child.kill('SIGTERM');
      expect((await server.ended).code).to.equal(0);
    });

    it('names the process that holds the file to a second server', async () => {
      const first = await startWithTables();
      await listening(first);
      const second = await run(['serve'], { environment: environmentOf() });
      expect(second.code).to.equal(2);
      expect(second.err).to.include(`is in use by process ${first.child.pid}`);
      first.child.kill('SIGTERM');
      await first.ended;
    });

    it('finishes the running request before it stops', async () => {
      const endpoints = join(folder, 'endpoints');
      await mkdir(endpoints);
      await writeFile(join(endpoints, 'slow.yaml'), SLOW);
      const settings = { ...environmentOf(), ENDPOINTS_DIR: endpoints, SHUTDOWN_TIMEOUT_MS: '120000' };
      await copyEmptyFile(join(folder, 'mine.duckdb'));
      const server = start(['serve'], { environment: settings });
      const url = await listening(server);
      const slow = fetch(`${url}/v1/slow/`).then((response) => response.json() as Promise<Envelope>);
      // When this later request has an answer, the server has also received the slow request.
      await fetch(`${url}/healthy/`);
      server.child.kill('SIGTERM');
      expect((await slow).data.rows).to.deep.equal([{ pairs: '26699775' }]);
      expect((await server.ended).code).to.equal(0);
    });

    it('is not ready while it drains, and still answers', async () => {
      await copyEmptyFile(join(folder, 'mine.duckdb'));
      const server = start(['serve'], { environment: { ...environmentOf(), DRAIN_DELAY_MS: '2000' } });
      const url = await listening(server);
      const isReady = async () => {
        const response = await fetch(`${url}/readyz`);
        const { ready, draining } = (await response.json()) as { ready: boolean; draining: boolean };
        return [response.status, ready, draining];
      };
      expect(await isReady()).to.deep.equal([200, true, false]);
      server.child.kill('SIGTERM');
      let state: unknown[] = [];
      await eventually(async () => {
        state = await isReady();
        return state[0] !== 200;
      });
      expect(state).to.deep.equal([503, false, true]);
      const answer = await fetch(`${url}/v1/collections/`);
      expect([answer.status, answer.headers.get('connection')]).to.deep.equal([200, 'close']);
      const live = await fetch(`${url}/livez`);
      expect([live.status, live.headers.get('cache-control'), await live.json()]).to.deep.equal([
        200,
        'no-store',
        { live: true },
      ]);
      expect((await server.ended).code).to.equal(0);
    });

    it('rejects workers, because only one process can open the file', async () => {
      const environment = { ...environmentOf() };
      const { code, err } = await run(['serve', '--workers', '2'], { environment });
      expect(code).to.equal(2);
      expect(err).to.match(
        /^--workers needs a database server: only one process can open .*mine\.duckdb\. Set DATABASE_URL/,
      );
      const onServer = {
        ...environment,
        DATABASE_URL: 'mysql://reader@127.0.0.1:1/insight',
        PLAYGROUND_PER_MINUTE: '0',
      };
      const limited = await run(['serve', '--workers', '2'], { environment: onServer });
      expect(limited.code).to.equal(2);
      expect(limited.err).to.equal(
        '--workers 2 needs REDIS_URL: without it, each worker would count its own requests, and callers could send 2 times as ' +
          'many as the limits allow. Set REDIS_URL, or disable the limits: RATE_LIMIT_PER_HOUR=0 RATE_LIMIT_PER_MINUTE=0 ' +
          'CALLER_LIMIT_PER_MINUTE=0.\n',
      );
      const none = await run(['serve', '--workers', '0'], { environment });
      expect([none.code, none.err.split('\n')[0]]).to.deep.equal([
        2,
        "error: option '--workers <number>' argument '0' is invalid. Expected a whole number from 1 to 64, or auto.",
      ]);
    });

    it('reloads its definitions at SIGHUP and with endpoint reload', async () => {
      const endpoints = join(folder, 'own');
      await mkdir(endpoints);
      const environment = { ...environmentOf(), ENDPOINTS_DIR: `${FEW_ENDPOINTS},${endpoints}` };
      const none = await run(['endpoint', 'reload'], { environment });
      expect(none).to.deep.include({ code: 2, out: '' });
      expect(none.err).to.match(/^No service is running on .*mine\.duckdb\. Start one with `repo-insight serve`\.\n$/);
      const server = start(['serve'], { environment });
      const url = await listening(server);
      const isServed = async () => (await (await fetch(`${url}/openapi.json`)).text()).includes('/v1/slow/');
      expect(await isServed()).to.equal(false);
      await writeFile(join(endpoints, 'slow.yaml'), SLOW);
      server.child.kill('SIGHUP');
      await eventually(isServed);
      await writeFile(join(endpoints, 'slow.yaml'), 'name: [');
      const few = await loadDefinitions({ endpointsDirectory: FEW_ENDPOINTS });
      const broken = await run(['endpoint', 'reload', '--json'], { environment });
      expect(broken.code).to.equal(1);
      expect(JSON.parse(broken.out)).to.deep.include({
        added: [],
        removed: [],
        outdated: ['slow'],
        endpoints: few.length + 1,
      });
      const listed = await run(['endpoint', 'list'], { environment });
      expect(listed.code).to.equal(1);
      expect(listed.out).to.include('last good version, outdated since');
      await rm(join(endpoints, 'slow.yaml'));
      const reloaded = await run(['endpoint', 'reload'], { environment });
      expect(reloaded).to.deep.include({ code: 0, out: 'removed slow\n' });
      expect(await isServed()).to.equal(false);
      server.child.kill('SIGTERM');
      expect((await server.ended).code).to.equal(0);
      expect((await readdir(folder)).filter((name) => name.startsWith('mine'))).to.deep.equal(['mine.duckdb']);
    });

    it('continues when its output is closed, and stops cleanly', async () => {
      const server = await startWithTables();
      const url = await listening(server);
      server.child.stdout.destroy();
      server.child.stderr.destroy();
      for (let time = 0; time < 5; time += 1) expect((await fetch(`${url}/v1/collections/`)).status).to.equal(200);
      server.child.kill('SIGTERM');
      expect((await server.ended).code).to.equal(0);
      expect((await readdir(folder)).filter((name) => name.startsWith('mine'))).to.deep.equal(['mine.duckdb']);
    });

    it('stops although the reader of its log stalls', async () => {
      const server = start(['serve'], { environment: { ...environmentOf(), RATE_LIMIT_PER_HOUR: '0' } });
      const url = await listening(server);
      server.child.stdout.pause();
      const path = `/v1/collections/?${'x'.repeat(8_000)}`;
      for (let time = 0; time < 150; time += 1) expect((await fetch(url + path)).status).to.equal(400);
      server.child.kill('SIGTERM');
      const [code] = (await once(server.child, 'exit')) as [number | null];
      expect(code).to.equal(0);
      server.child.stdout.resume();
    });

    it('rejects a port that is in use, and prints a solution', async () => {
      const first = await startWithTables();
      const port = new URL(await listening(first)).port;
      const other = { DATA_DIR: folder, DATABASE_URL: `duckdb:${join(folder, 'other.duckdb')}`, PORT: port };
      const second = await run(['serve'], { environment: other });
      expect(second.code).to.equal(2);
      expect(second.err).to.include(`Port ${port} on 127.0.0.1 is taken`);
      first.child.kill('SIGTERM');
      await first.ended;
    });
  });
});
