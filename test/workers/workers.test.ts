import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { FollowProgress } from '../../warehouse/import/follow/follow-progress.js';
import { run, stopAll } from '../cli/command-line.js';
import { versionOf } from '../live/own-folder.js';
import { eventually } from '../services/eventually.js';
import { useMysql } from '../services/mysql.js';
import { type ArchiveServer, archiveServer } from '../warehouse/archive-server.js';
import { archiveFiles, pathOf } from '../warehouse/follow/following.js';
import { isRunning, NO_LIMITS, startWorkers, type WorkerService } from './worker-service.js';

const SHARED_WORK = 'this worker refreshes trends and deletes old rows from now on';
const SCRAPER = 'a-token-of-a-scraper-with-32-bytes';

describe('a service with workers', () => {
  const database = useMysql();
  let folder: string;
  let environment: Record<string, string>;
  let service: WorkerService;
  let archive: ArchiveServer;
  const write = (version: number) => writeFile(join(folder, 'own.yaml'), versionOf('own', version));
  /** Requests the version on a new connection. */
  const versionOfAnswer = async () => {
    const response = await fetch(`${service.url}/v1/live/own/`, { headers: { Connection: 'close' } });
    const { data } = (await response.json()) as { data: { rows: { version: string }[] } };
    return data.rows[0]?.version;
  };
  /** Returns the different versions in the answers to many successive requests, which are distributed over all workers. */
  const versionsOfAnswers = async () => [...new Set(await Promise.all(Array.from({ length: 12 }, versionOfAnswer)))];
  const allHave = (version: number) => eventually(async () => String(await versionsOfAnswers()) === String(version));
  /** Returns the progress of a waiting follower, when many successive requests return the same progress. */
  const followedProgress = async () => {
    const ask = async () => {
      const response = await fetch(`${service.url}/healthy/`, { headers: { Connection: 'close' } });
      return JSON.stringify(((await response.json()) as { follow?: FollowProgress }).follow ?? null);
    };
    let found: FollowProgress | null = null;
    await eventually(async () => {
      const [first = 'null', ...others] = new Set(await Promise.all(Array.from({ length: 12 }, ask)));
      found = JSON.parse(first) as FollowProgress | null;
      return others.length === 0 && found?.state === 'waiting';
    });
    return found;
  };
  const countOf = (text: string) => service.log().filter(({ msg }) => msg === text).length;

  /** Kills a worker, and waits until the primary process has noticed and passes no more connections to it. */
  const kill = async (pid: number) => {
    // A worker answers before the primary process knows that it has started. If it were killed in between, its start would count as failed.
    await eventually(() => countOf('a new worker serves') === countOf('a worker ended and is replaced'));
    process.kill(pid, 'SIGKILL');
    await eventually(() => service.log().some(({ worker, signal }) => worker === pid && signal === 'SIGKILL'));
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'workers-'));
    await write(1);
    archive = await archiveServer(archiveFiles([6, 7]));
    environment = {
      ...database.environment,
      ...NO_LIMITS,
      ...{ ARCHIVE_URL: archive.url, NOW: '2015-01-01T08:10:00Z', FOLLOW_ARCHIVE: '2015-01-01-5' },
      DATA_DIR: join(folder, 'data'),
      METRICS_TOKEN: SCRAPER,
      ENDPOINTS_DIR: folder,
      PORT: '0',
    };
    service = await startWorkers(2, { environment });
  });
  after(async () => {
    stopAll();
    await archive?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('answers with every worker, and says what each of them needs', async () => {
    expect((await service.answeringWorkers(2)).size).to.equal(2);
    const names = await readdir(join(folder, 'data'));
    const sockets = names
      .map((name) => join(folder, 'data', name, 'files', 'socket'))
      .filter((path) => existsSync(path));
    const modes = await Promise.all(sockets.map(async (path) => (await stat(path)).mode & 0o777));
    expect(modes).to.deep.equal([0o600, 0o600]);
    expect(service.out()).to.match(/2 workers; each has 10 connections for reading .* and 64MB for answers/);
  });

  it('gives the shared work to one worker, which alone follows the archive', async () => {
    const imported = await service.logged('an hour of the archive was imported', 2);
    expect(new Set(imported.map(({ pid }) => pid)).size).to.equal(1);
    expect(countOf(SHARED_WORK)).to.equal(0);
  });

  it('reports the same progress of the follower with every worker', async () => {
    expect(await followedProgress()).to.include({
      ...{ newestHour: '2015-01-01-7', importedHours: 2, lagMs: 600_000, missingHours: 1, lastError: null },
    });
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
    // The new worker must serve the same version as the others, and not the version in the file.
    await write(2);
    const [{ pid: crashed } = { pid: 0 }] = await service.logged('an hour of the archive was imported');
    // Hour 5 is missing, so each follower requests it when it starts.
    const requested = () => archive.requests.filter((request) => String(request).includes(pathOf(5))).length;
    const requestedBefore = requested();
    await kill(crashed);
    let answered = 0;
    await eventually(async () => {
      expect((await fetch(`${service.url}/v1/live/own/`, { headers: { Connection: 'close' } })).status).to.equal(200);
      answered += 1;
      return countOf('a new worker serves') > 0;
    });
    const line = service.log().find(({ worker, signal }) => worker === crashed && signal !== undefined);
    expect(line).to.deep.include({ pid: service.pid, worker: crashed, signal: 'SIGKILL' });
    expect(await service.answeringWorkers(2)).to.not.include(crashed);
    expect(await count()).to.equal(before + 10 + answered);
    const [next] = await service.logged(SHARED_WORK);
    expect(next?.pid).to.not.equal(crashed);
    await eventually(() => requested() > requestedBefore);
    expect(await versionsOfAnswers()).to.deep.equal(['1']);
    expect(await followedProgress()).to.include({ newestHour: '2015-01-01-7', importedHours: 0, missingHours: 1 });
  });

  it('lets all workers reload at SIGHUP and with endpoint reload', async () => {
    service.signal('SIGHUP');
    await allHave(2);
    await write(3);
    const reloaded = await run(['endpoint', 'reload', '--json'], { environment });
    expect(reloaded.code).to.equal(0);
    expect(JSON.parse(reloaded.out)).to.deep.include({ changed: ['own'], endpoints: 1, processes: 2 });
    expect(await versionsOfAnswers()).to.deep.equal(['3']);
  });

  it('closes a connection that a worker did not accept before it ended, and a new worker serves the canaries of the others', async () => {
    await write(5);
    expect((await run(['endpoint', 'reload', '--canary', '50'], { environment })).code).to.equal(0);
    const before = await versionsOfAnswers();
    expect(before).to.have.length(1);
    await write(6);
    const [stopped = 0] = await service.answeringWorkers(2);
    process.kill(stopped, 'SIGSTOP');
    const sockets = Array.from({ length: 4 }, () => ask(service.url));
    const ended = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    await eventually(() => sockets.filter(({ bytesRead }) => bytesRead > 0).length >= 3);
    await kill(stopped);
    await Promise.all(ended);
    await service.answeringWorkers(2);
    expect(await versionsOfAnswers()).to.deep.equal(before);
    const canaries = await run(['endpoint', 'canaries', '--json'], { environment });
    const listed = JSON.parse(canaries.out) as { name: string; percent: number }[];
    expect(listed.map(({ name, percent }) => [name, percent])).to.deep.equal([['own', 50]]);
    expect((await run(['endpoint', 'promote', 'own'], { environment })).code).to.equal(0);
    await allHave(5);
  });

  it('logs the result of SIGHUP also without a change, and lists a broken file once', async () => {
    const [done, failed] = ['the definitions were reloaded', 'the definitions were reloaded with problems'];
    const before = { done: countOf(done), failed: countOf(failed) };
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
    expect(answered).to.be.above(10);
    await allHave(4);
    const after = await service.answeringWorkers(2);
    expect([...after].filter((pid) => before.has(pid))).to.deep.equal([]);
    expect([...before].filter(isRunning)).to.deep.equal([]);
  });

  it('ends the workers when the primary process is killed, after their requests, also those that are starting', async () => {
    const workers = await service.answeringWorkers(2);
    service.signal('SIGUSR2');
    const starting = await childrenBeside(service.pid, workers);
    service.signal('SIGKILL');
    await eventually(() => ![...workers, ...starting].some(isRunning));
  });
});

/** Waits until the primary process has a child process that is not one of these workers. */
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

/** Sends sequential requests: on one keep-alive connection, and on a new connection per request. */
class Load {
  readonly #url: string;
  readonly #failures: string[] = [];
  readonly #lanes: Promise<void>[];
  #answered = 0;
  #isEnded = false;

  constructor(url: string) {
    this.#url = url;
    this.#lanes = [{}, { Connection: 'close' }].map((headers) => this.#run(headers));
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
