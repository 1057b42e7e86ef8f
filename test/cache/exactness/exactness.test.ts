import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { useMysql } from '../../services/mysql.js';
import { needRedis, type PrivateRedis, startRedis } from '../../services/redis.js';
import { describeEmbedded, SERVER } from '../../services/server.js';
import { writeDefinitions } from './definitions.js';
import { disturbRedis } from './disturb-redis.js';
import { Run } from './run.js';

/** The number of answers per suite. `EXACT_ANSWERS` sets a larger number for a long run. */
const ANSWERS = Number(process.env.EXACT_ANSWERS ?? 2_000);
const SEED = Number(process.env.EXACT_SEED ?? Math.floor(Math.random() * 2 ** 31));
const POLL_MS = 100;
/** The interval of version reads, and the delay with which the service tolerates them. */
const SERVER_LAG_MS = POLL_MS + 250;
const LIMITS = { RATE_LIMIT_PER_HOUR: '0', RATE_LIMIT_PER_MINUTE: '0', PORT: '0', VERSION_POLL_MS: String(POLL_MS) };

for (const withRedis of [false, true]) {
  const title = `answers equal the data of their version${withRedis ? ', with Redis' : ''}`;
  describeEmbedded(`${title}, on the embedded database`, () => suite(() => ({}), 1, 0, withRedis));
  describe(`${title}, in two processes on ${SERVER}`, () => {
    const server = useMysql();
    describe('in a separate database', () => suite(() => server.environment, 2, SERVER_LAG_MS, withRedis));
  });
}

function suite(
  environment: () => Readonly<Record<string, string>>,
  processes: number,
  lagMs: number,
  withRedis: boolean,
): void {
  let folder: string;
  let redis: PrivateRedis | undefined;
  if (withRedis) needRedis();
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-exactness-'));
    if (withRedis) redis = await startRedis();
  });
  after(async () => {
    await redis?.remove();
    await rm(folder, { recursive: true });
  });

  it('during commits, rollbacks, restarts and changes of the clock', async () => {
    const server = redis;
    const result = await new Run({
      seed: SEED,
      answers: ANSWERS,
      processes,
      lagMs,
      restarts: ANSWERS < 20_000 ? 2 : 10,
      settings: {
        ...environment(),
        ...LIMITS,
        DATA_DIR: folder,
        ENDPOINTS_DIR: await writeDefinitions(folder),
        ...(server && { REDIS_URL: server.url }),
      },
      ...(server && { disturb: (random) => disturbRedis(server, random) }),
    }).start();
    const { faults, ...counts } = result;
    expect(faults, `seed ${SEED}, ${JSON.stringify(counts)}`).to.deep.equal([]);
    expect(counts.checked, JSON.stringify(counts)).to.be.at.least(ANSWERS);
    expect(counts.outcomes.hit, JSON.stringify(counts)).to.be.above(ANSWERS / 10);
    if (process.env.EXACT_ANSWERS !== undefined) console.log(JSON.stringify({ seed: SEED, ...counts }));
  });
}
