import { expect } from 'chai';
import type { OperatorStatus } from '../../app-routes/console/operator-status.js';
import { storeCollections } from '../../warehouse/collections.js';
import { type GitHubServer, rateLimitHeaders, startGitHubServer } from '../github/github-server.js';
import { answerSources } from '../github/issue-truth.js';
import { eventually } from '../services/eventually.js';
import { NOW } from './demo-data.js';
import { createUsers, type DemoService, SYSTEM_TIME, startDemoService } from './demo-service.js';
import { STARGAZERS } from './few-endpoints.js';

const now = Date.parse(NOW);
const DAY_MS = 86_400_000;
const MOST_STARRED = `
  SELECT r.repo_id, r.repo_name
  FROM mv_repo_totals t
  JOIN github_repos r ON r.repo_id = t.repo_id
  ORDER BY t.stars DESC, r.repo_id LIMIT 12`;
const READ = 'the sources of tracked repositories were read';

describe('a service with TRACK_REPOSITORIES', () => {
  let github: GitHubServer;
  let demo: DemoService;
  let names: ReadonlyMap<number, string>;
  beforeEach(async () => {
    github = await startGitHubServer();
  });
  afterEach(async () => {
    await demo.close();
    await github.close();
  });

  /** Starts a service. The only public collection of the service contains the 12 most starred repositories. */
  const start = (environment: Readonly<Record<string, string>> = {}) =>
    startDemoService(
      { TRACK_REPOSITORIES: 'yes', GITHUB_API_URL: github.url, ENDPOINTS_DIR: STARGAZERS, ...environment },
      {
        prepare: async (store) => {
          const rows = await store.write((tables) => tables.rows(MOST_STARRED));
          const items = rows.map(([id, name]) => ({ repo_id: Number(id), repo_name: String(name) }));
          names = new Map(items.map((item) => [item.repo_id, item.repo_name]));
          await storeCollections(store, [{ id: 1, name: 'Most starred', items }]);
        },
      },
    );
  const runs = () => demo.log.filter(({ msg }) => msg === READ);

  it('reads the counts of collections at its start, and answers with them', async () => {
    const stars = [40, 30, 20, 20].map((days) => ({ at: now - days * DAY_MS }));
    github.answer = (call) => {
      const id = Number(/^\/repositories\/(\d+)/.exec(call.path)?.[1]);
      const issues = [{ number: 1, isPullRequest: true, user: 5, openedAt: now - 40 * DAY_MS }];
      const repository = { id, name: names.get(id) ?? '', createdAt: now - 50 * DAY_MS, stars, issues };
      return answerSources([repository], call, { url: github.url, now });
    };
    demo = await start({ GITHUB_TOKEN: 'one' });
    await eventually(() => runs().length > 0);
    expect(runs()[0]).to.include({ tracked: 12, updated: 48, requests: 48, left: 0, failed: 0 });
    const response = await demo.get(`/v1/repos/${demo.repository}/stargazers/history/`);
    const { data } = (await response.json()) as { data: { rows: object[]; result: { notices: string[] } } };
    expect(data.rows.at(-1)).to.deep.equal({ date: `${NOW.slice(0, 7)}-01`, stargazers: '4' });
    expect(data.result.notices).to.include(
      `Stars are the counts of GitHub until ${NOW.slice(0, 10)}. Later stars are people in the events, which can lack many ` +
        'stars. GitHub counts only stars that still exist, and its days are not guaranteed to be in UTC.',
    );
  });

  it('shows operators how far it came', async () => {
    github.answer = () => ({ status: 500, headers: rateLimitHeaders(4_321, Date.parse(NOW) / 1000 + 3_600), body: {} });
    demo = await start({ GITHUB_TOKEN: 'one' });
    await eventually(() => runs().length > 0);
    await demo.as('otto', '/user/');
    const users = createUsers(demo.database, demo.state);
    const [user] = await users.findByLogin('otto');
    await users.setTrusted(user?.id ?? 0, true, SYSTEM_TIME);
    const read = async () => ((await (await demo.as('otto', '/console/operator/')).json()) as OperatorStatus).tracking;
    await eventually(async () => (await read()) !== null);
    const none = { complete: 0, oldest: null };
    expect(await read()).to.deep.equal({
      repositories: 12,
      sources: [
        { source: 'repository', due: 7, failing: 5, ...none },
        { source: 'stars', due: 12, failing: 0, ...none },
        { source: 'events', due: 12, failing: 0, ...none },
        { source: 'issues', due: 12, failing: 0, ...none },
      ],
      requestsLeft: [4_321],
      shares: [],
    });
  });

  it('sends few requests without a token, and answers with the events if GitHub fails', async () => {
    github.answer = () => ({ status: 500, body: {} });
    demo = await start();
    await eventually(() => runs().length > 0);
    expect(runs()[0]).to.include({ updated: 0, failed: 5, requests: 5 });
    expect(github.calls).to.have.lengthOf(5);
    expect((await demo.get(`/v1/repos/${demo.repository}/stargazers/history/`)).status).to.equal(200);
  });

  it('tracks repositories that rise until the number in TRACK_REPOSITORIES is tracked', async () => {
    const owner = { id: 9_000_000, login: 'rising' };
    const found = [1, 2, 3].map((index) => ({ id: owner.id + index, full_name: `rising/r${index}`, owner }));
    github.answer = ({ path }) =>
      path.startsWith('/search/') ? { body: { items: found } } : { status: 500, body: {} };
    demo = await start({ GITHUB_TOKEN: 'one', TRACK_REPOSITORIES: '14' });
    const searches = () => demo.log.filter(({ msg }) => msg === 'repositories that rise were searched');
    await eventually(() => searches().length > 0);
    // Proposals from the events and from GitHub alternate.
    const names = ['coral-vole/lagoon-ticks', 'rising/r1'];
    expect(searches()[0]).to.include({ requests: 1 }).and.to.deep.include({ names });
    const { rows } = await demo.database.query(
      demo.database.prepare('SELECT repo_name FROM sys_tracked_repos ORDER BY repo_name'),
      [],
      { maxRows: 100, timeoutMs: 5_000 },
    );
    expect(rows.flat()).to.deep.equal(names);
  });

  it('ends at once when the service stops while GitHub does not answer', async () => {
    github.answer = () => ({ fault: 'stall' });
    demo = await start({ GITHUB_TOKEN: 'one' });
    await eventually(() => github.calls.length > 0);
  });
});
