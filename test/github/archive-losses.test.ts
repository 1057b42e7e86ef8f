import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createEngine, PATIENT_METADATA_TIMEOUT_MS } from '../../engine/index.js';
import { followTracked } from '../../github/tracking/follow-tracked.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { refreshAsOf } from '../../warehouse/derived/refresh-as-of.js';
import { embeddedOnly } from '../warehouse/embedded-only.js';
import { onEveryDatabase, type TestWarehouse } from '../warehouse/test-warehouse.js';
import type { EventRepository, TrueEvent } from './event-truth.js';
import { createClientOf, type GitHubServer, startGitHubServer } from './github-server.js';
import { answerSources, type IssueRepository } from './issue-truth.js';
import type { TrueRepository } from './star-truth.js';
import { trackingOptions } from './tracking-options.js';

const HOUR_MS = 3_600_000;
const MAY = Date.UTC(2026, 4, 1);
const JUNE = Date.UTC(2026, 5, 1);
const JULY = Date.UTC(2026, 6, 1);
const NOW = Date.UTC(2026, 6, 10);

/** Events of issues and pull requests have larger ids than this. */
const ISSUE_ID = 2e6;

/** Whether the archive contains an item: all items of May, and of June only those whose index is divisible by `share`. */
function has(at: number, place: number, share: number): boolean {
  return at < JUNE || place % share === 0;
}

/** A tracked repository with a star and an issue or pull request every `everyHours` hours from May to June. */
function repository(id: number, everyHours: number): TrueRepository & IssueRepository & EventRepository {
  const times = Array.from(
    { length: Math.ceil((JULY - MAY) / HOUR_MS / everyHours) },
    (_, index) => MAY + index * everyHours * HOUR_MS,
  );
  const issues = times.map((openedAt, index) => ({
    number: index + 1,
    isPullRequest: index % 3 === 0,
    user: 1 + (index % 50),
    openedAt,
  }));
  return {
    id,
    name: `owner/repo-${id}`,
    createdAt: MAY,
    stars: times.map((at) => ({ at })),
    issues,
    // The feed contains the stars that the archive has lost. Some of these people had already starred according to the archive. The feed
    // contains all issues and pull requests.
    events: [
      ...times.flatMap((at, index): TrueEvent[] =>
        has(at, index, 10)
          ? []
          : [{ id: 1e6 + index, at, type: 'WatchEvent', actor: 1_000 + (index % 2 === 0 ? index : index % 100) }],
      ),
      ...issues.map(
        ({ number, isPullRequest, user, openedAt }): TrueEvent => ({
          ...{ id: ISSUE_ID + number, at: openedAt, type: isPullRequest ? 'PullRequestEvent' : 'IssuesEvent' },
          ...{ actor: user, number },
        }),
      ),
    ],
  };
}

onEveryDatabase('an archive that loses events', (make) => {
  const itEmbedded = embeddedOnly(make);
  let warehouse: TestWarehouse;
  let github: GitHubServer;
  before(async () => {
    warehouse = await make();
    github = await startGitHubServer();
  });
  after(async () => {
    await github.close();
    await warehouse.close();
  });

  const REPOSITORIES = [repository(7, 1), repository(8, 3), repository(10, 6)];
  const UNTRACKED = repository(9, 2);
  let nextId = 1;
  type EventBody = [type: string, at: number, repo: { id: number; name: string }, actor: number, payload: object];
  const event = ([type, at, repo, actor, payload]: EventBody, id = nextId++) =>
    JSON.stringify({
      id: String(id),
      type,
      created_at: new Date(at).toISOString().replace('.000', ''),
      actor: { id: actor, login: `user-${actor}` },
      repo: { id: repo.id, name: repo.name },
      payload,
    });
  /**
   * Whether a time can be compared. The first and the last day are excluded, because the days before and after them are not in the archive.
   */
  const isCompared = (at: number) => at >= MAY + 24 * HOUR_MS && at < JULY - 24 * HOUR_MS;
  /** Returns the stars, issues or pull requests, and whether the archive contains each of them. */
  const itemsOf = ({ stars, issues }: (typeof REPOSITORIES)[number], type: string) =>
    type === 'WatchEvent'
      ? stars.map(({ at }, index) => ({ at, isArchived: has(at, index, 10) }))
      : issues.flatMap(({ isPullRequest, openedAt }, index) =>
          isPullRequest === (type === 'PullRequestEvent')
            ? [{ at: openedAt, isArchived: has(openedAt, index, 5) }]
            : [],
        );
  /**
   * Returns the lines of all hours. They contain all events of May, and from June every tenth star and every fifth issue and pull request.
   */
  const archive = () => {
    const hours = Array.from({ length: (JULY - MAY) / HOUR_MS }, (_, index) => MAY + index * HOUR_MS);
    return [
      ...hours.map((at) => event(['PushEvent', at, { id: 1, name: 'other/one' }, 1, { size: 1 }])),
      ...[...REPOSITORIES, UNTRACKED].flatMap((repo) => [
        ...repo.stars
          .filter(({ at }, index) => has(at, index, 10))
          .map(({ at }, index) => event(['WatchEvent', at, repo, 1_000 + index, { action: 'started' }])),
        ...repo.issues
          .filter(({ openedAt }, index) => has(openedAt, index, 5))
          .map(({ number, isPullRequest, user, openedAt }) =>
            event(
              isPullRequest
                ? ['PullRequestEvent', openedAt, repo, user, { action: 'opened', number, pull_request: { id: number } }]
                : ['IssuesEvent', openedAt, repo, user, { action: 'opened', issue: { id: number, number } }],
              ISSUE_ID + number,
            ),
          ),
      ]),
    ];
  };
  const ask = async (name: string, query: Record<string, string>, path: Record<string, string> = {}) => {
    const engine = createEngine({
      endpoints: await loadDefinitions({ endpointsDirectory: undefined }),
      database: warehouse.database,
      clock: () => new Date(NOW),
      stopwatch: () => 0,
      metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
    });
    return engine.run(engine.endpoint(name), { path, query });
  };
  const noticesOf = async (query: Record<string, string>) => {
    const { notices } = await ask('list-countries-of-stargazers', query, { owner: 'owner', repo: 'repo-9' });
    return notices.filter((notice) => notice.includes('estimate'));
  };
  /** Returns the entries of `sources`, except those about hours without any stars. */
  const sourcesOf = async (...request: Parameters<typeof ask>) => {
    const { sources } = await ask(...request);
    return (sources ?? []).filter(({ share }) => share !== 0);
  };
  const shares = () =>
    warehouse.rows(
      'SELECT type, month, repositories, known, counted, is_partial FROM mv_event_shares WHERE repositories > 0 ORDER BY type, month',
    );

  it('is measured on the repositories that are tracked', async () => {
    const file = join(warehouse.folder, 'archive.json');
    await writeFile(file, `${archive().join('\n')}\n`);
    await warehouse.import([file]);
    github.answer = (call) => answerSources(REPOSITORIES, call, { url: github.url, now: NOW });
    await warehouse.store.write((tables) =>
      tables.insertRows(
        'sys_tracked_repos',
        REPOSITORIES.map(({ id, name }) => [id, name, '2026-07-10 00:00:00']),
      ),
    );
    const { failed, left, events } = await followTracked(
      warehouse.store,
      createClientOf(github.url, () => NOW),
      trackingOptions(warehouse, () => NOW),
    );
    expect({ failed, left, hasEvents: events > 400 }).to.deep.equal({ failed: 0, left: 0, hasEvents: true });
    await refreshAsOf(warehouse.store, new Date(NOW));
    const expected = ['IssuesEvent', 'PullRequestEvent', 'WatchEvent'].flatMap((type) =>
      [MAY, JUNE].map((month) => {
        const items = REPOSITORIES.flatMap((repo) => itemsOf(repo, type)).filter(
          ({ at }) => isCompared(at) && at < JUNE === (month === MAY),
        );
        const known = items.filter(({ isArchived }) => isArchived).length;
        const day = new Date(month).toISOString().slice(0, 10);
        return [type, day, '3', String(known), String(items.length), month === MAY ? '0' : '1'];
      }),
    );
    expect(await shares()).to.deep.equal(expected);
    const [, , , known, counted] = expected[5] ?? [];
    expect([known, counted]).to.deep.equal(['103', '1044']);
  });

  itEmbedded('is a notice of answers about other repositories, in the months of the answer', async () => {
    const june =
      'This data set has only a part of the star events: an estimated 9.8 % in 2026-06. ' +
      'The estimate compares up to 3 tracked repositories with GitHub.';
    expect(await noticesOf({})).to.deep.equal([june]);
    expect(await noticesOf({ from: '2026-05-01', to: '2026-06-01' })).to.deep.equal([june]);
    expect(await noticesOf({ to: '2026-05-31' })).to.deep.equal([]);
    expect(await noticesOf({ from: '2026-07-01' })).to.deep.equal([]);
  });

  it('is a source of answers, with its range and share', async () => {
    const lost = (type: string, share: number) => ({
      ...{ type, source: 'events', subject: null, share },
      ...{ starts: '2026-06-01T00:00:00Z', ends: '2026-07-01T00:00:00Z' },
    });
    // The day of the request is incomplete, and the days of stars may be in another time zone than UTC.
    const listed = (type: string) => ({
      ...{ type, source: 'github', subject: null, share: 1 },
      ...{ starts: null, ends: type === 'WatchEvent' ? '2026-07-09T00:00:00Z' : '2026-07-10T00:00:00Z' },
    });
    const others = (type: string) => ({
      ...{ type, source: 'events', subject: 'owner/repo-9', share: null },
      ...{ starts: null, ends: null },
    });
    const stars = lost('WatchEvent', 0.0987);
    const path = { owner: 'owner', repo: 'repo-9' };
    expect(await sourcesOf('list-countries-of-stargazers', {}, path)).to.deep.equal([stars]);
    expect(await sourcesOf('list-countries-of-stargazers', { to: '2026-05-31' }, path)).to.deep.equal([]);
    const tracked = { owner: 'owner', repo: 'repo-7' };
    expect(await sourcesOf('stargazers-history', {}, tracked)).to.deep.equal([stars, listed('WatchEvent')]);
    const counted = repository(7, 1).stars.filter(({ at }) => isCompared(at)).length;
    const [[people] = []] = await warehouse.rows(
      "SELECT COUNT(DISTINCT user_id) FROM mv_repo_stars WHERE repo_id = 7 AND day >= '2026-05-02' AND day < '2026-06-30'",
    );
    expect([people, counted]).to.deep.equal(['855', 1_416]);
    expect(await sourcesOf('list-countries-of-stargazers', {}, tracked)).to.deep.equal([
      stars,
      {
        ...{ type: 'WatchEvent', source: 'events', subject: 'owner/repo-7', share: 0.6038 },
        ...{ starts: '2026-05-02T00:00:00Z', ends: '2026-06-30T00:00:00Z' },
      },
    ]);
    const kinds = ['IssuesEvent', 'PullRequestEvent'];
    expect(await sourcesOf('compare-repositories', { repos: 'owner/repo-7,owner/repo-9' })).to.deep.equal([
      stars,
      ...[lost('IssuesEvent', 0.2009), lost('PullRequestEvent', 0.196)],
      ...[listed('WatchEvent'), others('WatchEvent')],
      ...kinds.map(listed),
      ...kinds.map(others),
    ]);
  });

  itEmbedded('states hours without events as a source that has none of them', async () => {
    const gapsOf = async (...request: Parameters<typeof ask>) => {
      const { sources } = await ask(...request);
      return (sources ?? []).flatMap(({ share, type, starts, ends }) => (share === 0 ? [[type, starts, ends]] : []));
    };
    const path = { owner: 'owner', repo: 'repo-9' };
    const range = { from: '2026-04-20', to: '2026-07-05' };
    expect(await gapsOf('list-countries-of-stargazers', range, path)).to.deep.equal([
      ['WatchEvent', null, '2026-05-01T00:00:00Z'],
      ['WatchEvent', '2026-07-01T00:00:00Z', null],
    ]);
    expect(await gapsOf('compare-repositories', { repos: 'owner/repo-9,owner/repo-7' })).to.deep.equal([
      ['ForkEvent', '2026-05-01T00:00:00Z', '2026-07-01T00:00:00Z'],
    ]);
  });

  itEmbedded('has the same shares after the lists were read, and then the events again', async () => {
    const before = await shares();
    await warehouse.import([join(warehouse.folder, 'archive.json')], { again: true });
    await refreshAsOf(warehouse.store, new Date(NOW));
    expect(await shares()).to.deep.equal(before);
  });
});
