import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { startRedis } from '../../../test/services/redis.js';
import type { ServerChild } from '../../child.js';
import { createDemo, demoSettings, NOW, serverVariables } from '../../demo-service.js';
import { type Figure, median } from '../../measure.js';
import { withMariaDb } from '../../with-mariadb.js';
import type { RowContext } from '../context.js';
import { startService } from '../service.js';
import { askAtOnce } from './ask-at-once.js';
import { MARK, slowPath, writeSlowEndpoint } from './slow-endpoint.js';

const CLIENTS = { full: 10_000, quick: 200 };
const EVENTS = 20_000;
const PROCESSES = 4;
/** Before the measurement, a fifth of the clients send a request with another key. */
const WARMING_PART = 5;
const NAME = 'clients on one cold key';

/** Measures thousands of simultaneous requests for the same answer, which is not cached. */
export async function measureStampede(context: RowContext): Promise<Figure[]> {
  return withMariaDb(NAME, async (url) => {
    const { folder, log } = context;
    log(`creating a demo of ${EVENTS} events`);
    const variables = serverVariables(url);
    await createDemo(demoSettings(folder, variables), EVENTS);
    const settings = { ...variables, NOW, ENDPOINTS_DIR: await writeSlowEndpoint(folder) };
    const database = await createConnection({ uri: url });
    const redis = await startRedis();
    try {
      await database.query("SET GLOBAL log_output = 'TABLE'");
      const alone = await measureProcesses(context, database, 1, settings);
      const together = await measureProcesses(context, database, PROCESSES, { ...settings, REDIS_URL: redis.url });
      return [...alone, ...together];
    } finally {
      await database.end();
      await redis.remove();
    }
  });
}

async function measureProcesses(
  { folder, log, isQuick }: RowContext,
  database: Connection,
  processes: number,
  settings: Readonly<Record<string, string>>,
): Promise<Figure[]> {
  const services: ServerChild[] = [];
  try {
    for (let index = 0; index < processes; index += 1) services.push(await startService(folder, settings));
    const urls = services.map(({ url }) => url);
    const clients = isQuick ? CLIENTS.quick : CLIENTS.full;
    // Warm-up, because a process that has just started compiles its code during the first requests. The measured key is not cached by this.
    await askAtOnce(urls, slowPath(0), clients / WARMING_PART);
    const querySeconds = await timeAlone(urls[0] ?? '');
    log(`${clients} clients at ${processes} processes; one query takes ${querySeconds.toFixed(2)} s`);
    await database.query('TRUNCATE TABLE mysql.general_log');
    await database.query('SET GLOBAL general_log = ON');
    const report = await askAtOnce(urls, slowPath(1000 + processes), clients);
    await database.query('SET GLOBAL general_log = OFF');
    const queries = await countQueries(database);
    if (report.firstFailure !== undefined) log(`${report.failed} failed: ${report.firstFailure}`);
    return crowdFigures(`${clients} ${NAME}, ${processes} processes`, { ...report, queries, querySeconds });
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}

interface CrowdResult {
  readonly slowest: number;
  readonly failed: number;
  readonly failures: ReadonlyMap<string, number>;
  readonly differentRows: ReadonlySet<string>;
  readonly queries: number;
  readonly querySeconds: number;
}

/** Returns the figures. If clients failed, they are invalid, because a rejected request is fast and needs no query. */
function crowdFigures(name: string, result: CrowdResult): Figure[] {
  const { slowest, failed, failures, differentRows, queries, querySeconds } = result;
  const isValid = failed === 0 && differentRows.size === 1 && queries > 0;
  const measured = { slowest, failed, differentAnswers: differentRows.size, queries, querySeconds };
  const kinds = [...failures].map(([kind, count]) => `${count} ${kind}`).join(', ');
  const outcome = `${failed} failed${kinds === '' ? '' : ` (${kinds})`}, ${differentRows.size} different answers, ${queries} queries`;
  const shared = { bound: 'at most', measured } as const;
  return [
    {
      ...shared,
      name: `${name}: queries`,
      value: isValid ? queries : Number.NaN,
      unit: 'queries',
      target: 1,
      detail: outcome,
    },
    {
      ...shared,
      name: `${name}: slowest`,
      value: isValid ? slowest : Number.NaN,
      unit: 's',
      target: 2 * querySeconds + 1,
      detail: `${slowest.toFixed(2)} s; one query alone takes ${querySeconds.toFixed(2)} s; ${outcome}`,
    },
  ];
}

/** Measures single requests without other load. Each request has different parameters. */
async function timeAlone(url: string): Promise<number> {
  const seconds: number[] = [];
  for (const seed of [1, 2, 3]) {
    const started = performance.now();
    const answer = await fetch(url + slowPath(seed));
    if (answer.status !== 200) throw new Error(`the slow endpoint answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
    seconds.push((performance.now() - started) / 1000);
  }
  return median(seconds);
}

async function countQueries(database: Connection): Promise<number> {
  const [[row]] = await database.query<RowDataPacket[]>(
    "SELECT COUNT(*) AS queries FROM mysql.general_log WHERE command_type = 'Execute' AND argument LIKE ?",
    [`%${MARK}%`],
  );
  return Number(row?.queries);
}
