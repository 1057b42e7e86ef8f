import { createRandom } from '../../demo/world/random.js';
import { listMoments } from './clocks.js';
import { dayOf, daysAfter } from './times.js';
import { groupBy } from './universe.js';
import type { World } from './world.js';
import type { Request } from './world-database.js';

type Parameters = Readonly<Record<string, string>>;

/** The operations for a repository, with every combination of enum and boolean parameters. */
const REPOSITORY_OPERATIONS: Readonly<Record<string, readonly Parameters[]>> = {
  'list-issue-creators': createCombinations({
    sort: ['issues', 'issues-desc', 'first_issue_opened_at', 'first_issue_opened_at-desc', 'login'],
    exclude_bots: ['true', 'false'],
  }),
  'list-pull-request-creators': createCombinations({
    sort: [
      'login',
      'prs',
      'prs-desc',
      'first_pr_opened_at',
      'first_pr_opened_at-desc',
      'first_pr_merged_at',
      'first_pr_merged_at-desc',
    ],
    exclude_bots: ['true', 'false'],
  }),
  'issue-creators-history': createCombinations({ per: ['day', 'week', 'month'] }),
  'pull-request-creators-history': createCombinations({ per: ['day', 'week', 'month'] }),
  'stargazers-history': createCombinations({ per: ['day', 'week', 'month'] }),
  'list-countries-of-issue-creators': createCombinations({ exclude_unknown: ['true', 'false'] }),
  'list-countries-of-pr-creators': createCombinations({ exclude_unknown: ['true', 'false'] }),
  'list-countries-of-stargazers': createCombinations({ exclude_unknown: ['true', 'false'] }),
  'list-organizations-of-issue-creators': createCombinations({ exclude_unknown: ['true', 'false'] }),
  'list-organizations-of-pr-creators': createCombinations({ exclude_unknown: ['true', 'false'] }),
  'list-organizations-of-stargazers': createCombinations({ exclude_unknown: ['true', 'false'] }),
};

const RANKINGS = createCombinations({ period: ['past_28_days', 'past_month'] });

/** The operations for a collection. */
const COLLECTION_OPERATIONS: Readonly<Record<string, readonly Parameters[]>> = {
  'collection-repo-ranking-by-issues': RANKINGS,
  'collection-repo-ranking-by-prs': RANKINGS,
  'collection-repo-ranking-by-stars': RANKINGS,
  'list-repos-of-collection': [{}],
};

/**
 * Creates the requests that depend on all worlds. Before these requests are sent, the tables that depend on the clock must be refreshed.
 */
export function createGlobalRequests(): Request[] {
  return Object.entries(GLOBAL_OPERATIONS).flatMap(([operation, all]) =>
    all.map((parameters) => ({ operation, parameters })),
  );
}

const GLOBAL_OPERATIONS: Readonly<Record<string, readonly Parameters[]>> = {
  'list-trending-repos': createCombinations({
    period: ['past_24_hours', 'past_week', 'past_month', 'past_3_months'],
    language: ['All', 'TypeScript', 'C++', 'C#', 'Emacs Lisp', 'Rust'],
  }),
  'list-hot-collections': [{}],
  'list-collections': [{}],
};

/** Creates the requests for the repositories and collections of a world, with `take` parameter combinations per operation. */
export function createRequests(world: World, worldIndex: number, take: number): Request[] {
  const names = [...groupBy(world.facts, ({ repository }) => repository.name)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([name]) => name);
  const [first = 'missing/missing', second = first, third = first] = names;
  const asked = [first, second, first, first.toUpperCase(), third, first, second, first, 'missing/missing'];
  const pick = createPicker(worldIndex);
  const ofRepositories = Object.entries(REPOSITORY_OPERATIONS).flatMap(([operation, all]) =>
    pick(all, take).map((parameters) => {
      const [owner = '', repo = ''] = pick(asked, 1).join('').split('/');
      const rest =
        operation.endsWith('creators') && 'sort' in parameters ? pick(PAGES, 1)[0] : pick(createRanges(world), 1)[0];
      return { operation, parameters: { owner, repo, ...parameters, ...rest } };
    }),
  );
  const ids = world.collections.map(({ id }) => String(id));
  const ofCollections = [...pick(ids, take), ...pick(NO_COLLECTIONS, 1)].flatMap((id) =>
    Object.entries(COLLECTION_OPERATIONS).flatMap(([operation, all]) =>
      pick(id === '' ? [] : all, take).map((parameters) => ({
        operation,
        parameters: { collection_id: id, ...parameters },
      })),
    ),
  );
  return [...ofRepositories, ...ofCollections];
}

/** Ids of collections that do not exist. An empty text means that the world does not request a missing collection. */
const NO_COLLECTIONS = ['0', '', '', '-1', '', '', String(Number.MAX_SAFE_INTEGER), '', ''];

const PAGES: readonly Parameters[] = [
  { page: '1', page_size: '100' },
  { page: '1', page_size: '30' },
  { page: '2', page_size: '1' },
  { page: '1', page_size: '100' },
  { page: '1', page_size: '1' },
  { page: '1', page_size: '50' },
  { page: '2', page_size: '3' },
  { page: '1', page_size: '100' },
  { page: '10000', page_size: '100' },
];

const EVER = { from: '2000-01-01', to: '2099-01-01' };

/** Returns date ranges that start or end near a day at which errors are likely. */
function createRanges(world: World): Parameters[] {
  const days = listMoments(world.now).map(dayOf);
  const facts = world.facts.map(({ at }) => dayOf(at)).sort();
  const [first = '2020-01-01', last = '2020-01-01'] = [facts[0], facts.at(-1)];
  const edges = [...new Set([...days, first, last, daysAfter(last, 1), daysAfter(first, -1)])].sort();
  const some = edges.flatMap((from, index) =>
    [0, 1, 3, 9].flatMap((step) => edges[index + step] ?? []).map((to) => ({ from, to })),
  );
  return [{ from: '1000-01-01', to: '9999-12-31' }, ...some.flatMap((range) => [range, EVER])];
}

/** Returns a function that selects consecutive items from a random start. The same world index always leads to the same selections. */
function createPicker(worldIndex: number): <Item>(all: readonly Item[], count: number) => Item[] {
  const random = createRandom(worldIndex, 'requests');
  return (all, count) => {
    const start = random.below(all.length);
    return [...all.slice(start), ...all.slice(0, start)].slice(0, count);
  };
}

function createCombinations(values: Readonly<Record<string, readonly string[]>>): Parameters[] {
  return Object.entries(values).reduce<Parameters[]>(
    (all, [key, options]) => all.flatMap((some) => options.map((option) => ({ ...some, [key]: option }))),
    [{}],
  );
}
