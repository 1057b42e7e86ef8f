import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import type { Envelope } from '../../engine/http/envelopes/envelope.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import { startService } from '../../server/service.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { TIMEOUTS } from '../../server/settings/timeouts.js';
import { copyEmptyFile } from '../service/demo-data.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { eventually } from '../services/eventually.js';
import { hourLines } from '../warehouse/event-files.js';
import { listening, run, runProcess, serveHere, start, stopAll } from './command-line.js';
import { packagesOf, readScripts } from './loaded-scripts.js';

/** A query that takes some time on an empty database. A stop must wait for the query. */
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

/** A process with this definition only starts faster. */
const FAST = `name: fast
path: /v1/fast/
summary: Collections
columns:
  - { col: id, data_type: BIGINT, nullable: false, description: Number }
sql: SELECT id FROM collections ORDER BY id
`;

describe('the serve command', () => {
  let folder: string;
  let environment: Record<string, string>;
  const own = () => join(folder, 'own');
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-serve-'));
    await mkdir(own());
    environment = {
      DATA_DIR: folder,
      DATABASE_URL: `duckdb:${join(folder, 'mine.duckdb')}`,
      PORT: '0',
      ENDPOINTS_DIR: `${FEW_ENDPOINTS},${own()}`,
    };
  });
  after(async () => {
    stopAll();
    await rm(folder, { recursive: true, force: true });
  });

  const command = (...words: string[]) => run(words, { environment, cwd: folder });

  it('rejects workers, because only one process can open the file', async () => {
    const { code, err } = await command('serve', '--workers', '2');
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
    const none = await command('serve', '--workers', '0');
    expect([none.code, none.err.split('\n')[0]]).to.deep.equal([
      2,
      "error: option '--workers <number>' argument '0' is invalid. Expected a whole number from 1 to 64, or auto.",
    ]);
  });

  /** All tests of this suite use the same service, which starts without a database file. */
  describe('with its own database', () => {
    let server: Awaited<ReturnType<typeof serveHere>>;
    before(async () => {
      const none = await command('endpoint', 'reload');
      expect(none).to.deep.include({ code: 2, out: '' });
      expect(none.err).to.match(/^No service is running on .*mine\.duckdb\. Start one with `repo-insight serve`\.\n$/);
      server = await serveHere(environment);
    });
    after(async () => {
      expect((await server.close()).code).to.equal(0);
      expect((await readdir(folder)).filter((name) => name.startsWith('mine'))).to.deep.equal(['mine.duckdb']);
    });

    it('starts with empty tables and generates no demo data', async () => {
      const { data } = (await (await fetch(`${server.url}/v1/collections/`)).json()) as Envelope;
      expect([data.rows, data.result.stale, data.result.data_as_of]).to.deep.equal([[], true, null]);
    });

    it('runs commands while it holds the file', async () => {
      const status = await command('data', 'status', '--json');
      expect(status.code).to.equal(0);
      expect(JSON.parse(status.out)).to.include({ events: 0, files: 0 });
      await writeFile(join(folder, 'broken.json.gz'), 'no gzip at all');
      const rejected = await command('data', 'import', 'broken.json.gz');
      expect(rejected.code).to.equal(1);
      expect(rejected.err).to.match(/broken\.json\.gz: refused/);
      expect((await command('endpoint', 'run', 'no-such-endpoint')).code).to.equal(2);
    });

    it('computes trends after an import only if it imported events', async () => {
      await writeFile(join(folder, 'hour.json'), hourLines(1, 5).join('\n'));
      const importHour = async () => {
        const { code, out } = await command('data', 'import', 'hour.json', '--json');
        const { events, refreshSeconds } = JSON.parse(out) as { events: number; refreshSeconds: number };
        return { code, events, isRefreshed: refreshSeconds > 0 };
      };
      expect(await importHour()).to.deep.equal({ code: 0, events: 65, isRefreshed: true });
      expect(await importHour()).to.deep.equal({ code: 0, events: 0, isRefreshed: false });
    });

    it('reloads its definitions with endpoint reload', async () => {
      const isServed = async () => (await (await fetch(`${server.url}/openapi.json`)).text()).includes('/v1/slow/');
      expect(await isServed()).to.equal(false);
      await writeFile(join(own(), 'slow.yaml'), SLOW);
      expect(await command('endpoint', 'reload')).to.deep.include({ code: 0, out: 'added slow\n' });
      expect(await isServed()).to.equal(true);
      await writeFile(join(own(), 'slow.yaml'), 'name: [');
      const few = await loadDefinitions({ endpointsDirectory: FEW_ENDPOINTS });
      const broken = await command('endpoint', 'reload', '--json');
      expect(broken.code).to.equal(1);
      expect(JSON.parse(broken.out)).to.deep.include({
        added: [],
        removed: [],
        outdated: ['slow'],
        endpoints: few.length + 1,
      });
      const listed = await command('endpoint', 'list');
      expect(listed.code).to.equal(1);
      expect(listed.out).to.include('last good version, outdated since');
      await rm(join(own(), 'slow.yaml'));
      expect(await command('endpoint', 'reload')).to.deep.include({ code: 0, out: 'removed slow\n' });
      expect(await isServed()).to.equal(false);
    });
  });

  it('is not ready while it drains, and still answers', async () => {
    const file = join(folder, 'drained.duckdb');
    await copyEmptyFile(file);
    const settings = readSettings({ ...environment, DATABASE_URL: `duckdb:${file}`, DRAIN_DELAY_MS: '15000' });
    const warehouse = await openWarehouse(settings, { migrating: false });
    const pauses: number[] = [];
    let endDrain = () => {};
    const drainPause = (ms: number) => {
      pauses.push(ms);
      return new Promise<void>((resolve) => {
        endDrain = resolve;
      });
    };
    const service = await startService(settings, warehouse, pino({ level: 'silent' }), TIMEOUTS, { drainPause });
    const isReady = async () => {
      const response = await fetch(`${service.url}/readyz`);
      const { ready, draining } = (await response.json()) as { ready: boolean; draining: boolean };
      return [response.status, ready, draining];
    };
    expect(await isReady()).to.deep.equal([200, true, false]);
    const closed = service.close();
    expect(await isReady()).to.deep.equal([503, false, true]);
    const answer = await fetch(`${service.url}/v1/collections/`);
    expect([answer.status, answer.headers.get('connection')]).to.deep.equal([200, 'close']);
    const live = await fetch(`${service.url}/livez`);
    expect([live.status, live.headers.get('cache-control'), await live.json()]).to.deep.equal([
      200,
      'no-store',
      { live: true },
    ]);
    expect(pauses).to.deep.equal([15_000]);
    endDrain();
    await closed;
    await warehouse.close();
    expect(await fetch(`${service.url}/livez`).catch(() => 'closed')).to.equal('closed');
  });
});

/** All tests of this suite use the same process. The database of the process is in a folder whose path is too long for a socket. */
describe('a process of the serve command', () => {
  let folder: string;
  let deep: string;
  let environment: Record<string, string>;
  let server: ReturnType<typeof start>;
  let url: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-serve-'));
    deep = join(folder, 'a'.repeat(100));
    await mkdir(join(deep, 'own'), { recursive: true });
    await writeFile(join(deep, 'own', 'fast.yaml'), FAST);
    await copyEmptyFile(join(deep, 'mine.duckdb'));
    environment = {
      DATA_DIR: 'data',
      DATABASE_URL: 'duckdb:mine.duckdb',
      PORT: '0',
      ENDPOINTS_DIR: 'own',
      RATE_LIMIT_PER_HOUR: '0',
      SHUTDOWN_TIMEOUT_MS: '600000',
    };
    server = start(['serve'], {
      environment: { ...environment, NODE_V8_COVERAGE: join(folder, 'coverage') },
      cwd: deep,
    });
    url = await listening(server);
  });
  after(async () => {
    stopAll();
    await rm(folder, { recursive: true, force: true });
  });

  it('writes only lines of JSON to standard output', async () => {
    await (await fetch(`${url}/v1/fast/`)).text();
    await eventually(() => server.out().includes('request completed'));
    const lines = server.out().trimEnd().split('\n');
    const logged = lines.map((line) => JSON.parse(line) as { msg: string });
    // On a busy machine, part of the start still runs in the background when the server listens.
    const others = logged.filter(({ msg }) => !/continues in the background|are not checked yet/.test(msg));
    expect(others.map(({ msg }) => msg)).to.deep.equal([`repo-insight is listening at ${url}`, 'request completed']);
    const { endpoints, ...start } = others[0] as unknown as Record<string, unknown>;
    expect(start).to.include({ level: 30, url, database: join(deep, 'mine.duckdb') });
    expect(endpoints).to.be.above(0);
  });

  it('accepts commands of other processes, unless the path of its file is too long for a socket', async () => {
    expect((await runProcess(['data', 'status'], { environment, cwd: deep })).code).to.equal(0);
    const far = { ...environment, DATA_DIR: join(deep, 'data'), DATABASE_URL: `duckdb:${join(deep, 'other.duckdb')}` };
    const rejected = await run(['serve'], { environment: far });
    expect(rejected.code).to.equal(2);
    expect(rejected.err).to.include('is too long for the socket next to it');
  });

  it('is named to a second server', async () => {
    const same = { ...environment, DATA_DIR: folder, DATABASE_URL: `duckdb:${join(deep, 'mine.duckdb')}` };
    const second = await run(['serve'], { environment: same });
    expect(second.code).to.equal(2);
    expect(second.err).to.include(`is in use by process ${server.child.pid}`);
  });

  it('reloads its definitions at SIGHUP', async () => {
    await writeFile(join(deep, 'own', 'slow.yaml'), SLOW);
    server.child.kill('SIGHUP');
    await eventually(async () => (await (await fetch(`${url}/openapi.json`)).text()).includes('/v1/slow/'));
  });

  it('continues when its output is closed, and finishes the running request before it stops', async () => {
    server.child.stdout.destroy();
    server.child.stderr.destroy();
    for (let time = 0; time < 5; time += 1) expect((await fetch(`${url}/v1/fast/`)).status).to.equal(200);
    const slow = fetch(`${url}/v1/slow/`).then((response) => response.json() as Promise<Envelope>);
    // After this later request was answered, the server must have received the slow request.
    await fetch(`${url}/healthy/`);
    server.child.kill('SIGTERM');
    expect((await slow).data.rows).to.deep.equal([{ pairs: '26699775' }]);
    expect((await server.ended).code).to.equal(0);
    expect((await readdir(deep)).filter((name) => name.startsWith('mine'))).to.deep.equal(['mine.duckdb']);
  });

  it('loads no package that it needs only for some requests', async () => {
    const packages = packagesOf(await readScripts(join(folder, 'coverage')));
    expect(packages).to.include.members(['express', 'ajv']);
    expect(packages.filter((name) => /modelcontextprotocol|zod|openai|bullmq|sql\.js/.test(name))).to.deep.equal([]);
  });

  it('stops although the reader of its log stalls', async () => {
    const stalled = start(['serve'], { environment, cwd: deep });
    const address = await listening(stalled);
    stalled.child.stdout.pause();
    const path = `/v1/fast/?${'x'.repeat(8_000)}`;
    for (let time = 0; time < 150; time += 1) expect((await fetch(address + path)).status).to.equal(400);
    stalled.child.kill('SIGTERM');
    const [code] = (await once(stalled.child, 'exit')) as [number | null];
    expect(code).to.equal(0);
    stalled.child.stdout.resume();
  });
});
