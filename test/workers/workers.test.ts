import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { run, stopAll } from '../cli/command-line.js';
import { versionOf } from '../live/own-folder.js';
import { eventually } from '../services/eventually.js';
import { useMysql } from '../services/mysql.js';
import { isRunning, NO_LIMITS, startWorkers, type WorkerService } from './worker-service.js';

const SCRAPER = 'a-token-of-a-scraper-with-32-bytes';

describe('a service with workers', () => {
  const database = useMysql();
  let folder: string;
  let environment: Record<string, string>;
  let service: WorkerService;
  const write = (version: number) => writeFile(join(folder, 'own.yaml'), versionOf('own', version));
  /** Asks with a new connection. */
  const versionOfAnswer = async () => {
    const response = await fetch(`${service.url}/v1/live/own/`, { headers: { Connection: 'close' } });
    const { data } = (await response.json()) as { data: { rows: { version: string }[] } };
    return data.rows[0]?.version;
  };
  /** Waits until many requests in a row, which are spread over all workers, have this version. */
  const allHave = (version: number) =>
    eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 12 }, versionOfAnswer));
      return answers.every((answer) => answer === String(version));
    });

  /** Kills a worker, and waits until the primary process knows it. Until then, it could hand a connection over to this worker. */
  const kill = async (pid: number) => {
    const count = (text: string) => service.log().filter(({ msg }) => msg === text).length;
    // A worker answers before the primary process knows that it has started. If it ends then, its start has failed.
    await eventually(() => count('a new worker serves') === count('a worker ended and is replaced'));
    process.kill(pid, 'SIGKILL');
    await eventually(() => service.log().some(({ worker, signal }) => worker === pid && signal === 'SIGKILL'));
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'workers-'));
    await write(1);
    environment = {
      ...database.environment,
      ...NO_LIMITS,
      DATA_DIR: join(folder, 'data'),
      METRICS_TOKEN: SCRAPER,
      ENDPOINTS_DIR: folder,
      PORT: '0',
    };
    service = await startWorkers(2, { environment });
  });
  after(async () => {
    stopAll();
    await rm(folder, { recursive: true, force: true });
  });

  it('answers with every worker, and says what each of them needs', async () => {
    expect((await service.answeringWorkers(2)).size).to.equal(2);
    const names = await readdir(join(folder, 'data'), { recursive: true });
    const sockets = names.filter((name) => name.endsWith('/socket'));
    const modes = await Promise.all(sockets.map(async (name) => (await stat(join(folder, 'data', name))).mode & 0o777));
    expect(modes).to.deep.equal([0o600, 0o600]);
    expect(service.out()).to.match(/2 workers; each has 10 connections for reading .* and 64MB for answers/);
  });

  it('replaces a worker that crashes, without a failed connection, and keeps its counts in the metrics', async () => {
    const count = async () => {
      const headers = { Authorization: `Bearer ${SCRAPER}`, Connection: 'close' };
      const response = await fetch(`${service.url}/metrics`, { headers });
      const counted = /^repo_insight_http_requests_total\{operation="own",method="GET",status="200"\} (\d+)$/m;
      return Number(counted.exec(await response.text())?.[1] ?? 0);
    };
    const before = await count();
    for (let request = 0; request < 10; request += 1) await versionOfAnswer();
    expect(await count()).to.equal(before + 10);
    const [crashed = 0] = await service.answeringWorkers(2);
    const replaced = service.log().filter(({ msg }) => msg === 'a new worker serves').length;
    await kill(crashed);
    let answered = 0;
    await eventually(async () => {
      expect((await fetch(`${service.url}/v1/live/own/`, { headers: { Connection: 'close' } })).status).to.equal(200);
      answered += 1;
      return service.log().filter(({ msg }) => msg === 'a new worker serves').length > replaced;
    });
    const line = service.log().find(({ worker, signal }) => worker === crashed && signal !== undefined);
    expect(line).to.deep.include({ pid: service.pid, worker: crashed, signal: 'SIGKILL' });
    expect(await service.answeringWorkers(2)).to.not.include(crashed);
    expect(await count()).to.equal(before + 10 + answered);
  });

  it('lets all workers reload at SIGHUP and with endpoint reload', async () => {
    await write(2);
    service.signal('SIGHUP');
    await allHave(2);
    await write(3);
    const reloaded = await run(['endpoint', 'reload', '--json'], { environment });
    expect(reloaded.code).to.equal(0);
    expect(JSON.parse(reloaded.out)).to.deep.include({ changed: ['own'], endpoints: 1, processes: 2 });
    expect(new Set(await Promise.all(Array.from({ length: 12 }, versionOfAnswer)))).to.deep.equal(new Set(['3']));
  });

  it('serves the definitions and canaries of the other workers with a worker that replaces a crashed one', async () => {
    const replaceOne = async () => {
      const [crashed = 0] = await service.answeringWorkers(2);
      await kill(crashed);
      await service.answeringWorkers(2);
    };
    const isServed = async () => [...new Set(await Promise.all(Array.from({ length: 12 }, versionOfAnswer)))];
    await write(5);
    await replaceOne();
    expect(await isServed()).to.deep.equal(['3']);
    expect((await run(['endpoint', 'reload', '--canary', '50'], { environment })).code).to.equal(0);
    const before = await isServed();
    expect(before).to.have.length(1);
    await write(6);
    await replaceOne();
    expect(await isServed()).to.deep.equal(before);
    const canaries = await run(['endpoint', 'canaries', '--json'], { environment });
    const listed = JSON.parse(canaries.out) as { name: string; percent: number }[];
    expect(listed.map(({ name, percent }) => [name, percent])).to.deep.equal([['own', 50]]);
    expect((await run(['endpoint', 'promote', 'own'], { environment })).code).to.equal(0);
    await allHave(5);
  });

  it('logs the result of SIGHUP also without a change, and lists a broken file once', async () => {
    const [done, failed] = ['the definitions were reloaded', 'the definitions were reloaded with problems'];
    const count = (text: string) => service.log().filter(({ msg }) => msg === text).length;
    const before = { done: count(done), failed: count(failed) };
    await write(5);
    service.signal('SIGHUP');
    const lines = await service.logged(done, before.done + 2);
    expect(lines.at(-1)).to.deep.include({ added: [], changed: [], removed: [], endpoints: 1 });
    await writeFile(join(folder, 'own.yaml'), 'name: [');
    service.signal('SIGHUP');
    await service.logged(failed, before.failed + 2);
    const { code, out, err } = await run(['endpoint', 'list', '--json'], { environment });
    const listed = JSON.parse(out) as { name: string; outdatedSince: string }[];
    expect([code, err, listed.map(({ name }) => name)]).to.deep.equal([1, '', ['own']]);
    expect(listed[0]?.outdatedSince).to.match(/^\d{4}-\d\d-\d\dT/);
    await write(5);
    service.signal('SIGHUP');
    await service.logged(done, before.done + 4);
  });

  it('keeps the workers if a new one does not start', async () => {
    const before = await service.answeringWorkers(2);
    const version = await versionOfAnswer();
    await writeFile(join(folder, 'own.yaml'), 'name: [');
    service.signal('SIGUSR2');
    const [line] = await service.logged(
      'the rolling restart ends: a new worker did not start; the other workers continue',
    );
    expect(String(line?.reason)).to.include('own.yaml');
    expect(await service.answeringWorkers(2)).to.deep.equal(before);
    expect(await versionOfAnswer()).to.equal(version);
  });

  it('replaces all workers at SIGUSR2 without a failed request', async () => {
    const before = await service.answeringWorkers(2);
    await write(4);
    const load = new Load(`${service.url}/v1/live/own/`);
    service.signal('SIGUSR2');
    await service.logged('the rolling restart is complete');
    const { answered, failures } = await load.end();
    expect(failures).to.deep.equal([]);
    expect(answered).to.be.above(50);
    await allHave(4);
    const after = await service.answeringWorkers(2);
    expect([...after].filter((pid) => before.has(pid))).to.deep.equal([]);
    expect([...before].filter(isRunning)).to.deep.equal([]);
  });

  it('gives the shared work to one worker at a time', async () => {
    const message = 'this worker refreshes trends and deletes old rows from now on';
    const lines = await service.logged(message);
    const owner = lines.at(-1)?.pid ?? 0;
    expect(isRunning(owner)).to.equal(true);
    await kill(owner);
    const after = await service.logged(message, lines.length + 1);
    expect(after.at(-1)?.pid).to.not.equal(owner);
    await service.answeringWorkers(2);
  });

  it('reports in time that the metrics could not be read if the primary process does not answer', async () => {
    // The connection belongs to a worker, which answers without the primary process.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const read = () =>
      new Promise<number | undefined>((resolve, reject) => {
        const options = { agent, headers: { Authorization: `Bearer ${SCRAPER}` } };
        get(`${service.url}/metrics`, options, (response) => {
          response.resume().once('end', () => resolve(response.statusCode));
        }).once('error', reject);
      });
    expect(await read()).to.equal(200);
    service.signal('SIGSTOP');
    try {
      expect(await read()).to.equal(500);
    } finally {
      service.signal('SIGCONT');
      agent.destroy();
    }
    const [line] = (await service.logged('request failed')).filter(({ operation }) => operation === 'metrics');
    expect(JSON.stringify(line?.err)).to.include('The primary process did not answer within 10 s.');
  });

  it('closes a connection that a worker did not accept before it ended', async () => {
    const workers = await service.answeringWorkers(2);
    const [stopped = 0] = workers;
    process.kill(stopped, 'SIGSTOP');
    const sockets = Array.from({ length: 4 }, () => ask(service.url));
    const ended = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    await eventually(() => sockets.filter(({ bytesRead }) => bytesRead > 0).length >= 3);
    process.kill(stopped, 'SIGKILL');
    await Promise.all(ended);
    await service.answeringWorkers(2);
  });

  it('ends the workers when the primary process is killed, after their requests, also those that are starting', async () => {
    const workers = await service.answeringWorkers(2);
    service.signal('SIGUSR2');
    const starting = await childrenBeside(service.pid, workers);
    service.signal('SIGKILL');
    await eventually(() => ![...workers, ...starting].some(isRunning));
  });
});

/** Waits for a child process of the primary process that is not one of these workers. */
async function childrenBeside(pid: number, workers: ReadonlySet<number>): Promise<number[]> {
  let others: number[] = [];
  await eventually(async () => {
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number);
    others = children.filter((child) => !workers.has(child));
    return others.length > 0;
  });
  return others;
}

/** Sends a request on a new connection. */
function ask(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(`GET /livez HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
  return socket;
}

/** Sends requests one after the other on several connections, half of them with a new connection for each request. */
class Load {
  readonly #url: string;
  readonly #failures: string[] = [];
  readonly #lanes: Promise<void>[];
  #answered = 0;
  #isEnded = false;

  constructor(url: string) {
    this.#url = url;
    this.#lanes = [{}, {}, { Connection: 'close' }, { Connection: 'close' }].map((headers) => this.#run(headers));
  }

  async end(): Promise<{ readonly answered: number; readonly failures: readonly string[] }> {
    this.#isEnded = true;
    await Promise.all(this.#lanes);
    return { answered: this.#answered, failures: this.#failures };
  }

  async #run(headers: Record<string, string>): Promise<void> {
    while (!this.#isEnded) {
      try {
        const response = await fetch(this.#url, { headers });
        await response.arrayBuffer();
        if (response.status === 200) this.#answered += 1;
        else this.#failures.push(String(response.status));
      } catch (error) {
        this.#failures.push(String((error as Error).cause ?? error));
      }
    }
  }
}
