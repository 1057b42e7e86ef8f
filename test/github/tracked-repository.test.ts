import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { toEnvelope } from '../../engine/http/envelopes/envelope.js';
import { createEngine, PATIENT_METADATA_TIMEOUT_MS } from '../../engine/index.js';
import { followTracked } from '../../github/tracking/follow-tracked.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { embeddedOnly } from '../warehouse/embedded-only.js';
import { apiLine } from '../warehouse/named-events.js';
import { onEveryDatabase, type TestWarehouse } from '../warehouse/test-warehouse.js';
import { createClientOf, type GitHubServer, startGitHubServer } from './github-server.js';
import { answerSources } from './issue-truth.js';
import { trackingOptions, trackRepositories } from './tracking-options.js';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 10, 20, 12);
const TRUTH = {
  id: 7,
  name: 'Owner/New',
  createdAt: START - 50 * 24 * HOUR_MS,
  stars: [1, 2, 3].map((days) => ({ at: START - days * 24 * HOUR_MS })),
  issues: [
    { number: 1, isPullRequest: false, user: 10, openedAt: START - 24 * HOUR_MS },
    { number: 2, isPullRequest: true, user: 11, openedAt: START - 12 * HOUR_MS, mergedAt: START - HOUR_MS },
  ],
};

onEveryDatabase('a tracked repository without events', (make) => {
  const itEmbedded = embeddedOnly(make);
  let warehouse: TestWarehouse;
  let github: GitHubServer;
  let now: number;
  beforeEach(async () => {
    warehouse = await make();
    github = await startGitHubServer();
    github.answer = (call) => answerSources([TRUTH], call, { url: github.url, now });
    now = START;
    await trackRepositories(warehouse.store, [{ id: 7, name: 'owner/old' }]);
  });
  afterEach(async () => {
    await github.close();
    await warehouse.close();
  });

  const follow = () => {
    github.calls.length = 0;
    return followTracked(
      warehouse.store,
      createClientOf(github.url, () => now),
      trackingOptions(warehouse, () => now),
    );
  };
  const ask = async (name: string, query: Readonly<Record<string, string>>) => {
    const engine = createEngine({
      endpoints: await loadDefinitions(readSettings({})),
      database: warehouse.database,
      clock: () => new Date(now),
      stopwatch: () => 0,
      metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
    });
    return toEnvelope(await engine.run(engine.endpoint(name), { path: {}, query })).data.rows;
  };
  const NAME = { owner: 'owner', repo: 'new' };

  it('is known to the operations, with its stars, issues and creators', async () => {
    expect(await follow()).to.include({ tracked: 1, updated: 4, requests: 4, left: 0 });
    const [overview] = await ask('repository-overview', NAME);
    expect(overview).to.include({
      repo_id: '7',
      repo_name: 'Owner/New',
      description: 'About 7',
      stars: '3',
      reported_stars: '3',
      issues: '1',
      pull_requests: '1',
    });
    expect(await ask('stargazers-history', { ...NAME, per: 'month' })).to.deep.equal([
      { date: '2026-11-01', stargazers: '3' },
    ]);
    const [creator] = await ask('list-pull-request-creators', NAME);
    expect(creator).to.include({ id: '11', login: 'user-11', prs: '1', first_pr_merged_at: '2026-11-20 11:00:00' });
    expect(await warehouse.rows("SELECT repo_id FROM mv_repo_names WHERE name = 'owner/new'")).to.deep.equal([['7']]);
  });

  itEmbedded('has its whole star history read again when GitHub reports another number of stars', async () => {
    const day = 24 * HOUR_MS;
    const old = Array.from({ length: 60 }, (_, index) => ({
      at: START - (400 + index) * day,
      ...(index % 2 === 0 && { until: START + 3 * day }),
    }));
    const truth = { ...TRUTH, createdAt: START - 500 * day, stars: old };
    github.answer = (call) => answerSources([truth], call, { url: github.url, now });
    await follow();
    const counted = () => warehouse.rows('SELECT stars FROM github_star_histories');
    expect(await counted()).to.deep.equal([['60']]);
    now += 2 * day;
    await follow();
    expect(await counted()).to.deep.equal([['60']]);
    now += 2 * day;
    await follow();
    expect(await counted()).to.deep.equal([['30']]);
    expect(github.calls.filter(({ path }) => path.includes('stargazers'))).to.have.lengthOf(3);
  });

  itEmbedded(
    'is read every day, has the name that GitHub sends, and is deleted while GitHub does not show it',
    async () => {
      await follow();
      const file = join(warehouse.folder, 'later.json');
      await writeFile(file, apiLine({ at: '2026-11-21T00:00:00Z', name: 'owner/newer', id: 7, actor: 'hal' }));
      await warehouse.import([file]);
      const stored = () => warehouse.rows('SELECT repo_name, stars, is_deleted FROM github_repos');
      expect(await stored()).to.deep.equal([['owner/newer', '3', '0']]);
      const versions = () =>
        warehouse.rows("SELECT commit_number FROM data_versions WHERE table_name = 'github_repos'");
      now += 12 * HOUR_MS;
      await follow();
      expect(github.calls.map(({ path }) => path).filter((path) => path === '/repositories/7')).to.deep.equal([]);
      now += 12 * HOUR_MS;
      await follow();
      // The import has stored another name.
      expect(await stored()).to.deep.equal([['Owner/New', '3', '0']]);
      const version = await versions();
      now += 24 * HOUR_MS;
      await follow();
      expect(await versions()).to.deep.equal(version);
      now += 24 * HOUR_MS;
      const answer = github.answer;
      github.answer = () => ({ status: 404, body: {} });
      expect(await follow()).to.include({ absent: 4 });
      expect(await stored()).to.deep.equal([['Owner/New', '3', '1']]);
      now += 24 * HOUR_MS;
      github.answer = answer;
      await follow();
      expect(await stored()).to.deep.equal([['Owner/New', '3', '0']]);
    },
  );
});
