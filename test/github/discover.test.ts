import { expect } from 'chai';
import { type DiscoverOptions, discover } from '../../github/tracking/discover.js';
import { listTracked } from '../../github/tracking/tracked-repositories.js';
import { onEveryDatabase, type TestWarehouse } from '../warehouse/test-warehouse.js';
import { createClientOf, type GitHubServer, rateLimitHeaders, startGitHubServer } from './github-server.js';

const NOW = Date.UTC(2026, 5, 29);

onEveryDatabase('the discovery of repositories', (make) => {
  let warehouse: TestWarehouse;
  let github: GitHubServer;
  beforeEach(async () => {
    warehouse = await make();
    github = await startGitHubServer();
    github.answer = () => ({ body: { items: [] } });
  });
  afterEach(async () => {
    await github.close();
    await warehouse.close();
  });

  const run = (options: Partial<DiscoverOptions> = {}) =>
    discover(
      warehouse.store,
      createClientOf(github.url, () => NOW),
      {
        ...{ limit: 100, budget: 3, trackUntil: 0, wait: false, signal: new AbortController().signal },
        ...{ clock: () => new Date(NOW), now: () => NOW, ...options },
      },
    );
  /** Stores repositories with the people who were active on days of June. */
  const store = (people: Readonly<Record<number, readonly (readonly [day: number, logins: readonly string[]])[]>>) =>
    warehouse.store.write(async (tables) => {
      const rows = Object.entries(people);
      await tables.run('DELETE FROM github_repos');
      const columns = ['repo_id', 'repo_name', 'repo_name_lower'];
      for (const [id] of rows)
        await tables.insert('github_repos', columns, `SELECT ${id}, 'Owner/R${id}', 'owner/r${id}'`);
      const dayOf = (day: number) => `2026-06-${String(day).padStart(2, '0')}`;
      await tables.insertRows('mv_event_coverage', [['PushEvent', dayOf(28), 1, `${dayOf(28)} 10:00:00`, 1]]);
      await tables.run('DELETE FROM github_events');
      const events = rows.flatMap(([id, days]) =>
        days.flatMap(([day, logins]) =>
          logins.map((login) => `SELECT ${id}, '${login}', '${dayOf(day)}', '${dayOf(day)}', '2026-06-01', 2026`),
        ),
      );
      const eventColumns = ['repo_id', 'actor_login', 'created_at', 'event_day', 'event_month', 'event_year'];
      await tables.insert('github_events', eventColumns, events.join(' UNION ALL '));
    });
  const logins = (count: number, name = 'ada') => Array.from({ length: count }, (_, index) => `${name}-${index}`);
  const found = (ids: readonly number[]) =>
    ids.map((id) => ({
      ...{ id, full_name: `owner/r${id}`, owner: { id: 1, login: 'owner' }, stargazers_count: 5_000 - id },
    }));

  it('proposes repositories with twice as many people as before, without bots and tracked ones', async () => {
    await store({
      1: [[28, logins(10)]],
      2: [
        [22, logins(6)],
        [25, logins(12)],
        [21, logins(18, 'bob')],
      ],
      3: [
        [22, logins(12)],
        [21, logins(19, 'bob')],
      ],
      4: [[28, logins(9)]],
      5: [[28, [...logins(9), 'dependabot[bot]', 'ci-bot']]],
      6: [[28, logins(20)]],
      7: [[28, logins(20)]],
    });
    await warehouse.store.write(async (tables) => {
      await tables.insertRows('sys_tracked_repos', [[6, 'owner/r6', '2026-01-01 00:00:00']]);
      await tables.run('UPDATE github_repos SET is_deleted = 1 WHERE repo_id = 7');
    });
    expect(await run()).to.deep.equal({
      proposals: [
        { id: 2, name: 'Owner/R2', reason: '12 people in the newest week of the data, 18 in the three weeks before' },
        { id: 1, name: 'Owner/R1', reason: '10 people in the newest week of the data, 0 in the three weeks before' },
      ],
      added: 0,
      requests: 1,
    });
  });

  it('proposes young repositories with many stars, within the budget, and tracks the first ones', async () => {
    await store({ 1: [[28, logins(10)]] });
    github.answer = ({ path }) => ({
      body: { items: found(Array.from({ length: 100 }, (_, index) => (path.endsWith('page=1') ? 1 : 101) + index)) },
    });
    const { proposals, added, requests } = await run({ limit: 4, trackUntil: 3 });
    expect([proposals.map(({ name }) => name), added, requests]).to.deep.equal([
      ['Owner/R1', 'owner/r2', 'owner/r3', 'owner/r4'],
      3,
      1,
    ]);
    expect(proposals[1]?.reason).to.equal('4998 stars at GitHub, created since 2026-05-30');
    expect(github.calls.map(({ path }) => path)).to.deep.equal([
      '/search/repositories?q=created%3A%3E%3D2026-05-30&sort=stars&order=desc&per_page=100&page=1',
    ]);
    const tracked = await warehouse.store.write(listTracked);
    expect(tracked.map(({ id, reason }) => [id, reason])).to.deep.equal([1, 2, 3].map((id) => [id, 'added']));
    expect((await run({ trackUntil: 3 })).added).to.equal(0);
    const again = await run({ budget: 2 });
    expect([again.requests, again.proposals.length, again.proposals[0]?.id]).to.deep.equal([2, 100, 4]);
    expect((await run({ budget: 0 })).requests).to.equal(0);
  });

  it('proposes those of the events when GitHub fails', async () => {
    await store({ 1: [[28, logins(10)]] });
    github.answer = () => ({ status: 403, headers: rateLimitHeaders(0, NOW / 1000 + 60), body: {} });
    const { proposals, stopped } = await run();
    expect(proposals.map(({ id }) => id)).to.deep.equal([1]);
    expect(stopped).to.equal('The rate limit of GitHub is reached until 2026-06-29T00:01:00.000Z.');
    github.answer = () => ({ body: { items: [{}] } });
    expect((await run()).stopped).to.equal('GitHub sent an unreadable response.');
  });
});
