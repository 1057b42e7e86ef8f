import { join } from 'node:path';
import { openWarehouse } from '../../../server/databases/open-database.js';
import { requireStore } from '../../../server/databases/warehouse.js';
import { type ServerChild, startServer } from '../../child.js';
import { createDemo, demoSettings, NOW, serverVariables } from '../../demo-service.js';
import { alternate, type Figure } from '../../measure.js';
import { withMariaDb } from '../../with-mariadb.js';
import { type Contestant, type Rate, rateFigure, rateOf } from '../compare.js';
import type { RowContext } from '../context.js';
import { headerOf } from '../load/answer-reader.js';
import { mariaDbPid } from '../mariadb-pid.js';
import { startService } from '../service.js';
import { HAND_WRITTEN } from './hand-written-sql.js';
import { bareTarget, COPIES, type MissRequest, REQUESTS } from './requests.js';
import { requireEqualRows } from './require-equal-rows.js';

const TARGET = 0.85;
const EVENTS = { full: 300_000, quick: 20_000 };
const ROUNDS = 5;
const SECONDS = { warm: 1, measured: 3 };
/** The number of repositories in the requests. The repositories are those with the most stars. */
const REPOSITORIES = 40;
/** The number of requests per operation whose rows are compared before the measurement. */
const COMPARED = 20;
const NAMES = Object.keys(HAND_WRITTEN);

/** Measures cache misses, compared with hand-written SQL through the driver of DuckDB behind node:http. */
export async function measureDuckdbMisses(context: RowContext): Promise<Figure[]> {
  const file = join(context.folder, 'repo-insight.duckdb');
  const repositories = await createData(context, {});
  return compareMisses(context, 'duckdb', repositories, {
    ours: () => startService(context.folder, { NOW }),
    bare: () => startServer('references/hand-written-duckdb-server', [file]),
    databasePids: [],
  });
}

/** Like `measureDuckdbMisses`, for MariaDB and mysql2. */
export async function measureMariaDbMisses(context: RowContext): Promise<Figure[]> {
  return withMariaDb('miss / hand-written SQL (mariadb)', async (url, server) => {
    const variables = serverVariables(url);
    const repositories = await createData(context, variables);
    return compareMisses(context, 'mariadb', repositories, {
      ours: () => startService(context.folder, { NOW, ...variables }),
      bare: () => startServer('references/hand-written-mariadb-server', [url]),
      databasePids: [mariaDbPid(server)],
    });
  });
}

interface Servers {
  readonly ours: () => Promise<ServerChild>;
  readonly bare: () => Promise<ServerChild>;
  /** The database processes, whose CPU time is added to that of both servers. */
  readonly databasePids: readonly number[];
}

/** Creates a demo with many copies of a collection. Returns the names of the repositories with the most stars. */
async function createData(
  { folder, log, isQuick }: RowContext,
  variables: Readonly<Record<string, string>>,
): Promise<string[]> {
  const events = isQuick ? EVENTS.quick : EVENTS.full;
  log(`creating a demo of ${events} events`);
  const settings = demoSettings(folder, variables);
  await createDemo(settings, events);
  const warehouse = await openWarehouse(settings, { migrating: true });
  try {
    return await requireStore(warehouse).write(async (tables) => {
      const items = await tables.rows(
        'SELECT repo_name, repo_id FROM collection_items WHERE collection_id = 1 ORDER BY id',
      );
      const ids = Array.from({ length: COPIES.count }, (_, index) => COPIES.first + index);
      await tables.insertRows(
        'collections',
        ids.map((id) => [id, `Copy ${id}`, 1]),
      );
      const copies = ids.flatMap((id) =>
        items.map(([name, repo], place) => [id * 100 + place, id, name, repo, null, null]),
      );
      await tables.insertRows('collection_items', copies as (string | number | null)[][]);
      const names = await tables.rows(
        `SELECT r.repo_name FROM mv_repo_totals t JOIN github_repos r ON r.repo_id = t.repo_id
         WHERE r.is_deleted = 0 ORDER BY t.stars DESC, r.repo_id LIMIT ${REPOSITORIES}`,
      );
      return names.map(([name]) => String(name));
    });
  } finally {
    await warehouse.close();
  }
}

/** Only one process can open a database file, so the servers run one after the other and are started again in each round. */
async function compareMisses(
  { log, isQuick }: RowContext,
  database: string,
  repositories: readonly string[],
  servers: Servers,
): Promise<Figure[]> {
  await compareRows(repositories, servers);
  const rounds = isQuick ? 1 : ROUNDS;
  log(`${rounds} rounds of ${NAMES.length} operations`);
  const targets = (name: string, index: number) => requestOf(name, index, repositories);
  const rates = await alternate(rounds, {
    bare: () => ratesOf(servers.bare, servers, isQuick, (name, index) => bareTarget(name, targets(name, index))),
    ours: () => ratesOf(servers.ours, servers, isQuick, (name, index) => targets(name, index).path),
  });
  return NAMES.map((name) => {
    const of = (all: readonly ReadonlyMap<string, Rate>[]) => all.flatMap((round) => round.get(name) ?? []);
    const comparison = { name: `miss / hand-written SQL (${database}): ${name}`, target: TARGET, isQuick };
    return rateFigure(comparison, of(rates.ours), of(rates.bare));
  });
}

/** Starts a server and measures each operation. Every request has parameters that were not used before, so it is a cache miss. */
async function ratesOf(
  start: () => Promise<ServerChild>,
  { databasePids }: Servers,
  isQuick: boolean,
  targetOf: (name: string, index: number) => string,
): Promise<ReadonlyMap<string, Rate>> {
  const server = await start();
  try {
    const rates = new Map<string, Rate>();
    for (const name of NAMES) {
      let index = 0;
      const contestant: Contestant = {
        ...server,
        otherPids: databasePids,
        nextPath: () => targetOf(name, index++),
        check: (answer) => {
          const status = headerOf(answer, 'Cache-Status');
          if (status !== undefined && /\bhit\b/.test(status)) throw new Error(`${name} was not a miss: ${status}`);
        },
      };
      await rateOf(contestant, isQuick ? 0.3 : SECONDS.warm);
      rates.set(name, await rateOf(contestant, isQuick ? 0.5 : SECONDS.measured));
    }
    return rates;
  } finally {
    await server.stop();
  }
}

async function compareRows(repositories: readonly string[], servers: Servers): Promise<void> {
  const requests = NAMES.flatMap((name) =>
    Array.from({ length: COMPARED }, (_, index) => ({ name, ...requestOf(name, index, repositories) })),
  );
  const answersOf = async (start: () => Promise<ServerChild>, targets: readonly string[]) => {
    const server = await start();
    try {
      return await Promise.all(targets.map(async (target) => (await fetch(server.url + target)).json()));
    } finally {
      await server.stop();
    }
  };
  const ours = await answersOf(
    servers.ours,
    requests.map(({ path }) => path),
  );
  const bare = await answersOf(
    servers.bare,
    requests.map((request) => bareTarget(request.name, request)),
  );
  for (const [index, { path }] of requests.entries()) requireEqualRows(path, ours[index], bare[index]);
  for (const name of NAMES) {
    const hasRows = requests.some((request, index) => request.name === name && (bare[index] as unknown[]).length > 0);
    if (!hasRows) throw new Error(`no request of ${name} has rows`);
  }
}

function requestOf(name: string, index: number, repositories: readonly string[]): MissRequest {
  const request = REQUESTS[name];
  if (request === undefined) throw new Error(`no requests for ${name}`);
  return request(index, repositories);
}
