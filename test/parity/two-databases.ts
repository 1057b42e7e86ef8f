import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Comparison, compareEndpoint } from '../../engine/authoring/index.js';
import { createEngine, type Endpoint, type Engine, PATIENT_METADATA_TIMEOUT_MS } from '../../engine/index.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { refreshAsOf } from '../../warehouse/derived/refresh-as-of.js';
import type { TestWarehouse } from '../warehouse/test-warehouse.js';

/** The embedded database and a server with the same data. A test can set the current time of both. */
export interface TwoDatabases {
  /** Compares the answers of both databases to all requests of these endpoints. Returns one comparison per endpoint. */
  compare(names: readonly string[], bases?: readonly Base[]): Promise<Comparison[]>;
  /** Returns the first column of a SELECT on the embedded database. */
  values(sql: string): Promise<string[]>;
  /** Sets the current time of both databases, and computes the tables again that depend on it. */
  setClock(now: string): Promise<void>;
  readonly names: readonly string[];
  close(): Promise<void>;
}

/** Parameter values. Values of parameters that an endpoint does not have are ignored. */
export type Base = Readonly<Record<string, string | number | readonly string[]>>;

/** `fill` is called for both warehouses, one after the other. Parameters in `omitted` always have their default. */
export async function openTwoDatabases(
  [embedded, remote]: readonly [embedded: TestWarehouse, remote: TestWarehouse],
  fill: (warehouse: TestWarehouse) => Promise<unknown>,
  omitted: readonly string[] = [],
): Promise<TwoDatabases> {
  const both = [embedded, remote];
  for (const warehouse of both) await fill(warehouse);
  const endpoints = await loadDefinitions(readSettings({}));
  let now = new Date(0);
  const createEngineOn = ({ database }: TestWarehouse): Engine =>
    createEngine({
      endpoints,
      database,
      clock: () => now,
      stopwatch: () => 0,
      metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
    });
  const [one, other] = [createEngineOn(embedded), createEngineOn(remote)];
  return {
    names: endpoints.map(({ definition }) => definition.name),
    compare: async (names, given = []) => {
      const comparisons: Comparison[] = [];
      for (const name of names) {
        const [first = {}, ...bases] = distinctBases(one.endpoint(name), given);
        comparisons.push(await compareEndpoint(withFewValues(one, omitted, first), other, name, { bases }));
      }
      return comparisons;
    },
    values: async (sql) => (await embedded.rows(sql)).map(([value]) => String(value)),
    setClock: async (text) => {
      now = new Date(text);
      for (const { store } of both) await refreshAsOf(store, now);
    },
    close: async () => void (await Promise.all(both.map((warehouse) => warehouse.close()))),
  };
}

/**
 * Limits the generated requests to three languages, because the language is only a bound value and does not select a variant. The values in
 * `base` replace those of the examples, which the data do not contain.
 */
function withFewValues(engine: Engine, omitted: readonly string[], base: Base): Pick<Engine, 'endpoint' | 'run'> {
  return {
    endpoint: (name) => {
      const { definition, ...rest } = engine.endpoint(name);
      const examples = definition.examples.map((example) => ({ ...example, params: { ...example.params, ...base } }));
      const complete = { ...rest, definition: { ...definition, examples } };
      const kept = Object.entries(complete.parameters).filter(([parameter]) => !omitted.includes(parameter));
      const { language, ...others } = Object.fromEntries(kept);
      if (language?.enum === undefined) return { ...complete, parameters: Object.fromEntries(kept) };
      return { ...complete, parameters: { ...others, language: { ...language, enum: LANGUAGES } } };
    },
    run: ({ definition }, ...request) => engine.run(engine.endpoint(definition.name), ...request),
  };
}

const LANGUAGES = ['All', 'C++', 'Python'];

/** Removes values of parameters that the endpoint does not have, and then equal and empty sets of values. */
function distinctBases({ parameters }: Endpoint, bases: readonly Base[]): Base[] {
  const own = bases.map((base) => Object.fromEntries(Object.entries(base).filter(([name]) => name in parameters)));
  const distinct = new Map(own.map((base) => [JSON.stringify(base), base]));
  distinct.delete('{}');
  return [...distinct.values()];
}

/**
 * Returns parameter values: the repositories with the most stars, issues and pull requests, the accounts with the most repositories, and
 * the first collections.
 */
export async function selectBusiest(data: TwoDatabases, count = 1): Promise<Base[]> {
  const names = await data.values(`
    SELECT r.repo_name
    FROM github_repos r JOIN mv_repo_totals t ON t.repo_id = r.repo_id
    ORDER BY t.stars + t.issues + t.pull_requests DESC, r.repo_id
    LIMIT ${count}`);
  const logins = await data.values(`
    SELECT login FROM mv_repo_people WHERE login <> '' GROUP BY login ORDER BY COUNT(*) DESC, login LIMIT ${count}`);
  return names.map((name, index) => {
    const [owner = '', repo = ''] = name.split('/');
    const [login = ''] = [logins[index], ...logins];
    return { owner, repo, login, repos: [name, names[0] ?? name], collection_id: index + 1 };
  });
}

/** Returns the names of the comparisons without rows, because they do not test the operation. */
export function listEmpty(comparisons: readonly Comparison[]): string[] {
  return comparisons.filter(({ rows }) => rows === 0).map(({ name }) => name);
}

/** The operations that depend on the current time. */
export const CLOCK_OPERATIONS = [
  'collection-repo-ranking-by-issues',
  'collection-repo-ranking-by-prs',
  'collection-repo-ranking-by-stars',
  'collection-stars-history',
  'collections-by-growth',
  'collections-growth-history',
  'list-hot-collections',
  'list-trending-repos',
  'star-movers',
];

/** Sets another time zone than UTC for the process of the suite. The private server also has another one. */
export function useOtherTimeZone(): void {
  const zone = process.env.TZ;
  before(() => {
    process.env.TZ = 'America/St_Johns';
  });
  after(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
}

/** Writes events of the current format to a file in the folder of the warehouse. */
export async function writeEventFile(
  { folder }: TestWarehouse,
  name: string,
  events: readonly object[],
): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  return file;
}
