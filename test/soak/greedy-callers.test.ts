import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, type RequestOptions, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { readSettings } from '../../server/settings/read-settings.js';
import { listening, start, stopAll } from '../cli/command-line.js';
import { copyDemo, DEMO_SIZE, NOW } from '../service/demo-data.js';
import { eventually } from '../services/eventually.js';
import { record } from './report.js';

const MODEST = Array.from({ length: 10 }, (_, index) => `127.0.1.${index + 1}`);
const GREEDY = '127.0.2.1';
const SLOW_SQL =
  'SELECT SUM(LENGTH(CONCAT(a.repo_name, b.repo_name, c.repo_name))) FROM github_events a, github_events b, github_repos c';
/** The number of requests from each modest address. */
const ROUNDS = 10;
const RECOVERY_MS = 5_000;
const MEGABYTE = 1024 * 1024;

/** One greedy address and ten modest ones, with the default rate limits. */
describe('a greedy caller', () => {
  let folder: string;
  let url: string;
  let service: ReturnType<typeof start>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-greedy-'));
    const environment = { DATA_DIR: folder, NOW, PORT: '0', LOG_LEVEL: 'warn' };
    await copyDemo(readSettings(environment), DEMO_SIZE);
    service = start(['serve'], { environment });
    url = await listening(service);
  });
  afterEach(async () => {
    stopAll();
    await rm(folder, { recursive: true });
  });

  /** Returns the status of the answer; 0 if the connection failed. */
  const ask = (path: string, from: string, options: RequestOptions = {}, body?: string) =>
    new Promise<number>((resolve) => {
      const sent = request(url + path, { agent: false, localAddress: from, ...options }, (response) => {
        response.resume().once('close', () => resolve(response.complete ? (response.statusCode ?? 0) : 0));
      });
      sent.once('error', () => resolve(0)).end(body);
    });

  const runSql = (sql: string, from: string, agent?: Agent) =>
    ask(
      '/q/playground/',
      from,
      { method: 'POST', headers: { 'Content-Type': 'application/json' }, ...(agent && { agent }) },
      JSON.stringify({ sql }),
    );

  /** Sends `ROUNDS` requests from each modest address, one after the other. Returns the number of successful answers. */
  async function modestAnswers(send: (from: string, round: number) => Promise<number>): Promise<number> {
    const counts = await Promise.all(
      MODEST.map(async (from) => {
        let good = 0;
        for (let round = 0; round < ROUNDS; round += 1) if ((await send(from, round)) === 200) good += 1;
        return good;
      }),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Sends requests again and again until the returned function is called. */
  function flood(connections: number, send: (agent: Agent, index: number) => Promise<number>): () => Promise<string> {
    let isOver = false;
    const statuses: Record<number, number> = {};
    const clients = Array.from({ length: connections }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let index = 0; !isOver; index += 1) {
        const status = await send(agent, index);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
      agent.destroy();
    });
    return async () => {
      isOver = true;
      await Promise.all(clients);
      return JSON.stringify(statuses);
    };
  }

  async function compare(
    title: string,
    send: (from: string, round: number) => Promise<number>,
    begin: () => () => Promise<string>,
  ): Promise<void> {
    const alone = await modestAnswers(send);
    const end = begin();
    const together = await modestAnswers((from, round) => send(from, round + ROUNDS));
    const statuses = await end();
    record(title, `modest: ${alone} answers alone, ${together} with a greedy caller who got ${statuses}`);
    expect(alone, 'alone').to.equal(MODEST.length * ROUNDS);
    expect(together).to.be.at.least(0.9 * alone);
  }

  it('of images leaves images to others', () =>
    compare(
      'images',
      (from, round) => ask(`/e/list-collections.png?_width=${300 + round * 10 + MODEST.indexOf(from)}`, from),
      () =>
        flood(26, (agent) => {
          const width = 240 + Math.floor(Math.random() * 1_360);
          return ask(`/e/list-collections.png?_width=${width}`, GREEDY, { agent });
        }),
    ));

  it('of the playground leaves queries to others', () =>
    compare(
      'playground',
      (from, round) => runSql(`SELECT ${round} AS n`, from),
      () => flood(20, (agent) => runSql(SLOW_SQL, GREEDY, agent)),
    ));

  it('of cheap requests leaves them to others', () =>
    compare(
      'cheap requests',
      (from) => ask('/q/tables/', from),
      () => flood(20, (agent) => ask('/openapi.json', GREEDY, { agent })),
    ));

  it('that reads no answers leaves answers to others, and its memory is free five seconds after its end', async () => {
    const residentBytes = async () => {
      const status = await readFile(`/proc/${service.child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
    };
    const send = (from: string) => ask('/collections/', from);
    await modestAnswers(send);
    const before = await residentBytes();
    const sockets: Socket[] = [];
    const pipelined = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(200);
    await compare('clients that read no answers', send, () => {
      for (let index = 0; index < 100; index += 1) {
        const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress: GREEDY });
        socket.on('error', () => {}).pause();
        socket.write(pipelined);
        sockets.push(socket);
      }
      return async () => '100 connections';
    });
    const during = await residentBytes();
    for (const socket of sockets) socket.destroy();
    await pause(RECOVERY_MS);
    await eventually(async () => (await ask('/livez', MODEST[0] ?? '')) === 200);
    const after = await residentBytes();
    const [mbBefore, mbDuring, mbAfter] = [before, during, after].map((bytes) => Math.round(bytes / MEGABYTE));
    record(
      'memory of clients that read no answers',
      `${mbBefore} MB before, ${mbDuring} MB during, ${mbAfter} MB after`,
    );
    expect(during - before).to.be.below(150 * MEGABYTE);
    expect(after - before).to.be.below(100 * MEGABYTE);
  });
});
