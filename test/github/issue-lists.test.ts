import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type FollowOptions, type FollowSummary, followTracked } from '../../github/tracking/follow-tracked.js';
import { listTracked } from '../../github/tracking/tracked-repositories.js';
import { refreshFull } from '../../warehouse/derived/refresh.js';
import { embeddedOnly } from '../warehouse/embedded-only.js';
import { apiLine, timelineLine } from '../warehouse/named-events.js';
import { onEveryDatabase, type TestWarehouse } from '../warehouse/test-warehouse.js';
import { createClientOf, type GitHubAnswer, type GitHubServer, startGitHubServer } from './github-server.js';
import { answerIssues, type IssueRepository, rowsOfIssues, type TrueIssue } from './issue-truth.js';
import { trackingOptions, trackRepositories } from './tracking-options.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2026, 10, 20, 12);
const REPO = 7;

/** Returns alternating issues and pull requests, one every hour. Every fourth pull request is merged after a day. */
function manyIssues(count: number, first = START - 400 * HOUR_MS): TrueIssue[] {
  return Array.from({ length: count }, (_, index) => {
    const openedAt = first + index * HOUR_MS;
    const isPullRequest = index % 2 === 1;
    const mergedAt = openedAt + DAY_MS;
    return { number: index + 1, isPullRequest, user: 10 + (index % 7), openedAt, ...(index % 8 === 1 && { mergedAt }) };
  });
}

onEveryDatabase('the issue lists of tracked repositories', (make) => {
  const itEmbedded = embeddedOnly(make);
  let warehouse: TestWarehouse;
  let github: GitHubServer;
  let now: number;

  beforeEach(async () => {
    warehouse = await make();
    github = await startGitHubServer();
    now = START;
    await trackRepositories(warehouse.store, [{ id: REPO, name: 'owner/repo-7' }]);
  });
  afterEach(async () => {
    await github.close();
    await warehouse.close();
  });

  const serve = (issues: readonly TrueIssue[]): IssueRepository => {
    const repository = { id: REPO, issues };
    github.answer = (call) => answerIssues([repository], call, { url: github.url, now });
    return repository;
  };
  const follow = async (options: Partial<FollowOptions> = {}): Promise<Omit<FollowSummary, 'seconds' | 'events'>> => {
    github.calls.length = 0;
    const {
      seconds: _,
      events: __,
      ...summary
    } = await followTracked(
      warehouse.store,
      createClientOf(github.url, () => now),
      {
        ...trackingOptions(warehouse, () => now),
        only: 'issues',
        ...options,
      },
    );
    return summary;
  };
  const stored = () =>
    warehouse
      .rows('SELECT number, is_pull_request, user_id, opened_at, merged_at FROM github_issues')
      .then((rows) => rows.map((row) => row.map(String)).sort(([a], [b]) => Number(a) - Number(b)));
  const listedOn = async () => (await warehouse.rows('SELECT repo_id, listed_on FROM github_issue_lists')).flat();
  const totals = async () =>
    (await warehouse.rows('SELECT issues, pull_requests, issues_without_creator FROM mv_repo_totals')).flat();
  const importLines = async (name: string, lines: readonly string[]) => {
    const file = join(warehouse.folder, name);
    await writeFile(file, lines.map((line) => `${line}\n`).join(''));
    await warehouse.import([file]);
  };
  /** Expects that a complete refresh does not change a derived table. */
  const expectExact = async () => {
    const before = await warehouse.everything();
    await refreshFull(warehouse.store);
    expect(await warehouse.everything()).to.deep.equal(before);
  };
  const DONE = { tracked: 1, absent: 0, failed: 0, left: 0 };

  it('have all issues and pull requests, and then only request what was updated', async () => {
    const issues = manyIssues(250);
    const truth = serve(issues);
    expect(await follow()).to.deep.equal({ ...DONE, updated: 1, requests: 3 });
    expect(github.calls[0]?.path).to.equal(
      '/repositories/7/issues?state=all&sort=updated&direction=asc&per_page=100&page=1',
    );
    expect(await stored()).to.deep.equal(rowsOfIssues(truth, now));
    expect(await listedOn()).to.deep.equal(['7', '2026-11-20']);
    expect(await totals()).to.deep.equal(['125', '125', '0']);
    expect(await follow()).to.deep.equal({ ...DONE, updated: 0, requests: 0 });
    now += 6 * HOUR_MS;
    expect(await follow()).to.deep.equal({ ...DONE, updated: 1, requests: 1 });
    now += 6 * HOUR_MS;
    expect(await follow()).to.deep.equal({ ...DONE, updated: 1, requests: 1 });
    expect(github.calls[0]?.etag).to.match(/^W\//);
    const later = serve([
      ...issues.map((issue) => (issue.number === 6 ? { ...issue, mergedAt: now + 1_000 } : issue)),
      { number: 251, isPullRequest: false, user: 99, openedAt: now + 2_000 },
    ]);
    now += 12 * HOUR_MS;
    expect(await follow()).to.deep.equal({ ...DONE, updated: 1, requests: 1 });
    expect(await stored()).to.deep.equal(rowsOfIssues(later, now));
    expect(await listedOn()).to.deep.equal(['7', '2026-11-21']);
    expect(await totals()).to.deep.equal(['126', '125', '0']);
    expect(await warehouse.rows('SELECT login FROM mv_repo_people WHERE user_id = 99')).to.deep.equal([['user-99']]);
    await expectExact();
  });

  it('count once together with the events, which come before or after the list', async () => {
    const at = (hour: number) => `2026-11-19T${hour}:00:00Z`;
    const line = (number: number, user: number, type: 'IssuesEvent' | 'PullRequestEvent', hour: number) =>
      apiLine({ at: at(hour), name: 'owner/repo-7', id: REPO, type, actor: `user-${user}`, number });
    await importLines('before.json', [line(1, 10, 'IssuesEvent', 10), line(2, 11, 'PullRequestEvent', 11)]);
    const people = await warehouse.rows('SELECT login, id FROM github_users');
    const idOf = (login: string) => Number(people.find(([one]) => one === login)?.[1]);
    serve([
      { number: 1, isPullRequest: false, user: idOf('user-10'), openedAt: Date.parse(at(10)) },
      { number: 2, isPullRequest: true, user: 0, openedAt: Date.parse(at(11)) },
      { number: 3, isPullRequest: false, user: idOf('user-11'), openedAt: Date.parse(at(12)) },
      { number: 4, isPullRequest: false, user: 0, openedAt: Date.parse(at(13)) },
    ]);
    await follow();
    expect(await totals()).to.deep.equal(['3', '1', '1']);
    // The events do not have the type of an account.
    expect(await warehouse.rows('SELECT type FROM github_users')).to.deep.equal([['User'], ['User']]);
    await expectExact();
    await importLines('after.json', [line(3, 11, 'IssuesEvent', 12), line(5, 11, 'IssuesEvent', 14)]);
    expect(await totals()).to.deep.equal(['4', '1', '1']);
    const creators = await warehouse.rows('SELECT user_id, issues FROM mv_repo_issue_creators');
    expect(creators).to.have.deep.members([
      [String(idOf('user-10')), '1'],
      [String(idOf('user-11')), '2'],
    ]);
    await expectExact();
  });

  itEmbedded(
    'are in no answer before they are complete, and continue after each page at which a run ends',
    async () => {
      const truth = serve(manyIssues(350));
      for (const count of [100, 199, 298]) {
        const { stopped } = await follow({ budget: 1 });
        expect(stopped).to.equal('The budget of 1 request is used up.');
        expect(await stored()).to.have.lengthOf(count);
        expect([await listedOn(), await totals()]).to.deep.equal([[], []]);
      }
      await expectExact();
      expect(await follow({ budget: 1 })).to.deep.equal({ ...DONE, updated: 1, requests: 1 });
      expect(await stored()).to.deep.equal(rowsOfIssues(truth, now));
      expect(await totals()).to.deep.equal(['175', '175', '0']);
      await expectExact();
    },
  );

  itEmbedded('have all of more issues with the same time of update than a page has', async () => {
    const openedAt = START - DAY_MS;
    const truth = serve(manyIssues(320).map((issue) => ({ ...issue, openedAt, changedAt: [START - HOUR_MS] })));
    // The first page only determines the time. The four pages from this time on are read twice, because the first pass found changes.
    expect(await follow()).to.deep.equal({ ...DONE, updated: 1, requests: 9 });
    expect(await stored()).to.deep.equal(rowsOfIssues(truth, now));
  });

  itEmbedded('lose no issue when one of the same time changes between two pages', async () => {
    const openedAt = START - DAY_MS;
    const issues = manyIssues(250).map((issue) => ({ ...issue, openedAt, changedAt: [START - HOUR_MS] }));
    const truth = { id: REPO, issues };
    let requests = 0;
    github.answer = (call) => {
      // The first issue is changed after the first page with this time was read.
      requests++;
      const moved = issues.map((issue) =>
        issue.number === 1 && requests >= 3 ? { ...issue, changedAt: [START - 1_000] } : issue,
      );
      return answerIssues([{ ...truth, issues: moved }], call, { url: github.url, now });
    };
    expect(await follow()).to.include({ updated: 1, left: 0 });
    expect(await stored()).to.deep.equal(rowsOfIssues(truth, now));
    await expectExact();
  });

  itEmbedded('do not miss later issues because of a time of update in the future', async () => {
    const issues = [{ number: 1, isPullRequest: false, user: 10, openedAt: START - DAY_MS }];
    const future = (answer: GitHubAnswer): GitHubAnswer => ({
      ...answer,
      body: (answer.body as object[]).map((one) => ({ ...one, updated_at: '9999-01-01T00:00:00Z' })),
    });
    github.answer = (call) => future(answerIssues([{ id: REPO, issues }], call, { url: github.url, now }));
    expect(await follow()).to.deep.equal({ ...DONE, updated: 1, requests: 1 });
    const truth = serve([...issues, { number: 2, isPullRequest: false, user: 10, openedAt: START + HOUR_MS }]);
    now += 6 * HOUR_MS;
    await follow();
    expect(await stored()).to.deep.equal(rowsOfIssues(truth, now));
  });

  itEmbedded('end with an error if GitHub sends the same page for every page', async () => {
    const issues = manyIssues(2).map((issue) => ({ ...issue, openedAt: START - DAY_MS }));
    const link = `<${github.url}/next>; rel="next"`;
    github.answer = ({ path, ...call }) => {
      const first = { ...call, path: path.replace(/&page=\d+/, '&page=1') };
      return { ...answerIssues([{ id: REPO, issues }], first, { url: github.url, now }), headers: { link } };
    };
    expect(await follow()).to.deep.equal({ ...DONE, updated: 0, failed: 1, requests: 202 });
    expect(await listedOn()).to.deep.equal([]);
  });

  itEmbedded('are not complete because of a 304 that nothing asked for', async () => {
    serve(manyIssues(150));
    await follow({ budget: 1 });
    github.answer = () => ({ status: 304 });
    expect(await follow()).to.deep.equal({ ...DONE, updated: 0, failed: 1, requests: 1 });
    expect([await listedOn(), await totals()]).to.deep.equal([[], []]);
  });

  it('follow a merge that GitHub corrects or takes back', async () => {
    const openedAt = START - 5 * DAY_MS;
    const issue = { number: 1, isPullRequest: true, user: 10, openedAt };
    const merges = () => warehouse.rows('SELECT first_pr_merged_at FROM mv_repo_pull_request_creators');
    for (const [mergedAt, expected] of [
      [START - DAY_MS, '2026-11-19 12:00:00'],
      [START - HOUR_MS, '2026-11-20 11:00:00'],
      [undefined, null],
    ] as const) {
      serve([{ ...issue, changedAt: [now], ...(mergedAt !== undefined && { mergedAt }) }]);
      await follow();
      expect(await merges()).to.deep.equal([[expected]]);
      now += 6 * HOUR_MS;
    }
    await expectExact();
  });

  it('count the creator of an old event, which has no account id, once', async () => {
    const at = '2013-02-15T00:00:01Z';
    const line = timelineLine({ at, name: 'owner/repo-7', id: REPO, type: 'IssuesEvent', actor: 'user-10', number: 1 });
    await importLines('timeline.json', [line]);
    serve([{ number: 1, isPullRequest: false, user: 10, openedAt: Date.parse(at) }]);
    await follow();
    const counts = async () => [
      await warehouse.rows('SELECT user_id, issues FROM mv_repo_issue_creators'),
      await warehouse.rows("SELECT newcomers FROM mv_repo_daily_newcomers WHERE kind = 'issue_creators'"),
    ];
    expect(await counts()).to.deep.equal([[['10', '1']], [['1']]]);
    const again = {
      at: '2013-02-15T00:00:02Z',
      name: 'owner/repo-7',
      id: REPO,
      type: 'IssuesEvent',
      number: 2,
    } as const;
    await importLines('later.json', [timelineLine({ ...again, actor: 'user-11' })]);
    expect((await counts())[0]).to.have.lengthOf(2);
    await expectExact();
  });

  itEmbedded('give the type of an account that events do not have', async () => {
    await importLines('before.json', [
      apiLine({
        at: '2026-11-19T10:00:00Z',
        name: 'owner/repo-7',
        id: REPO,
        type: 'IssuesEvent',
        actor: 'helper',
        number: 1,
      }),
    ]);
    const [[id = 0] = []] = await warehouse.rows('SELECT id FROM github_users');
    const user = { id: Number(id), login: 'helper', type: 'Bot' };
    const times = { created_at: '2026-11-19T10:00:00Z', updated_at: '2026-11-19T10:00:00Z' };
    github.answer = () => ({ body: [{ number: 1, user, ...times }] });
    await follow();
    expect(await warehouse.rows('SELECT type, is_bot FROM github_users')).to.deep.equal([['Bot', '1']]);
  });

  itEmbedded(
    'follow an issue whose creator or time changes, and keep the creator whose account was deleted',
    async () => {
      const openedAt = START - DAY_MS;
      serve([
        { number: 1, isPullRequest: false, user: 10, openedAt },
        { number: 2, isPullRequest: false, user: 11, openedAt },
      ]);
      await follow();
      const changedAt = [START + HOUR_MS];
      serve([
        { number: 1, isPullRequest: false, user: 0, openedAt, changedAt },
        { number: 2, isPullRequest: false, user: 12, openedAt: openedAt - 1_000, changedAt },
      ]);
      now += 6 * HOUR_MS;
      await follow();
      expect((await stored()).map(([number, , user]) => [number, user])).to.deep.equal([
        ['1', '10'],
        ['2', '12'],
      ]);
      const creators = await warehouse.rows('SELECT user_id, issues FROM mv_repo_issue_creators ORDER BY user_id');
      expect(creators).to.deep.equal([
        ['10', '1'],
        ['12', '1'],
      ]);
      await expectExact();
    },
  );

  const issue = { number: 1, user: null, created_at: '2026-11-01T00:00:00Z', updated_at: '2026-11-02T00:00:00Z' };
  const forms: readonly (readonly [string, GitHubAnswer])[] = [
    ['an object', { body: { message: 'no list' } }],
    ['HTML', { body: '<html>' }],
    ['an issue without a number', { body: [{ ...issue, number: undefined }] }],
    ['a time in another form', { body: [{ ...issue, created_at: '2026-11-01 00:00' }] }],
    ['a time at the end of the year 9999', { body: [{ ...issue, updated_at: '9999-12-31T24:00:00Z' }] }],
    ['an account without a login', { body: [{ ...issue, user: { id: 4 } }] }],
    ['another order', { body: [issue, { ...issue, number: 2, updated_at: '2026-11-01T00:00:00Z' }] }],
    ['an issue twice', { body: [issue, issue] }],
    ['an empty page that announces a next one', { body: [], headers: { link: '<http://x/>; rel="next"' } }],
  ];
  itEmbedded('are not stored from pages in another form, and are read again later', async () => {
    for (const [form, answer] of forms) {
      github.answer = () => answer;
      expect(await follow(), form).to.deep.equal({ ...DONE, updated: 0, failed: 1, requests: 1 });
      expect([await stored(), await listedOn()], form).to.deep.equal([[], []]);
      now += 2 * DAY_MS;
    }
    const [listed] = await warehouse.store.write(listTracked);
    expect(listed?.sources.issues).to.include({
      failures: forms.length,
      error: 'GitHub sent a list of issues in an unknown form.',
    });
    serve([]);
    expect(await follow()).to.deep.equal({ ...DONE, updated: 1, requests: 1 });
    expect(await listedOn()).to.deep.equal(['7', new Date(now).toISOString().slice(0, 10)]);
  });

  itEmbedded('stay when GitHub does not show them any more', async () => {
    serve(manyIssues(3));
    await follow();
    now += 6 * HOUR_MS;
    github.answer = () => ({ status: 410, body: { message: 'Issues are disabled for this repo' } });
    expect(await follow()).to.deep.equal({ ...DONE, updated: 0, absent: 1, requests: 1 });
    expect([await totals(), await listedOn()]).to.deep.equal([
      ['2', '1', '0'],
      ['7', '2026-11-20'],
    ]);
    const [listed] = await warehouse.store.write(listTracked);
    expect(listed?.sources.issues).to.include({ failures: 1, error: 'GitHub has no such list, or does not show it.' });
  });
});
