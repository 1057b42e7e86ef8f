import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { databaseFile } from '../../../server/settings/database-location.js';
import { readSettings } from '../../../server/settings/read-settings.js';
import { copyEmptyFile, copyEmptyTables } from '../../service/demo-data.js';
import { useMysql } from '../../services/mysql.js';
import { needRedis, type PrivateRedis, startRedis } from '../../services/redis.js';
import { describeEmbedded, SERVER } from '../../services/server.js';
import { writeDefinitions } from './definitions.js';
import { disturbRedis } from './disturb-redis.js';
import { Run, type RunOptions, type RunResult } from './run.js';

const LIMITS = { RATE_LIMIT_PER_HOUR: '0', RATE_LIMIT_PER_MINUTE: '0', PORT: '0' };

/** The parts that differ between `npm test` and `npm run test:soak`. */
export interface Exactness
  extends Pick<RunOptions, 'time' | 'startService' | 'answers' | 'restarts' | 'answersPerCommit' | 'clockMoves'> {
  readonly seed: () => number;
  /** Whether each kind of database is combined with and without Redis. Otherwise, only services on a server use Redis. */
  readonly allCombinations: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  /** How much older than a commit the answers of a database server may be, in milliseconds. */
  readonly serverLagMs: number;
  readonly onEnd?: (result: RunResult) => void;
}

/** Defines the suites for each kind of database, with and without Redis. */
export function describeExactness(options: Exactness): void {
  for (const withRedis of [false, true]) {
    const title = `answers equal the data of their version${withRedis ? ', with Redis' : ''}`;
    if (options.allCombinations || !withRedis)
      describeEmbedded(`${title}, on the embedded database`, () => suite(options, () => ({}), withRedis, 1, 0));
    if (options.allCombinations || withRedis)
      describe(`${title}, in two services on ${SERVER}`, () => {
        const server = useMysql();
        suite(options, () => server.environment, withRedis, 2, options.serverLagMs);
      });
  }
}

function suite(
  { seed: readSeed, settings = {}, onEnd, answers, ...options }: Exactness,
  environment: () => Readonly<Record<string, string>>,
  withRedis: boolean,
  processes: number,
  lagMs: number,
): void {
  let folder: string;
  let redis: PrivateRedis | undefined;
  if (withRedis) needRedis();
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-exactness-'));
    if (withRedis) redis = await startRedis();
    const place = readSettings({ ...environment(), DATA_DIR: folder });
    const file = databaseFile(place);
    await (file === undefined ? copyEmptyTables(place.databaseUrl ?? '') : copyEmptyFile(file));
  });
  after(async () => {
    await redis?.remove();
    await rm(folder, { recursive: true });
  });

  it('during commits, rollbacks, restarts and changes of the clock', async () => {
    const [server, seed] = [redis, readSeed()];
    const result = await new Run({
      ...options,
      ...{ seed, answers, processes, lagMs },
      settings: {
        ...environment(),
        ...LIMITS,
        ...settings,
        DATA_DIR: folder,
        ENDPOINTS_DIR: await writeDefinitions(folder),
        ...(server && { REDIS_URL: server.url }),
      },
      ...(server && { disturb: (random) => disturbRedis(server, random) }),
    }).start();
    const { faults, ...counts } = result;
    onEnd?.(result);
    expect(faults, `seed ${seed}, ${JSON.stringify(counts)}`).to.deep.equal([]);
    expect(counts.checked, JSON.stringify(counts)).to.be.at.least(answers);
    expect(counts.restarts, JSON.stringify(counts)).to.equal(options.restarts);
    expect(counts.commits, JSON.stringify(counts)).to.be.above(answers / options.answersPerCommit / 2);
    expect(counts.clockMoves, JSON.stringify(counts)).to.be.above(0);
    expect(counts.outcomes.hit, JSON.stringify(counts)).to.be.above(answers / 10);
  });
}
