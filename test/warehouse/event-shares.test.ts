import { expect } from 'chai';
import { refreshShares } from '../../warehouse/derived/event-shares.js';
import { refreshAsOf } from '../../warehouse/derived/refresh-as-of.js';
import type { PlainValue } from '../../warehouse/store/store.js';
import { onEveryDatabase, type TestWarehouse } from './test-warehouse.js';

const AS_OF = new Date('2026-09-01T12:00:00Z');
const WHOLE_DAY = 2 ** 24 - 1;

/** The tables from which the shares are computed. */
const SOURCES = [
  'mv_event_coverage',
  'imported_hours',
  'github_star_histories',
  'github_star_days',
  'github_issue_lists',
  'github_issues',
  'mv_repo_daily_newcomers',
  'mv_repo_issues',
  'mv_repo_pull_requests',
];

/** Returns a row of mv_event_coverage. */
const covered = (type: string, day: string, events: number, hours = WHOLE_DAY) => [
  type,
  day,
  events,
  `${day} 23:00:00`,
  hours,
];

onEveryDatabase('the shares of the events', (make) => {
  let warehouse: TestWarehouse;

  before(async () => {
    warehouse = await make();
  });
  after(() => warehouse.close());
  beforeEach(() =>
    warehouse.store.write(async (tables) => {
      for (const table of SOURCES) await tables.run(`DELETE FROM ${table}`);
    }),
  );

  const insert = (rows: Readonly<Record<string, readonly (readonly PlainValue[])[]>>) =>
    warehouse.store.write(async (tables) => {
      for (const [table, some] of Object.entries(rows)) await tables.insertRows(table, some);
    });
  /** Returns the type, month, repositories, known, counted and is_partial of the rows that match a condition. */
  const shares = async (condition: string) => {
    await warehouse.store.write(refreshShares);
    const rows = await warehouse.rows(`
      SELECT type, month, repositories, known, counted, is_partial FROM mv_event_shares WHERE ${condition}`);
    return rows.map((row) => row.join(' '));
  };

  /** Returns the coverage for days of a month that have all hours. */
  const wholeDays = (month: string, first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => covered('PushEvent', dayOf(month, first + index), 24));
  const dayOf = (month: string, day: number) => `${month}-${String(day).padStart(2, '0')}`;

  it('are the stars in events, divided by the stars that GitHub counts, of tracked repositories', async () => {
    await insert({
      mv_event_coverage: ['2026-05', '2026-06', '2026-07', '2026-08'].flatMap((month) => wholeDays(month, 1, 30)),
      github_star_histories: [
        [7, '2026-08-12', 500],
        [8, '2026-08-11', 100],
        [9, '2026-08-12', 50],
        [10, '2026-08-12', 40],
      ],
      github_star_days: [
        ...[7, 8, 9].flatMap((id) => ['2026-05-10', '2026-07-10', '2026-08-10'].map((day) => [id, day, 40])),
        ...[7, 8, 9].map((id) => [id, '2026-06-10', 100]),
        // Before its first event, this repository has no events, because it was private.
        [10, '2026-06-10', 1000],
        [10, '2026-06-20', 1000],
        // This repository is not tracked any more, so its history is removed.
        [11, '2026-06-10', 1000],
      ],
      mv_repo_daily_newcomers: [
        ...[7, 8, 9].map((id) => [id, 'issue_creators', '2026-04-10', 70]),
        ...[7, 8, 9].map((id) => [id, 'stargazers', '2026-05-10', id === 7 ? 38 : 40]),
        ...[7, 8, 9].map((id) => [id, 'stargazers', '2026-06-10', 2]),
        [7, 'stargazers', '2026-07-10', 37],
        [10, 'stargazers', '2026-06-20', 5],
        [11, 'stargazers', '2026-06-10', 500],
      ],
    });
    expect(await shares("type = 'WatchEvent'")).to.deep.equal([
      'WatchEvent 2026-05-01 3 118 120 0',
      'WatchEvent 2026-06-01 3 6 300 1',
      'WatchEvent 2026-07-01 3 37 120 1',
      // For one of the three repositories, the day is too close to its newest request, because GitHub's days may not be in UTC.
      'WatchEvent 2026-08-01 0 0 0 0',
    ]);
    expect(await shares("type = 'ForkEvent' AND is_partial = 1")).to.deep.equal([]);
  });

  it('need three repositories, a hundred stars and seven days, whose neighbors also have all hours', async () => {
    const starsOf = (month: string, ids: readonly number[], stars: number) =>
      ids.map((id) => [id, dayOf(month, 5), stars]);
    await insert({
      mv_event_coverage: [
        ...wholeDays('2026-01', 1, 9),
        ...wholeDays('2026-02', 1, 8),
        ...wholeDays('2026-03', 1, 9),
        ...wholeDays('2026-04', 1, 9),
        // One day lacks an hour. For another day, all hours are in imported files.
        ...wholeDays('2026-05', 1, 9),
        covered('PushEvent', '2026-05-10', 24, WHOLE_DAY - 1),
        ...wholeDays('2026-06', 1, 8),
        covered('PushEvent', '2026-06-09', 1, 1),
      ],
      imported_hours: [['2026-06-09', 2 ** 25 - 1]],
      github_star_histories: [7, 8, 9].map((id) => [id, '2026-08-12', 500]),
      github_star_days: [
        ...starsOf('2026-01', [7, 8, 9], 50),
        ...starsOf('2026-02', [7, 8, 9], 50),
        ...starsOf('2026-03', [7, 8], 50),
        ...starsOf('2026-04', [7, 8, 9], 33),
        ...starsOf('2026-05', [7, 8, 9], 50),
        [7, '2026-05-01', 1000],
        [7, '2026-05-09', 1000],
        [7, '2026-05-10', 1000],
        ...starsOf('2026-06', [7, 8, 9], 50),
      ],
    });
    expect(await shares('counted > 0')).to.deep.equal([
      'WatchEvent 2026-01-01 3 0 150 1',
      'WatchEvent 2026-05-01 3 0 150 1',
      'WatchEvent 2026-06-01 3 0 150 1',
    ]);
  });

  it('are the issues and pull requests that GitHub lists and events open, divided by those that GitHub lists', async () => {
    const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
    const AT = '2026-06-10 10:00:00';
    const listed = (id: number, first: number, isPullRequest: 0 | 1) =>
      numbers.map((number) => [id, first + number, isPullRequest, 5, AT, null]);
    await insert({
      mv_event_coverage: wholeDays('2026-06', 1, 20),
      github_issue_lists: [7, 8, 9].map((id) => [id, '2026-06-11']),
      github_issues: [
        ...[7, 8, 9].flatMap((id) => [...listed(id, 0, 0), ...listed(id, 1000, 1)]),
        [7, 500, 0, 5, '2026-06-11 00:00:00', null],
      ],
    });
    await warehouse.store.write(async (tables) => {
      const opening = (id: number, number: number, user: number, inEvents: 0 | 1, time = AT) =>
        `(${id}, ${number}, ${user}, '${time}', ${inEvents})`;
      const issues = [
        ...[opening(7, 1, 5, 1), opening(7, 1, 6, 1), opening(7, 2, 5, 1), opening(7, 3, 5, 0), opening(8, 1, 0, 1)],
        opening(7, 500, 5, 1, '2026-06-11 00:00:00'),
        // GitHub no longer lists these issues.
        ...numbers.map((number) => opening(7, 2000 + number, 5, 1)),
        opening(7, -77, 5, 1),
      ];
      const columns = '(repo_id, number, user_id, opened_at, in_events)';
      await tables.run(`INSERT INTO mv_repo_issues ${columns} VALUES ${issues.join(', ')}`);
      const pulls = [7, 8, 9].flatMap((id) => numbers.map((number) => opening(id, 1000 + number, 5, 1)));
      await tables.run(`INSERT INTO mv_repo_pull_requests ${columns} VALUES ${pulls.join(', ')}`);
    });
    expect(await shares('counted > 0')).to.deep.equal([
      'IssuesEvent 2026-06-01 3 3 120 1',
      'PullRequestEvent 2026-06-01 3 120 120 0',
    ]);
  });

  it('compare the 50 repositories with the most stars', async () => {
    const repos = Array.from({ length: 51 }, (_, index) => index + 1);
    await insert({
      mv_event_coverage: wholeDays('2026-06', 1, 20),
      github_star_histories: repos.map((id) => [id, '2026-08-12', 10_000 - id]),
      github_star_days: repos.map((id) => [id, '2026-06-10', id === 51 ? 5_000 : 2]),
    });
    expect(await shares("type = 'WatchEvent'")).to.deep.equal(['WatchEvent 2026-06-01 50 0 100 1']);
  });

  it('are unknown without tracked repositories; months with mostly pushes are partial for all other types', async () => {
    await insert({
      mv_event_coverage: [
        covered('PushEvent', '2026-05-10', 35_000),
        covered('WatchEvent', '2026-05-10', 15_000),
        covered('PushEvent', '2026-06-10', 35_001),
        covered('WatchEvent', '2026-06-10', 14_999),
        covered('PushEvent', '2026-07-10', 49_999),
      ],
    });
    expect(await shares('is_partial = 1')).to.deep.equal(
      ['ForkEvent', 'IssuesEvent', 'PullRequestEvent', 'PullRequestReviewCommentEvent', 'PullRequestReviewEvent']
        .concat('WatchEvent')
        .map((type) => `${type} 2026-06-01 0 0 0 1`),
    );
    expect(
      await warehouse.rows("SELECT month, events, push_share FROM mv_event_shares WHERE type = 'WatchEvent'"),
    ).to.deep.equal([
      ['2026-05-01', '15000', '0.7000'],
      ['2026-06-01', '14999', '0.7000'],
      ['2026-07-01', '0', '1.0000'],
    ]);
  });

  it('are written only if they change', async () => {
    await insert({
      mv_event_coverage: [covered('PushEvent', '2026-06-10', 3), covered('WatchEvent', '2026-06-10', 4)],
    });
    await refreshAsOf(warehouse.store, AS_OF);
    const versions = () =>
      warehouse.rows("SELECT commit_number, token FROM data_versions WHERE table_name = 'mv_event_shares'");
    const before = await versions();
    await refreshAsOf(warehouse.store, AS_OF);
    expect(await versions()).to.deep.equal(before);
    await insert({ mv_event_coverage: [covered('WatchEvent', '2026-06-11', 4)] });
    await refreshAsOf(warehouse.store, AS_OF);
    expect(await versions()).to.not.deep.equal(before);
  });
});
