import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { listening, start, stopAll } from '../cli/command-line.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { eventually } from '../services/eventually.js';
import { useMysql } from '../services/mysql.js';
import { NO_LIMITS } from '../workers/worker-service.js';
import { record } from './report.js';

const STOPS = 20;
const CLIENTS = 50;

/** Sends requests until one gets no answer. Returns its error, for example `ECONNREFUSED`. */
async function askUntilFailure(url: string, onAnswer: () => void): Promise<string> {
  const agent = new Agent({ keepAlive: true });
  const ask = () =>
    new Promise<string | undefined>((resolve) => {
      const request = get(url, { agent }, (response) => {
        response
          .resume()
          .once('end', () => resolve(response.statusCode === 200 ? undefined : `${response.statusCode}`));
        response.once('error', ({ message }) => resolve(`half an answer: ${message}`));
      });
      request.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
  for (;;) {
    const failure = await ask();
    if (failure !== undefined) {
      agent.destroy();
      return failure;
    }
    onAnswer();
  }
}

describe('a service that stops under load', () => {
  const database = useMysql();
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-stops-'));
  });
  after(async () => {
    stopAll();
    await rm(folder, { recursive: true });
  });

  for (const [title, words, isServer] of [
    ['one process', ['serve'], false],
    ['two workers', ['serve', '--workers', '2'], true],
  ] as const) {
    it(`answers each request that it has accepted, with ${title}`, async () => {
      const place = isServer ? database.environment : { DATABASE_URL: `duckdb:${join(folder, 'one.duckdb')}` };
      const environment = { ...place, ...NO_LIMITS, DATA_DIR: folder, ENDPOINTS_DIR: FEW_ENDPOINTS, PORT: '0' };
      const ends = new Map<string, number>();
      let answers = 0;
      for (let stop = 0; stop < STOPS; stop += 1) {
        const server = start(words, { environment });
        const url = await listening(server);
        const before = answers;
        const clients = Array.from({ length: CLIENTS }, () =>
          askUntilFailure(`${url}/livez`, () => {
            answers += 1;
          }),
        );
        await eventually(() => answers > before + 10 * CLIENTS);
        server.child.kill('SIGTERM');
        for (const end of await Promise.all(clients)) ends.set(end, (ends.get(end) ?? 0) + 1);
        expect((await server.ended).code).to.equal(0);
      }
      record(`stops, ${title}`, `${STOPS} stops, ${answers} answers, ends of clients: ${JSON.stringify([...ends])}`);
      expect([...ends]).to.deep.equal([['ECONNREFUSED', STOPS * CLIENTS]]);
    });
  }
});
