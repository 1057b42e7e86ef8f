import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Warehouse } from '../../server/databases/warehouse.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { type GitHubServer, rateLimitHeaders, startGitHubServer } from '../github/github-server.js';
import { answerSources } from '../github/issue-truth.js';
import { copyEmptyFile } from '../service/demo-data.js';
import { testFile } from '../warehouse/test-store.js';
import { openHere, runHere } from './commands-here.js';

const NOW = '2026-11-20T12:00:00Z';
const now = Date.parse(NOW);
const REPOSITORIES = [7, 8].map((id) => ({
  id,
  name: `owner/repo-${id}`,
  createdAt: now - 300 * 86_400_000,
  stars: [1, 2, 3].map((days) => ({ at: now - days * 86_400_000 })),
  issues: [{ number: 1, isPullRequest: false, user: 5, openedAt: now - 86_400_000 }],
  events: [{ id, at: now - 86_400_000, type: 'ForkEvent' as const, actor: 6 }],
}));

describe('data track', () => {
  let folder: string;
  let github: GitHubServer;
  let environment: Record<string, string>;
  let warehouse: Warehouse;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'repo-insight-track-'));
    github = await startGitHubServer();
    environment = { DATA_DIR: folder, GITHUB_API_URL: github.url, NOW };
    await copyEmptyFile(testFile(folder));
    warehouse = await openHere(environment);
  });
  after(async () => {
    await warehouse.close();
    await github.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => {
    github.answer = (call) => answerSources(REPOSITORIES, call, { url: github.url, now });
  });

  /** Runs a command as a service does that has the database open. */
  const data = (...words: string[]) =>
    runHere(['data', ...words], readSettings(environment), warehouse, { cwd: folder });
  const track = (...words: string[]) => data('track', ...words);
  const jsonOf = async (...words: string[]) => {
    const { code, out } = await track(...words, '--json');
    const { seconds: _, ...rest } = JSON.parse(out);
    return { code, ...rest };
  };

  it('adds repositories of the command line and of a file, and exits with 1 if GitHub does not have one', async () => {
    expect(await jsonOf('add', 'owner/repo-7')).to.deep.equal({
      code: 0,
      added: 1,
      known: 0,
      unknown: [],
      renamed: [],
    });
    await writeFile(join(folder, 'list.txt'), '# ours\r\n\r\nOwner/Repo-7\r\nowner/repo-8\r\nno/body\r\n');
    const { code, out, err } = await track('import', 'list.txt');
    expect({ code, out }).to.deep.equal({ code: 1, out: '1 repository added, 1 tracked before.\n' });
    expect(err).to.match(/3 of 3 repositories\nno\/body: neither this data set nor GitHub has this repository\n$/);
    const items = [{ repo_name: 'owner/repo-7' }, { repo_id: 8, repo_name: 'owner/repo-8' }];
    const collections = [1, 2].map((id) => ({ id, name: `Collection ${id}`, items }));
    await writeFile(join(folder, 'collections.json'), JSON.stringify(collections));
    expect((await track('import', 'collections.json')).out).to.equal('0 repositories added, 2 tracked before.\n');
    await writeFile(join(folder, 'wrong.yaml'), 'one: 1\n');
    expect(await track('import', 'wrong.yaml')).to.include({ code: 2, out: '' });
    const wrong = await track('add', 'owner/repo-7', 'not-a-name');
    expect({ code: wrong.code, err: wrong.err }).to.deep.equal({
      code: 2,
      err: 'Expected owner/name, got not-a-name.\n',
    });
  });

  it('reads sources within a budget, continues, and lists how far it came', async () => {
    const partial = await track('follow', '--budget', '1');
    expect(partial.code).to.equal(1);
    expect(partial.out).to.match(/^1 source up to date, 7 left, with 1 request in [\d.]+ s; 0 events added\.\n$/);
    expect(partial.err).to.include('Without GITHUB_TOKEN, GitHub allows 60 requests per hour.');
    expect(partial.err).to.include('The budget of 1 request is used up. Run the same command again to continue.');
    const stars = { tracked: 2, updated: 2, absent: 0, failed: 0, left: 0, requests: 4, events: 0 };
    expect(await jsonOf('follow', '--only', 'stars')).to.deep.equal({ code: 0, ...stars });
    const summary = { ...stars, updated: 5, requests: 5, events: 2 };
    expect(await jsonOf('follow')).to.deep.equal({ code: 0, ...summary });
    expect(await jsonOf('follow')).to.deep.equal({ code: 0, ...summary, updated: 0, requests: 0, events: 0 });
    const { code, out } = await track('list');
    expect(code).to.equal(0);
    expect(out.split('\n').filter((line) => line.includes('owner/repo-'))).to.have.lengthOf(8);
    expect(out).to.match(/owner\/repo-7.*7.*added.*issues.*2026-11-20 12:00:00.*2026-11-20 12:00:00/);
  });

  it('is part of data status', async () => {
    const status = (...words: string[]) => data('status', ...words);
    const { tracked } = JSON.parse((await status('--json')).out);
    const rest = { complete: 2, due: 0, failing: 0, oldest: '2026-11-20 12:00:00' };
    const sources = ['repository', 'stars', 'events', 'issues'].map((source) => ({ source, ...rest }));
    expect(tracked).to.deep.equal({ repositories: 2, sources });
    const { out } = await status();
    expect(out)
      .to.include('2 tracked repositories:\n')
      .and.to.match(/stars +.*2 .*0 .*0 .*2026-11-20 12:00:00/);
  });

  it('stops at a rate limit with --no-wait', async () => {
    // The reset is later than any real rate limit of GitHub. The printed time is tested with the client.
    const reset = Date.parse('2099-01-01T00:00:00Z') / 1000;
    github.answer = () => ({ status: 403, headers: rateLimitHeaders(0, reset), body: {} });
    environment = { ...environment, NOW: '2026-11-21T12:00:00Z' };
    const { code, err } = await track('follow', '--no-wait');
    expect(code).to.equal(1);
    expect(err).to.match(/The rate limit of GitHub is reached until .*Z\. Run the same command again to continue\./);
  });

  it('proposes repositories, and tracks them with --add', async () => {
    const items = [{ id: 9, full_name: 'owner/repo-9', owner: { id: 1, login: 'owner' }, stargazers_count: 500 }];
    github.answer = () => ({ body: { items } });
    const { code, out } = await track('discover');
    expect(code).to.equal(0);
    expect(out).to.match(/owner\/repo-9 .* 9 .*500 stars at GitHub, created since 2026-10-22/);
    expect(out).to.match(/\n1 proposal, with 1 request\. To track them, use --add or `data track add`\.\n$/);
    const { proposals, ...rest } = await jsonOf('discover', '--add');
    expect([proposals.length, rest]).to.deep.equal([1, { code: 0, added: 1, requests: 1 }]);
    expect(await jsonOf('discover')).to.deep.equal({ code: 0, proposals: [], added: 0, requests: 1 });
    await track('remove', 'owner/repo-9');
  });

  it('removes repositories that were added', async () => {
    expect(await jsonOf('remove', 'OWNER/repo-7')).to.deep.equal({ code: 0, removed: 1, unknown: [] });
    const { code, err } = await track('remove', 'owner/repo-7');
    expect({ code, err }).to.deep.equal({ code: 1, err: 'owner/repo-7: was not added by `data track add`\n' });
  });
});
