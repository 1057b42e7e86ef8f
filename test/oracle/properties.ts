import { expect } from 'chai';
import type { Row } from './creators.js';
import { daysAfter } from './times.js';
import type { Request } from './world-database.js';

/** A data set and its service. The tested properties must hold for any data. */
export interface PropertyTarget {
  /** The names of some repositories in the form `owner/name`. */
  readonly repositories: readonly string[];
  readonly collections: readonly string[];
  readonly languages: readonly string[];
  ask(request: Request): Promise<Row[]>;
  walk(request: Request): Promise<Row[][]>;
}

/** Defines the tests. `target` is only called when they run. */
export function testProperties(target: () => PropertyTarget): void {
  it('page n + 1 of a list continues page n', async () => {
    for (const { operation, repository, sort } of createListRequests(target())) {
      const list = (page: number, size: number) =>
        ask(target(), repository, operation, { sort, exclude_bots: 'false', page: `${page}`, page_size: `${size}` });
      const whole = await list(1, MAX_PAGE);
      for (const size of [1, 4].filter((size) => whole.length <= size * MAX_PAGES)) {
        const pages: Row[] = [];
        for (let page = 1; pages.length < whole.length; page += 1) {
          const rows = await list(page, size);
          expect(rows.length, `${operation} of ${repository}, page ${page} of ${size}`).to.be.within(1, size);
          pages.push(...rows);
        }
        expect(pages, `${operation} of ${repository} by ${sort}`).to.deep.equal(whole);
      }
    }
  });

  it('the pages by cursor of a list are its pages by number', async () => {
    const { repositories } = target();
    const lists = Object.entries(SORTS).flatMap(([operation, sorts]) =>
      sorts.flatMap((sort) => repositories.slice(0, 4).map((repository) => ({ operation, repository, sort }))),
    );
    for (const { operation, repository, sort } of lists) {
      const [owner = '', repo = ''] = repository.split('/');
      const list = { owner, repo, sort, exclude_bots: 'false' };
      const whole = await target().ask({ operation, parameters: { ...list, page_size: `${MAX_PAGE}` } });
      if (whole.length === MAX_PAGE) continue;
      const pages = await target().walk({ operation, parameters: { ...list, page_size: '3' } });
      expect(pages.flat(), `${operation} of ${repository} by ${sort}`).to.deep.equal(whole);
      expect(pages.slice(0, -1).every((page) => page.length === 3)).to.equal(true);
    }
  });

  it('a descending list reverses the ascending one, except ties and creators without a merge, who stay last', async () => {
    for (const { operation, repository, sort } of createListRequests(target()).filter(({ sort }) =>
      sort.endsWith('-desc'),
    )) {
      const list = (order: string) =>
        ask(target(), repository, operation, {
          sort: order,
          exclude_bots: 'false',
          page: '1',
          page_size: `${MAX_PAGE}`,
        });
      const [descending, ascending] = await Promise.all([list(sort), list(sort.replace('-desc', ''))]);
      if (ascending.length === MAX_PAGE) continue;
      const column = COLUMN[sort.replace('-desc', '')] ?? 0;
      const last = groupRuns(ascending, column).filter(([row]) => row?.[column] === '');
      const others = groupRuns(ascending, column).filter(([row]) => row?.[column] !== '');
      expect(descending, `${operation} of ${repository} by ${sort}`).to.deep.equal(
        [...others.reverse(), ...last].flat(),
      );
    }
  });

  it('percentages sum to 1', async () => {
    for (const { operation, repository, rows } of await readShares(target())) {
      const percentages = rows.map((row) => Number(row.find((cell) => /^[01]\.\d{4}$/.test(cell))));
      const sum = percentages.reduce((total, percentage) => total + percentage, 0);
      if (rows.length > 0) expect(sum, `${operation} of ${repository}`).to.be.closeTo(1, rows.length * 0.00005 + 1e-9);
    }
  });

  it('the last value of a history is the number of distinct people', async () => {
    const counts = await readShares(target());
    for (const [history, operation] of Object.entries(HISTORIES)) {
      for (const { repository, rows } of counts.filter((share) => share.operation === operation)) {
        const people = rows.map((row) => Number(row.find((cell) => /^\d+$/.test(cell)))).reduce((sum, n) => sum + n, 0);
        for (const per of ['day', 'week', 'month']) {
          const points = await ask(target(), repository, history, { per, ...EVER });
          expect(Number(points.at(-1)?.[1] ?? 0), `${history} of ${repository} per ${per}`).to.equal(people);
        }
      }
    }
  });

  it('the last value of the history of stars is the number of stars of the repository', async () => {
    for (const repository of target().repositories) {
      const [owner = '', repo = ''] = repository.split('/');
      const [overview] = await target().ask({ operation: 'repository-overview', parameters: { owner, repo } });
      for (const per of ['day', 'week', 'month']) {
        const points = await ask(target(), repository, STARS, { per, ...EVER });
        expect(points.at(-1)?.[1] ?? '0', `${repository} per ${per}`).to.equal(overview?.[2]);
      }
    }
  });

  it('a narrower range shows fewer points of a history with the same totals', async () => {
    for (const history of [...Object.keys(HISTORIES), STARS]) {
      for (const [index, repository] of target().repositories.entries()) {
        const per = ['day', 'week', 'month'][index % 3] ?? '';
        const wide = await ask(target(), repository, history, { per, ...EVER });
        const [first, last] = [wide[Math.floor(wide.length / 3)], wide[Math.floor((2 * wide.length) / 3)]];
        if (first === undefined || last === undefined) continue;
        const [from = '', to = ''] = [first[0], last[0]];
        const narrow = await ask(target(), repository, history, { per, from, to });
        expect(narrow, `${history} of ${repository} from ${from} to ${to}`).to.deep.equal(
          wide.slice(wide.indexOf(first), wide.indexOf(last) + 1),
        );
        const before = await ask(target(), repository, history, { per, from: EVER.from, to: daysAfter(from, -1) });
        expect(before).to.deep.equal(wide.slice(0, wide.indexOf(first)));
      }
    }
  });

  it('rankings and trends are equal in every run', async () => {
    const { collections, languages } = target();
    const requests: Request[] = [
      ...collections.flatMap((collection_id) =>
        ['issues', 'prs', 'stars'].map((measure) => ({
          operation: `collection-repo-ranking-by-${measure}`,
          parameters: { collection_id },
        })),
      ),
      ...languages.map((language) => ({
        operation: 'list-trending-repos',
        parameters: { language, period: 'past_3_months' },
      })),
    ];
    for (const request of requests) {
      const runs = await Promise.all([1, 2, 3].map(() => target().ask(request)));
      expect(runs[1], JSON.stringify(request)).to.deep.equal(runs[0]);
      expect(runs[2], JSON.stringify(request)).to.deep.equal(runs[0]);
    }
  });

  it('ranks of a collection are 1, 2, 3 and so on by decreasing growth', async () => {
    for (const collection_id of target().collections) {
      for (const measure of ['issues', 'prs', 'stars']) {
        const operation = `collection-repo-ranking-by-${measure}`;
        const rows = await target().ask({ operation, parameters: { collection_id } });
        for (const [growth, rank] of [
          [2, 3],
          [4, 5],
        ] as const) {
          const ranked = rows.filter((row) => row[rank] !== '0').sort((a, b) => Number(a[rank]) - Number(b[rank]));
          const growths = ranked.map((row) => Number(row[growth]));
          expect(ranked.map((row) => row[rank])).to.deep.equal(ranked.map((_, index) => String(index + 1)));
          expect(growths, `${operation} of ${collection_id}`).to.deep.equal([...growths].sort((a, b) => b - a));
        }
      }
    }
  });
}

const MAX_PAGE = 100;
const MAX_PAGES = 12;
const EVER = { from: '2000-01-01', to: '2099-01-01' };

/** For each sort key, the index of the column by which it orders. */
const COLUMN: Readonly<Record<string, number>> = {
  login: 1,
  issues: 3,
  first_issue_opened_at: 4,
  prs: 3,
  first_pr_opened_at: 4,
  first_pr_merged_at: 5,
};
const SORTS: Readonly<Record<string, readonly string[]>> = {
  'list-issue-creators': ['issues-desc', 'first_issue_opened_at-desc', 'login'],
  'list-pull-request-creators': ['prs-desc', 'first_pr_opened_at-desc', 'first_pr_merged_at-desc', 'login'],
};

const STARS = 'stargazers-history';

/** For each history of people, an operation that counts the same people. */
const HISTORIES: Readonly<Record<string, string>> = {
  'issue-creators-history': 'list-countries-of-issue-creators',
  'pull-request-creators-history': 'list-organizations-of-pr-creators',
};

function createListRequests({ repositories }: PropertyTarget) {
  return Object.entries(SORTS).flatMap(([operation, sorts]) =>
    repositories.map((repository, index) => ({ operation, repository, sort: sorts[index % sorts.length] ?? '' })),
  );
}

async function readShares(target: PropertyTarget) {
  const operations = [...new Set([...Object.values(HISTORIES), 'list-organizations-of-stargazers'])];
  return Promise.all(
    operations.flatMap((operation) =>
      target.repositories.map(async (repository) => {
        const rows = await ask(target, repository, operation, { exclude_unknown: 'false', ...EVER });
        return { operation, repository, rows };
      }),
    ),
  );
}

function ask(
  target: PropertyTarget,
  repository: string,
  operation: string,
  parameters: Request['parameters'],
): Promise<Row[]> {
  const [owner = '', repo = ''] = repository.split('/');
  return target.ask({ operation, parameters: { owner, repo, ...parameters } });
}

/** Groups consecutive rows with equal values in a column. */
function groupRuns(rows: readonly Row[], column: number): Row[][] {
  const result: Row[][] = [];
  for (const row of rows) {
    const last = result.at(-1);
    if (last?.[0]?.[column] === row[column]) last?.push(row);
    else result.push([row]);
  }
  return result;
}
