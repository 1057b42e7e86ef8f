import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openWarehouse } from '../server/databases/open-database.js';
import { requireStore, type Warehouse } from '../server/databases/warehouse.js';
import { createNameSearch, type NameSearch } from '../warehouse/search.js';
import { fillNames } from '../warehouse/seeds.js';
import { demoSettings, serverVariables } from './demo-service.js';
import { alternate, type Figure, median } from './measure.js';
import { withMariaDb } from './with-mariadb.js';

const NAMES = 1_000_000;
const ROUNDS = 60;
const TARGET_MS = 20;

/** Keywords that users type letter by letter, and keywords without a match. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  'one letter': ['a', 'r', 'z', 'm'],
  'a few letters': ['re', 'lib', 'data', 'jso'],
  'a whole name': ['react-kit', 'cloud-tools-4', 'octo-code-17'],
  'an owner and a letter': ['ada-data-1/r', 'open-kit-3/'],
  nothing: ['qqqq', 'react-kit-nothing', 'x/y/z'],
};

/** Measures the search for names among a million repositories and a million accounts, on DuckDB and on a server. */
export async function benchSearch(folder: string, log: (text: string) => void): Promise<Figure[]> {
  const file = join(folder, 'file');
  await mkdir(file);
  const embedded = await measure('embedded', demoSettings(file), log);
  const server = await withMariaDb('search (MariaDB)', (url) =>
    measure('MariaDB', demoSettings(folder, serverVariables(url)), log),
  );
  return [...embedded, ...server];
}

async function measure(place: string, settings: ReturnType<typeof demoSettings>, log: (text: string) => void) {
  const warehouse = await openWarehouse(settings, { migrating: true });
  try {
    log(`creating ${NAMES} repositories and ${NAMES} accounts, ${place}`);
    await fill(warehouse);
    const search = createNameSearch(warehouse.database);
    const figures: Figure[] = [];
    for (const [kind, keywords] of Object.entries(KEYWORDS)) figures.push(await timesOf(search, place, kind, keywords));
    return figures;
  } finally {
    await warehouse.close();
  }
}

async function timesOf(search: NameSearch, place: string, kind: string, keywords: readonly string[]): Promise<Figure> {
  const next = { repositories: 0, users: 0, organizations: 0 };
  const measureSearch = (what: keyof NameSearch) => async () => {
    const keyword = keywords[next[what]++ % keywords.length] ?? '';
    const started = performance.now();
    await search[what](keyword);
    return performance.now() - started;
  };
  const times = await alternate(ROUNDS, {
    repositories: measureSearch('repositories'),
    users: measureSearch('users'),
    organizations: measureSearch('organizations'),
  });
  const medians = Object.entries(times).map(([what, values]) => [what, median(values)] as const);
  return {
    name: `search, ${kind} (${place})`,
    value: Math.max(...medians.map(([, value]) => value)),
    unit: 'ms',
    target: TARGET_MS,
    bound: 'at most',
    detail: medians.map(([what, value]) => `${what} ${value.toFixed(2)} ms`).join(', '),
  };
}

async function fill(warehouse: Warehouse): Promise<void> {
  const store = requireStore(warehouse);
  await store.write(async (tables) => {
    await tables.append('github_users', USERS);
    await tables.append('github_repos', REPOSITORIES);
  });
  await store.write(fillNames);
  await store.optimize();
}

/** The words from which names are composed. As in real data, many names begin in the same way. */
const WORDS = `['react', 'node', 'data', 'cloud', 'open', 'kit', 'json', 'lib', 'awesome', 'test', 'my', 'app', 'web', 'code',
  'tools', 'go', 'rust', 'py', 'ml', 'deep', 'fast', 'ada', 'octo', 'micro', 'zen', 'vue', 'api', 'docs', 'hello', 'learn']`;

const word = (seed: string) => `${WORDS}[1 + (hash(${seed}) % 30)::INTEGER]`;
const name = (seed: string) =>
  `${word(`${seed} * 3`)} || '-' || ${word(`${seed} * 5 + 1`)} || CASE WHEN hash(${seed}) % 9 = 0 THEN '' ELSE '-' || hash(${seed}) % 900 END`;
/** The SQL for the stars of a repository. Few repositories are popular: one in a thousand has at least a thousand stars. */
const popularity = (seed: string) => `least(400000, 1000000 // (1 + hash(${seed} * 7) % 1000000) - 1)::INTEGER`;

const USERS = `
  SELECT i AS id, ${name('i')} || '-' || i % 50 AS login, CASE WHEN i % 20 = 0 THEN 'Organization' ELSE 'User' END AS type,
    ${popularity('i')} AS followers
  FROM range(1, ${NAMES + 1}) numbers(i)`;

const REPOSITORIES = `
  SELECT repo_id, repo_name, lower(repo_name) AS repo_name_lower, split_part(repo_name, '/', 1) AS owner_login, stars
  FROM (
    SELECT i AS repo_id, ${name('(i // 3)')} || '-' || i % 50 || '/' || ${name('(i + 13)')} AS repo_name,
      ${popularity('(i + 29)')} AS stars
    FROM range(1, ${NAMES + 1}) numbers(i)
  )`;
