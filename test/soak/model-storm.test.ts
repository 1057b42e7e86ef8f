import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readSettings } from '../../server/settings/read-settings.js';
import { listening, start, stopAll } from '../cli/command-line.js';
import type { ModelServer } from '../explorer/model-server.js';
import { createTables, NOW } from '../service/demo-data.js';
import { JWT_SECRET } from '../service/demo-service.js';
import { FEW_ENDPOINTS } from '../service/few-endpoints.js';
import { execute, useMysql } from '../services/mysql.js';
import { needRedis, type PrivateRedis, startRedis, useRedis } from '../services/redis.js';
import { describeEmbedded, describeExceptOnTidb, SERVER } from '../services/server.js';
import { type CountedService, startCountedService } from './questions/counted-service.js';
import { expectExactStorm } from './questions/expect-storm.js';
import { type Storm, storm } from './questions/question-storm.js';
import { questionOf, startStormModel } from './questions/storm-model.js';
import { record } from './report.js';

/** The maximum growth of the memory of one process during a storm, in megabytes. */
const MAX_GROWTH = 350;

describe('questions of up to 50 users at once, with a model of every behavior, all end and run once', () => {
  let model: ModelServer;
  let service: CountedService | undefined;
  beforeEach(async () => {
    model = await startStormModel();
  });
  afterEach(async () => {
    await service?.close();
    service = undefined;
    await model.close();
  });
  const environment = () => ({ MODEL_URL: model.url, MODEL_NAME: 'stormy', MODEL_TIMEOUT_SECONDS: '2' });

  describeEmbedded('in one process with the embedded database', () => {
    it('without Redis', async () => {
      service = await startCountedService(environment());
      const before = megabytesOf(process.pid);
      const ended = await storm([service.url]);
      expectExactStorm(ended, model, service.executed);
      expectBounded('embedded', ended, [megabytesOf(process.pid) - before]);
    });

    describe('and Redis', () => {
      let redis: PrivateRedis;
      needRedis();
      before(async () => {
        redis = await startRedis();
      });
      after(() => redis?.remove());

      it('that ends during the storm and starts again without its data', async () => {
        service = await startCountedService({ ...environment(), REDIS_URL: redis.url });
        const ended = await storm([service.url], {
          users: 15,
          onBurst: async () => {
            await redis.kill();
            await redis.restart();
          },
        });
        expectExactStorm(ended, model, service.executed);
        expectBounded('embedded, Redis restarted', ended, []);
      });
    });
  });

  describeExceptOnTidb('it has no general log', `in two processes that share ${SERVER} and Redis`, () => {
    const database = useMysql({ own: true });
    const redis = useRedis();
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'repo-insight-storm-'));
    });
    after(async () => {
      stopAll();
      await rm(folder, { recursive: true });
    });

    it('each question in one of them', async () => {
      const plain = {
        ...environment(),
        ...database.environment,
        ...{ DATA_DIR: folder, PORT: '0', NOW, JWT_SECRET, REDIS_URL: redis.url, LOG_LEVEL: 'error' },
        ENDPOINTS_DIR: FEW_ENDPOINTS,
      };
      await createTables(readSettings(plain), { events: 300 });
      const keys = ['key-of-process-one', 'key-of-process-two'];
      const processes = keys.map((key) => start(['serve'], { environment: { ...plain, MODEL_KEY: key } }));
      const urls = await Promise.all(processes.map(listening));
      await execute(database.url, "SET GLOBAL log_output = 'TABLE'", 'SET GLOBAL general_log = ON');
      const before = processes.map(({ child }) => megabytesOf(child.pid));
      const ended = await storm(urls, { users: 25 });
      await execute(database.url, 'SET GLOBAL general_log = OFF');
      expectExactStorm(ended, model, await executedQueries(database.url));
      expectBounded(
        'MariaDB, two processes',
        ended,
        processes.map(({ child }, index) => megabytesOf(child.pid) - (before[index] ?? 0)),
      );
      expect(processOf(model)).to.deep.equal({ shared: [], keys: new Set(keys.map((key) => `Bearer ${key}`)) });
      for (const { child } of processes) child.kill('SIGTERM');
      expect((await Promise.all(processes.map(({ ended: end }) => end))).map(({ code }) => code)).to.deep.equal([0, 0]);
    });
  });
});

function megabytesOf(pid: number | undefined): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1_000);
}

function expectBounded(title: string, { burstMs, totalMs }: Storm, growths: readonly number[]): void {
  record(
    `questions of many users, ${title}`,
    `first burst ${burstMs} ms, all ${totalMs} ms, memory ${growths.map((growth) => `+${growth} MB`)}`,
  );
  for (const growth of growths) expect(growth, 'growth of the memory in megabytes').to.be.below(MAX_GROWTH);
}

/** Returns the queries of the playground that the server has run. */
async function executedQueries(url: string): Promise<string[]> {
  const rows = await execute(
    url,
    `SELECT CONVERT(argument USING utf8mb4) AS sql_text FROM mysql.general_log
     WHERE command_type = 'Execute' AND argument LIKE 'SELECT%storm%zzq%' AND argument NOT LIKE '%explorer_questions%'`,
  );
  return rows.map(({ sql_text: text }) => String(text));
}

/** Returns the keys of the processes that used the model, and the questions that more than one process prepared. */
function processOf({ requests }: ModelServer) {
  const users = new Map<string, Set<string>>();
  for (const request of requests) {
    const question = questionOf(request);
    users.set(question, (users.get(question) ?? new Set()).add(String(request.headers.authorization)));
  }
  const shared = [...users].filter(([, keys]) => keys.size > 1).map(([question]) => question);
  return { shared, keys: new Set([...users.values()].flatMap((keys) => [...keys])) };
}
