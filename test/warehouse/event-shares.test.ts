import { expect } from 'chai';
import { refreshAsOf } from '../../warehouse/derived/refresh-as-of.js';
import type { PlainValue } from '../../warehouse/store/store.js';
import { onEveryDatabase, type TestWarehouse } from './test-warehouse.js';

const AS_OF = new Date('2026-09-01T12:00:00Z');
const WHOLE_DAY = 2 ** 24 - 1;

/** A row of mv_event_coverage. */
const covered = (type: string, day: string, events: number, hours = WHOLE_DAY) => [
  type,
  day,
  events,
  `${day} 23:00:00`,
  hours,
];

onEveryDatabase('the shares of the events', (make) => {
  let warehouse: TestWarehouse;

  beforeEach(async () => {
    warehouse = await make();
  });
  afterEach(() => warehouse.close());

  const insert = (rows: Readonly<Record<string, readonly (readonly PlainValue[])[]>>) =>
    warehouse.store.write(async (tables) => {
      for (const [table, some] of Object.entries(rows)) await tables.insertRows(table, some);
    });
  /** The type, month, repositories, known, counted and is_partial of the rows that match a condition. */
  const shares = async (condition: string) => {
    await refreshAsOf(warehouse.store, AS_OF);
    const rows = await warehouse.rows(`
      SELECT type, month, repositories, known, counted, is_partial FROM mv_event_shares WHERE ${condition}`);
    return rows.map((row) => row.join(' '));
  };

  it('are the events of tracked repositories, divided by the stars that GitHub counts', async () => {
    await insert({
      mv_event_coverage: [
        covered('WatchEvent', '2026-05-10', 60),
        covered('WatchEvent', '2026-06-10', 9),
        covered('WatchEvent', '2026-07-10', 9),
        covered('WatchEvent', '2026-08-10', 9),
      ],
      github_star_histories: [
        [7, '2026-08-12', 500],
        [8, '2026-08-11', 100],
      ],
      github_star_days: [
        [7, '2026-05-10', 100],
        [7, '2026-06-10', 60],
        [8, '2026-06-10', 40],
        [7, '2026-07-10', 99],
        [7, '2026-08-10', 120],
        // The day is too close to the newest request of this repository, because GitHub's days need not be in UTC.
        [8, '2026-08-10', 50],
        // Not a tracked repository any more: its history is removed.
        [9, '2026-06-10', 1000],
      ],
      mv_repo_daily_newcomers: [
        [7, 'stargazers', '2026-05-10', 98],
        [7, 'stargazers', '2026-06-10', 2],
        [8, 'stargazers', '2026-06-10', 1],
        [8, 'issue_creators', '2026-06-10', 70],
        [9, 'stargazers', '2026-06-10', 500],
        [8, 'stargazers', '2026-08-10', 4],
        [7, 'stargazers', '2026-08-10', 117],
      ],
    });
    expect(await shares("type = 'WatchEvent'")).to.deep.equal([
      'WatchEvent 2026-05-01 1 98 100 0',
      'WatchEvent 2026-06-01 2 3 100 1',
      // Less than 100 stars say little.
      'WatchEvent 2026-07-01 0 0 0 0',
      'WatchEvent 2026-08-01 1 117 120 1',
    ]);
    expect(await shares("type = 'ForkEvent' AND is_partial = 1")).to.deep.equal([]);
  });

  it('are the openings in events, divided by the issues and pull requests that GitHub lists', async () => {
    const numbers = Array.from({ length: 100 }, (_, index) => index + 1);
    await insert({
      mv_event_coverage: [covered('IssuesEvent', '2026-06-10', 9)],
      github_issue_lists: [[7, '2026-06-11']],
      github_issues: [
        ...numbers.map((number) => [7, number, 0, 5, '2026-06-10 10:00:00', null]),
        ...numbers.map((number) => [7, 1000 + number, 1, 5, '2026-06-10 10:00:00', null]),
        [7, 500, 0, 5, '2026-06-11 00:00:00', null],
      ],
    });
    await warehouse.store.write(async (tables) => {
      const opening = (number: number, user: number, inEvents: 0 | 1, time = '2026-06-10 10:00:00') =>
        `(7, ${number}, ${user}, '${time}', ${inEvents})`;
      const issues = [
        ...[opening(1, 5, 1), opening(1, 6, 1), opening(2, 5, 1), opening(3, 5, 0)],
        opening(500, 5, 1, '2026-06-11 00:00:00'),
      ];
      const columns = '(repo_id, number, user_id, opened_at, in_events)';
      await tables.run(`INSERT INTO mv_repo_issues ${columns} VALUES ${issues.join(', ')}`);
      const pulls = numbers.map((number) => opening(1000 + number, 5, 1));
      await tables.run(`INSERT INTO mv_repo_pull_requests ${columns} VALUES ${pulls.join(', ')}`);
    });
    expect(await shares('counted > 0')).to.deep.equal([
      'IssuesEvent 2026-06-01 1 2 100 1',
      'PullRequestEvent 2026-06-01 1 100 100 0',
    ]);
  });

  it('compare only days with all hours, in events or in imported files', async () => {
    await insert({
      mv_event_coverage: [
        covered('WatchEvent', '2026-06-10', 9, WHOLE_DAY - 1),
        covered('PushEvent', '2026-06-11', 9, 1),
        covered('WatchEvent', '2026-06-11', 9, WHOLE_DAY - 1),
        covered('WatchEvent', '2026-06-12', 9, 1),
      ],
      imported_hours: [['2026-06-12', 2 ** 25 - 1]],
      github_star_histories: [[7, '2026-08-12', 500]],
      github_star_days: [
        [7, '2026-06-10', 1000],
        [7, '2026-06-11', 200],
        [7, '2026-06-12', 300],
        [7, '2026-06-13', 1000],
      ],
    });
    expect(await shares("type = 'WatchEvent'")).to.deep.equal(['WatchEvent 2026-06-01 1 0 500 1']);
  });

  it('compare the 200 repositories with the most stars', async () => {
    const repos = Array.from({ length: 201 }, (_, index) => index + 1);
    await insert({
      mv_event_coverage: [covered('WatchEvent', '2026-06-10', 9)],
      github_star_histories: repos.map((id) => [id, '2026-08-12', 10_000 - id]),
      github_star_days: repos.map((id) => [id, '2026-06-10', id === 201 ? 5_000 : 1]),
    });
    expect(await shares("type = 'WatchEvent'")).to.deep.equal(['WatchEvent 2026-06-01 200 0 200 1']);
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
