import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadProfiles } from '../../demo/fill-with-demo.js';
import { toEnvelope } from '../../engine/http/envelopes/envelope.js';
import { type Answer, createEngine, type Engine, PATIENT_METADATA_TIMEOUT_MS } from '../../engine/index.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { storeCollections } from '../../warehouse/collections.js';
import { refreshRelisted } from '../../warehouse/derived/refresh.js';
import { refreshAsOf } from '../../warehouse/derived/refresh-as-of.js';
import { repoTotals } from '../../warehouse/tables/tables.js';
import type { MakeWarehouse, TestWarehouse } from '../warehouse/test-warehouse.js';
import { archiveLine } from './archive-lines.js';
import { countedDays } from './counts.js';
import type { Row } from './creators.js';
import { millisOf } from './times.js';
import type { World } from './world.js';

/** A request to the service: an operation and its parameters as text. */
export interface Request {
  readonly operation: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** A real database with worlds, and the engine of the service on it. */
export interface WorldDatabase {
  /** Computes the tables again that depend on the clock: trends and month ranks. */
  refresh(now: string): Promise<void>;
  /** Runs a request and returns its rows, with cells in the order of the columns. */
  ask(request: Request, now: string): Promise<Row[]>;
  /** Runs a request for a list and follows the cursors. Returns the rows of each page. */
  walk(request: Request, now: string): Promise<Row[][]>;
  close(): Promise<void>;
}

/** Imports the worlds from two archive files: one with all facts, and one with the repeated facts. */
export async function openWorlds(worlds: readonly World[], make: MakeWarehouse): Promise<WorldDatabase> {
  const warehouse = await make();
  await importFacts(warehouse, worlds);
  await storeProfiles(warehouse, worlds);
  await storeCollections(
    warehouse.store,
    worlds
      .flatMap((world) => world.collections)
      .map(({ id, name, isPublic, items }) => ({
        id,
        name,
        public: isPublic,
        items: items.map((item) => ({ repo_name: item.name, repo_id: Number(item.id) })),
      })),
  );
  await fillTables(warehouse, worlds);
  return createWorldDatabase(warehouse);
}

/** Opens a filled warehouse. */
export async function createWorldDatabase(warehouse: TestWarehouse): Promise<WorldDatabase> {
  let clock = '';
  const engine = createEngine({
    endpoints: await loadDefinitions(readSettings({})),
    database: warehouse.database,
    clock: () => new Date(millisOf(clock)),
    stopwatch: () => 0,
    metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
  });
  return {
    refresh: (now) => refreshAsOf(warehouse.store, new Date(millisOf(now))),
    ask: (request, now) => {
      clock = now;
      return runRequest(engine, request);
    },
    walk: (request, now) => {
      clock = now;
      return walkPages(engine, request);
    },
    close: () => warehouse.close(),
  };
}

async function runRequest(engine: Engine, { operation, parameters }: Request): Promise<Row[]> {
  return rowsOf(await engine.run(engine.endpoint(operation), { path: {}, query: parameters }));
}

async function walkPages(engine: Engine, { operation, parameters }: Request): Promise<Row[][]> {
  const pages: Row[][] = [];
  let cursor: string | null | undefined;
  do {
    const query = { ...parameters, ...(cursor !== undefined && cursor !== null && { cursor }) };
    const answer = await engine.run(engine.endpoint(operation), { path: {}, query });
    pages.push(rowsOf(answer));
    cursor = answer.nextCursor;
  } while (typeof cursor === 'string');
  return pages;
}

function rowsOf(answer: Answer): Row[] {
  const { columns, rows } = toEnvelope(answer).data;
  return rows.map((row) => columns.map(({ col }) => row[col] ?? ''));
}

async function importFacts({ folder, import: load }: TestWarehouse, worlds: readonly World[]): Promise<void> {
  const [all, again] = [join(folder, 'all.json'), join(folder, 'again.json')];
  await Promise.all([writeFile(all, ''), writeFile(again, '')]);
  for (const [worldIndex, { facts, repeated }] of worlds.entries()) {
    const id = (fact: World['facts'][number]) => worldIndex * 10_000 + facts.indexOf(fact);
    await appendFile(all, facts.map((fact) => `${archiveLine(fact, id(fact))}\n`).join(''));
    await appendFile(again, repeated.map((fact) => `${archiveLine(fact, id(fact))}\n`).join(''));
  }
  // The importer rejects an empty file.
  const has = (key: 'facts' | 'repeated') => worlds.some((world) => world[key].length > 0);
  const files = [...(has('facts') ? [all] : []), ...(has('repeated') ? [again] : [])];
  if (files.length === 0) return;
  const { files: outcomes } = await load(files);
  // The second file may be skipped, if it is equal to the first one.
  const failed = outcomes.filter(({ state, broken }) => !['imported', 'skipped'].includes(state) || broken > 0);
  if (failed.length > 0) throw new Error(`the import of the worlds failed: ${JSON.stringify(failed)}`);
}

async function storeProfiles({ folder, store }: TestWarehouse, worlds: readonly World[]): Promise<void> {
  // The database may only read files in the staging folder.
  const staging = join(folder, 'staging');
  const [peopleFile, repositoriesFile] = [join(staging, 'people'), join(staging, 'repositories')];
  const people = worlds.flatMap(({ profiles }) =>
    [...profiles].map(([id, { name, organization, country }]) =>
      line(id, 'id', { type: 'User', name, company: organization, location: '', country_code: country }),
    ),
  );
  const repositories = worlds.flatMap((world) =>
    [...world.repositories].map(([id, { language, description, stars, forks, createdAt, isDeleted }]) =>
      line(id, 'repo_id', {
        description,
        primary_language: language,
        license: null,
        size: 1,
        stars,
        forks,
        is_deleted: isDeleted,
        created_at: createdAt,
      }),
    ),
  );
  await Promise.all([writeFile(peopleFile, people.join('')), writeFile(repositoriesFile, repositories.join(''))]);
  await store.write((tables) => loadProfiles(tables, { peopleFile, repositoriesFile }));
}

function line(id: bigint, key: string, facts: object): string {
  return `{"${key}":${id},${JSON.stringify(facts).slice(1)}\n`;
}

async function fillTables({ store }: TestWarehouse, worlds: readonly World[]): Promise<void> {
  const distinct = (names: readonly string[]) => [...new Set(names)].map((name) => [name]);
  await store.write(async (tables) => {
    const visits = worlds
      .flatMap((world) => world.visits)
      .map(({ collection, day, visits }) => [collection, day, visits]);
    await tables.insertRows('collection_visits', visits);
    const counts = worlds.flatMap((world) => [...world.counts]);
    const days = counts.flatMap(([id, { days }]) => [...days].map(([day, stars]) => [id, day, stars]));
    await tables.insertRows('github_star_days', days);
    await tables.insertRows(
      'github_star_histories',
      counts.map(([id, one]) => [id, one.until, countedDays(one).length]),
    );
    await tables.recompute(repoTotals, `SELECT unnest([${counts.map(([id]) => id).join(', ')}]::BIGINT[])`);
    const lists = worlds.flatMap((world) => [...world.lists]);
    await tables.insertRows(
      'github_issues',
      lists.flatMap(([id, { threads }]) =>
        threads.map(({ type, number, user, openedAt, mergedAt = null }) => {
          return [id, number, type === 'PullRequestEvent' ? 1 : 0, user, openedAt, mergedAt];
        }),
      ),
    );
    await tables.insertRows(
      'github_issue_lists',
      lists.map(([id, { until }]) => [id, until]),
    );
    await refreshRelisted(tables, `SELECT unnest([${lists.map(([id]) => id).join(', ')}]::BIGINT[])`);
    const repositories = distinct(worlds.flatMap((world) => world.hiddenRepositories));
    await tables.insertRows('blacklist_repos', repositories);
    await tables.insertRows('blacklist_users', distinct(worlds.flatMap((world) => world.hiddenPeople)));
  });
}
