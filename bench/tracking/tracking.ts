import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sqlTime } from '../../engine/index.js';
import { followTracked } from '../../github/tracking/follow-tracked.js';
import { openWarehouse } from '../../server/databases/open-database.js';
import { importFolders, requireStore } from '../../server/databases/warehouse.js';
import { openEngine } from '../../server/open-engine.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { createClientOf } from '../../test/github/github-server.js';
import { storeCollections } from '../../warehouse/collections.js';
import { refreshAsOf } from '../../warehouse/derived/refresh-as-of.js';
import { formatArchiveHour } from '../../warehouse/import/files/archive-hours.js';
import { importSources } from '../../warehouse/import/import-sources.js';
import { isoTime } from '../../warehouse/rules/times.js';
import type { Store } from '../../warehouse/store/store.js';
import { startServer } from '../child.js';
import type { Figure } from '../measure.js';
import { archiveDay } from './lossy-archive.js';
import { compareRankings, type RankingErrors } from './ranking-errors.js';
import { createMonth, DAY_MS, FIRST, HOUR_MS, type MonthPlan, START } from './true-month.js';

const MONTH: MonthPlan = { seed: 1, repositories: 1_000, days: 30 };
const QUICK: MonthPlan = { seed: 1, repositories: 100, days: 3 };
const ITEMS = 20;
/** The interval and the request budget of the runs, as in `serve` with one token. */
const RUN = { everyMs: 600_000, budget: 400 };
const SOURCES = 4;
const TOKEN_REQUESTS_PER_HOUR = 5_000;
const MAX_AGE_HOURS = 6;

/** The state at the end of an hour of the simulated month. */
interface HourReport {
  readonly requests: number;
  /** The number of collections for which all repositories have complete star histories and issue lists. */
  readonly complete: number;
  /** For each kind of source, the age of the oldest one in hours; infinite if one was never read to its end. */
  readonly ages: Readonly<Record<string, number>>;
}

/**
 * Tracks the repositories of collections for a month with a simulated GitHub, while the archive loses most of their stars, issues and pull
 * requests. Then compares the rankings of the collections with the true values, once with the archive alone and once with all sources.
 */
export async function benchTracking(
  folder: string,
  log: (text: string) => void,
  { isQuick, ...changes }: { readonly isQuick: boolean; readonly days?: number; readonly collections?: number },
): Promise<Figure[]> {
  const basis = isQuick ? QUICK : MONTH;
  const { days = basis.days, collections: count = basis.repositories / ITEMS } = changes;
  const plan: MonthPlan = { ...basis, days, repositories: count * ITEMS };
  const end = START + plan.days * DAY_MS;
  const repositories = createMonth(plan);
  const collections = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Collection ${index + 1}`,
    items: repositories
      .filter((_repository, place) => place % count === index)
      .map(({ id, name }) => ({ repo_id: id, repo_name: name })),
  }));
  const open = async (name: string) => {
    const settings = readSettings({ DATA_DIR: join(folder, name), NOW: isoTime(sqlTime(new Date(end - 1_000))) });
    const warehouse = await openWarehouse(settings, { migrating: true });
    await storeCollections(requireStore(warehouse), collections);
    return { settings, warehouse };
  };
  const [archive, tracked] = [await open('archive'), await open('tracked')];
  const github = await startServer('true-github', [JSON.stringify(plan)]);
  try {
    const store = requireStore(tracked.warehouse);
    const client = createClientOf(github.url, () => now);
    const { stagingDirectory } = importFolders(tracked.settings);
    let now = START;
    const hours: HourReport[] = [];
    let [requests, cpuSeconds] = [0, 0];
    const importDay = async (day: number) => {
      const files = await writeFiles(folder, archiveDay(repositories, day));
      for (const { settings, warehouse } of [archive, tracked]) {
        await importSources(requireStore(warehouse), files, {
          ...importFolders(settings),
          now: new Date(day + DAY_MS),
        });
      }
      for (const file of files) await rm(file);
    };
    for (let day = FIRST; day < START; day += DAY_MS) await importDay(day);
    log('the archive before the month is imported');
    for (; now < end; now += RUN.everyMs) {
      await github.order(String(now));
      const started = process.cpuUsage();
      const summary = await followTracked(store, client, {
        ...{ budget: RUN.budget, wait: false, signal: new AbortController().signal, stagingDirectory },
        ...{ clock: () => new Date(now), now: () => now },
      });
      const { user, system } = process.cpuUsage(started);
      cpuSeconds += (user + system) / 1e6;
      if (summary.failed > 0) throw new Error(`${summary.failed} sources failed: ${summary.stopped}`);
      requests += summary.requests;
      const next = now + RUN.everyMs;
      if (next % HOUR_MS === 0) {
        hours.push({ requests, ...(await measureAges(store, plan, next)) });
        requests = 0;
      }
      if (next % DAY_MS === 0) {
        await importDay(next - DAY_MS);
        log(
          `day ${(next - START) / DAY_MS}: ${describeHours(hours.slice(-24))}, ${Math.round(cpuSeconds)} CPU s so far`,
        );
      }
    }
    const compare = async ({ settings, warehouse }: typeof tracked) => {
      await refreshAsOf(requireStore(warehouse), new Date(end));
      const engine = await openEngine(settings, warehouse.database);
      return compareRankings(engine, collections, repositories, end);
    };
    const [alone, all] = [await compare(archive), await compare(tracked)];
    return toFigures(hours, cpuSeconds, alone, all);
  } finally {
    await github.stop();
    for (const { warehouse } of [archive, tracked]) await warehouse.close();
  }
}

/** Returns the age of the sources of all repositories. */
async function measureAges(store: Store, plan: MonthPlan, now: number): Promise<Omit<HourReport, 'requests'>> {
  const rows = await store.write((tables) =>
    tables.rows(
      `SELECT source, COUNT(checked_at) AS checked, MIN(checked_at) AS oldest FROM sys_repo_sources GROUP BY source`,
    ),
  );
  const ages = rows.map(([source, checked, oldest]): [string, number] => [
    String(source),
    Number(checked) < plan.repositories ? Number.POSITIVE_INFINITY : (now - Date.parse(isoTime(oldest))) / HOUR_MS,
  ]);
  const [[incomplete] = []] = await store.write((tables) =>
    tables.rows(
      `SELECT COUNT(DISTINCT i.collection_id) AS incomplete
       FROM collection_items i
       LEFT JOIN github_star_histories h ON h.repo_id = i.repo_id
       LEFT JOIN github_issue_lists l ON l.repo_id = i.repo_id
       WHERE h.repo_id IS NULL OR l.repo_id IS NULL`,
    ),
  );
  return { complete: plan.repositories / ITEMS - Number(incomplete), ages: Object.fromEntries(ages) };
}

async function writeFiles(folder: string, hours: ReadonlyMap<number, string[]>): Promise<string[]> {
  return Promise.all(
    [...hours].map(async ([hour, lines]) => {
      const file = join(folder, `${formatArchiveHour(hour / HOUR_MS)}.json`);
      await writeFile(file, `${lines.join('\n')}\n`);
      return file;
    }),
  );
}

function describeHours(hours: readonly HourReport[]): string {
  const last = hours.at(-1);
  const ages = Object.entries(last?.ages ?? {}).map(([source, age]) => `${source} ${age.toFixed(1)} h`);
  const most = Math.max(...hours.map(({ requests }) => requests));
  return `at most ${most} requests per hour, ${last?.complete} complete collections, oldest ${ages.join(', ')}`;
}

function describeErrors(errors: readonly RankingErrors[]): string {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  return errors
    .map(
      ({ ranking, rightNumbers, rightRanks, medianShare, smallestShare, silent }) =>
        `${ranking}: ${percent(rightNumbers)} right numbers, ${percent(rightRanks)} right ranks, ` +
        `median ${percent(medianShare)} and at least ${percent(smallestShare)} of the truth, ${silent} wrong without a warning`,
    )
    .join('; ');
}

function toFigures(
  hours: readonly HourReport[],
  cpuSeconds: number,
  alone: readonly RankingErrors[],
  all: readonly RankingErrors[],
): Figure[] {
  const first = hours.findIndex(
    ({ ages }) => Object.values(ages).length === SOURCES && Math.max(...Object.values(ages)) < MAX_AGE_HOURS,
  );
  const later = first < 0 ? [] : hours.slice(first);
  const steady = later.reduce((sum, { requests }) => sum + requests, 0) / later.length;
  const oldest = Math.max(...later.flatMap(({ ages: { repository: _, ...ages } }) => Object.values(ages)));
  return [
    {
      name: 'tracking, requests per hour after the first read',
      value: steady,
      unit: 'requests',
      target: TOKEN_REQUESTS_PER_HOUR / 2,
      bound: 'at most',
      detail: `the first read of all sources took ${first + 1} hours and ${hours.slice(0, first + 1).reduce((sum, { requests }) => sum + requests, 0)} requests; ${cpuSeconds.toFixed(0)} CPU s`,
    },
    {
      name: 'tracking, age of the oldest star history, list or feed',
      value: oldest,
      unit: 'h',
      target: MAX_AGE_HOURS,
      bound: 'at most',
      detail: `at the end of each hour after the first read of all sources`,
    },
    ...all.map(
      ({ ranking, rightNumbers }, index): Figure => ({
        name: `tracking, right numbers in rankings by ${ranking}`,
        value: rightNumbers * 100,
        unit: '%',
        target: 99,
        bound: 'at least',
        detail: `${describeErrors([all[index] as RankingErrors])}. The archive alone: ${describeErrors([alone[index] as RankingErrors])}`,
      }),
    ),
  ];
}
