import { expect } from 'chai';
import { GitHubCache, type GitHubCacheOptions } from '../../github/client/github-cache.js';
import { createGitHubClient } from '../../github/client/github-client.js';
import { createLookups, type Lookups } from '../../github/lookups/lookups.js';
import { createStoredRecords } from '../../github/lookups/stored-records.js';
import { createNameSearch } from '../../warehouse/search.js';
import { onEveryDatabase, type TestWarehouse } from '../warehouse/test-warehouse.js';
import { type GitHubServer, NOT_FOUND, rateLimitHeaders, replayFixture, startGitHubServer } from './github-server.js';
import { restProfile } from './rest-profile.js';
import { storeNames } from './store-names.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const MINUTE_MS = 60_000;
/** The time at which a rate limit resets, in seconds since 1970: half an hour after `NOW`, which is a plausible duration. */
const RESET = NOW.getTime() / 1000 + 1_800;
const LIMITED = `The rate limit of GitHub is reached until ${new Date(RESET * 1000).toISOString()}.`;

onEveryDatabase('lookups', (make) => {
  let warehouse: TestWarehouse;
  let github: GitHubServer;
  let stopwatch: number;

  before(async () => {
    warehouse = await make();
    await storeNames(warehouse.store, {
      accounts: [
        "(1, 'Ada', 'User', 'Ada Stored', 'example', 'Berlin', 12, 3, 4, 0, '2011-01-25 18:44:36', '2025-05-01 10:00:00')",
        "(2, 'seen-only', 'N/A', '', '', '', 0, 0, 0, 0, NULL, NULL)",
        "(3, 'gone', 'User', '', '', '', 5, 0, 0, 1, NULL, NULL)",
        "(4, 'Example-Org', 'Organization', '', '', '', 90, 0, 0, 0, NULL, NULL)",
      ],
      repositories: [
        "(10, 'Ada/Tools', 1, 'Ada', 0, 'Useful', 'Rust', 'MIT', 55, 6, 0, '2015-01-01 00:00:00', '2025-06-01 00:00:00')",
        "(11, 'example-org/seen-only', 0, 'example-org', 1, '', '', '', 0, 0, 0, NULL, NULL)",
        "(12, 'ada/old', 1, 'Ada', 0, '', '', '', 9, 0, 1, NULL, NULL)",
        "(13, 'twin/repo', 0, 'twin', 0, '', '', '', 0, 0, 0, NULL, NULL)",
        "(14, 'Twin/Repo', 0, 'twin', 0, '', '', '', 0, 0, 0, NULL, NULL)",
      ],
    });
  });
  after(() => warehouse.close());
  beforeEach(async () => {
    github = await startGitHubServer();
    stopwatch = 1_000;
  });
  afterEach(() => github.close());

  const lookups = (options: GitHubCacheOptions | undefined = {}): Lookups => {
    const client = createGitHubClient({
      tokens: ['one'],
      apiUrl: github.url,
      userAgent: 'test/1',
      now: () => NOW.getTime(),
    });
    return createLookups({
      github: new GitHubCache(client, { clock: () => NOW, stopwatch: () => stopwatch, deadlineMs: 20_000, ...options }),
      records: createStoredRecords(warehouse.database),
      search: createNameSearch(warehouse.database),
    });
  };
  const lookUpInTables = (): Lookups =>
    createLookups({
      github: undefined,
      records: createStoredRecords(warehouse.database),
      search: createNameSearch(warehouse.database),
    });
  const rejectionOf = (call: Promise<unknown>) =>
    call.then(
      () => expect.fail('the lookup should have failed'),
      (error: Error) => error,
    );

  describe('without a GitHub client', () => {
    it('return the known fields of an account', async () => {
      const ada = {
        id: 1,
        login: 'Ada',
        type: 'User',
        name: 'Ada Stored',
        company: 'example',
        location: 'Berlin',
        avatar_url: null,
        followers: 12,
        following: 3,
        public_repos: 4,
        created_at: '2011-01-25T18:44:36Z',
        html_url: 'https://github.com/Ada',
      };
      const common = { source: 'warehouse', refreshedAt: '2025-05-01T10:00:00Z', notices: [], freshMs: MINUTE_MS };
      expect(await lookUpInTables().account('aDA')).to.eql({ ...common, data: ada });
      expect(await lookUpInTables().accountOfId(1)).to.eql({ ...common, data: ada });
      expect((await lookUpInTables().accountOfId(2)).data).to.eql({
        ...Object.fromEntries(Object.keys(ada).map((key) => [key, null])),
        id: 2,
        login: 'seen-only',
        html_url: 'https://github.com/seen-only',
      });
    });

    it('return the counts of an account without a known creation time', async () => {
      const { data } = await lookUpInTables().organizationOfId(4);
      expect([data?.followers, data?.following, data?.public_repos]).to.eql([90, null, null]);
    });

    it('return the known fields of a repository', async () => {
      const tools = {
        id: 10,
        full_name: 'Ada/Tools',
        name: 'Tools',
        owner: { id: 1, login: 'Ada', type: null, avatar_url: null },
        description: 'Useful',
        language: 'Rust',
        forks: 6,
        stargazers_count: 55,
        open_issues: null,
        subscribers_count: null,
        license: { key: 'mit', spdx_id: 'MIT' },
        created_at: '2015-01-01T00:00:00Z',
        updated_at: null,
        pushed_at: null,
        html_url: 'https://github.com/Ada/Tools',
      };
      expect((await lookUpInTables().repository('ada', 'tools')).data).to.eql(tools);
      expect((await lookUpInTables().repositoryOfId(10)).data).to.eql(tools);
      expect((await lookUpInTables().repositoryOfId(11)).data).to.deep.include({
        owner: { id: null, login: 'example-org', type: 'Organization', avatar_url: null },
        stargazers_count: null,
        forks: null,
        license: null,
      });
    });

    it('resolve a name of several repositories as every other operation does', async () => {
      expect((await lookUpInTables().repository('twin', 'repo')).data).to.include({ id: 14 });
    });

    it('find a repository by the name that it had before, which no repository has now', async () => {
      await warehouse.store.write((tables) =>
        tables.insertRows('repo_name_uses', [
          ['ada/before', 10, '2014-01-01 00:00:00', '2014-01-02 00:00:00'],
          ['twin/repo', 10, '2026-01-01 00:00:00', '2026-01-02 00:00:00'],
        ]),
      );
      expect((await lookUpInTables().repository('Ada', 'before')).data).to.include({ id: 10, full_name: 'Ada/Tools' });
      expect((await lookUpInTables().repository('twin', 'repo')).data).to.include({ id: 14 });
    });

    it('find nothing that was deleted, is of another kind or is missing', async () => {
      for (const result of [
        lookUpInTables().account('gone'),
        lookUpInTables().accountOfId(3),
        lookUpInTables().accountOfId(999),
        lookUpInTables().organizationOfId(1),
        lookUpInTables().repository('ada', 'old'),
        lookUpInTables().repositoryOfId(12),
        lookUpInTables().account("' OR 1=1 --"),
        lookUpInTables().repository('ada', '%'),
      ]) {
        expect(await result).to.include({ source: 'warehouse', data: undefined });
      }
      expect((await lookUpInTables().organizationOfId(4)).data).to.include({ login: 'Example-Org' });
    });
  });

  it('cache an answer of GitHub for five minutes and then revalidate it', async () => {
    github.answer = ({ etag }) =>
      etag === '"v1"' ? { status: 304 } : { body: restProfile(1, 'ada'), headers: { etag: '"v1"' } };
    const both = lookups();
    const expected = {
      source: 'host',
      refreshedAt: '2026-01-01T00:00:00.000Z',
      notices: [],
      freshMs: 5 * MINUTE_MS,
      data: {
        id: 1,
        login: 'ada',
        type: 'User',
        name: 'Ada Example',
        company: '@example ',
        location: 'Berlin, Germany',
        avatar_url: 'https://avatars.example/u/1',
        followers: 1200,
        following: 3,
        public_repos: 7,
        created_at: '2011-01-25T18:44:36Z',
      },
    };
    expect(await both.account('ada')).to.eql(expected);
    stopwatch += 4 * MINUTE_MS;
    expect(await both.account('ada')).to.eql(expected);
    expect(github.calls).to.have.lengthOf(1);
    stopwatch += 2 * MINUTE_MS;
    expect(await both.account('ada')).to.eql(expected);
    expect(github.calls.map(({ etag }) => etag)).to.eql([undefined, '"v1"']);
  });

  it('convert what only some answers of GitHub contain', async () => {
    const license = {
      key: 'mit',
      name: 'MIT License',
      spdx_id: 'MIT',
      url: 'https://api.example/licenses/mit',
      node_id: 'x',
    };
    const other = { key: 'other', name: 'Other', spdx_id: 'NOASSERTION', url: null };
    const repository = {
      id: 7,
      full_name: 'ada/tools',
      owner: restProfile(1, 'ada'),
      html_url: 'https://host.example/ada/tools',
    };
    const answers = [
      { ...repository, license, topics: ['a', 'b'], default_branch: 'main' },
      { ...repository, license: other, topics: [], default_branch: null },
      { ...repository, license: { spdx_id: 'Apache-2.0' }, html_url: undefined },
    ];
    const found = [];
    for (const body of answers) {
      github.answer = () => ({ body });
      const { data } = await lookups().repositoryOfId(7);
      const { license: own, topics, default_branch, html_url } = data ?? expect.fail('no repository');
      found.push({ license: own, topics, default_branch, html_url });
    }
    const { node_id: _, ...known } = license;
    expect(found).to.eql([
      { license: known, topics: ['a', 'b'], default_branch: 'main', html_url: 'https://host.example/ada/tools' },
      { license: other, topics: [], default_branch: undefined, html_url: 'https://host.example/ada/tools' },
      {
        license: { key: 'apache-2.0', spdx_id: 'Apache-2.0' },
        topics: undefined,
        default_branch: undefined,
        html_url: undefined,
      },
    ]);
  });

  it('convert a recorded repository', async () => {
    github.answer = (call) => replayFixture('get-repository', call, github.url);
    const { data } = await lookups().repository('octokit-fixture-org', 'hello-world');
    expect(data).to.deep.include({
      id: 1000,
      full_name: 'octokit-fixture-org/hello-world',
      name: 'hello-world',
      license: null,
      subscribers_count: 42,
      created_at: '2017-10-10T16:00:00Z',
    });
  });

  it('share one request among concurrent equal lookups', async () => {
    github.answer = () => ({ body: restProfile(1, 'ada') });
    const both = lookups();
    const answers = await Promise.all(Array.from({ length: 50 }, () => both.account('ada')));
    expect(new Set(answers.map(({ data }) => data?.login))).to.eql(new Set(['ada']));
    expect(github.calls).to.have.lengthOf(1);
  });

  it('share one failure among concurrent equal lookups', async () => {
    github.answer = () => ({ status: 501 });
    const both = lookups();
    const errors = await Promise.all(Array.from({ length: 20 }, () => rejectionOf(both.account('unknown'))));
    expect(new Set(errors.map(({ name }) => name))).to.eql(new Set(['GitHubError']));
  });

  it('return a stale answer with a notice while GitHub fails', async () => {
    github.answer = () => ({ body: restProfile(1, 'ada') });
    const both = lookups();
    await both.account('ada');
    stopwatch += 6 * MINUTE_MS;
    github.answer = () => ({ status: 503 });
    expect(await both.account('ada')).to.deep.include({
      source: 'host',
      notices: ['GitHub failed with status 503. This answer of GitHub is from 2026-01-01T00:00:00.000Z.'],
    });
  });

  it('return no answer that is older than a day, also after the clock was set', async () => {
    github.answer = () => ({ body: restProfile(1, 'ada') });
    const both = lookups();
    await both.account('ada');
    github.answer = () => ({ status: 503 });
    stopwatch += 23 * 60 * MINUTE_MS;
    expect(await both.account('ada')).to.include({ source: 'host' });
    stopwatch += 61 * MINUTE_MS;
    expect(await both.account('ada').catch(() => ({ source: 'none' }))).not.to.include({ source: 'host' });
  });

  for (const [fault, answer, why] of [
    ['fails', { status: 500 }, 'GitHub failed with status 500.'],
    ['stalls', { fault: 'stall' }, 'GitHub did not answer within 400 ms.'],
    ['sends a page', { body: '<html>down for maintenance</html>' }, 'GitHub sent an unreadable response.'],
    ['sends another form', { body: [] }, 'GitHub sent an unreadable response.'],
    ['closes the connection', { body: restProfile(1, 'ada'), fault: 'cut' }, 'GitHub sent an unreadable response.'],
    ['rejects the token', { status: 401, body: {} }, 'GitHub rejected the token of this service.'],
    ['is at its rate limit', { status: 403, headers: rateLimitHeaders(0, RESET), body: {} }, LIMITED],
  ] as const) {
    it(`answer from the tables with a notice when GitHub ${fault}`, async () => {
      github.answer = () => answer;
      const options = { deadlineMs: fault === 'stalls' ? 400 : 20_000 };
      const both = lookups(options);
      const result = await both.account('ada');
      expect(result).to.deep.include({
        source: 'warehouse',
        notices: [`${why} This answer is from the tables of this service.`],
      });
      expect(result.data).to.include({ name: 'Ada Stored' });
      const unknown = await rejectionOf(lookups(options).account('unknown'));
      expect(unknown, 'the account may exist').to.include({
        name: 'GitHubError',
        message: why,
      });
    });
  }

  it('report an account as absent if GitHub does not have it, even if the tables do', async () => {
    github.answer = () => NOT_FOUND;
    expect(await lookups().account('ada')).to.include({ source: 'host', data: undefined });
  });

  it('find only organizations by the id of an organization', async () => {
    github.answer = ({ path }) => ({
      body: path === '/user/4' ? restProfile(4, 'org', { type: 'Organization' }) : restProfile(1, 'a'),
    });
    expect((await lookups().organizationOfId(4)).data).to.include({ login: 'org' });
    expect((await lookups().organizationOfId(1)).data).to.equal(undefined);
  });

  it('do not send names to GitHub that change the path', async () => {
    const both = lookups();
    for (const [owner, repo] of [
      ['..', 'user'],
      ['.', '..'],
      ['ada', '../../user'],
      ['ada', 'tools?x=1'],
      ['ada', 'tools#x'],
      ['ada%2f..', 'tools'],
      ['ada', 'a\nb'],
      ['a/b', 'c'],
    ] as const) {
      expect(await both.repository(owner, repo)).to.include({ source: 'warehouse', data: undefined });
    }
    await both.account('..');
    expect(github.calls).to.eql([]);
    await both.account('helper[bot]');
    expect(github.calls[0]?.path).to.equal('/users/helper%5Bbot%5D');
  });

  it('search on GitHub with a quoted keyword and rank the results', async () => {
    const items = ['ada-lovelace', 'Xada', 'ADA', 'adamant'].map((login, index) => restProfile(index + 1, login));
    github.answer = () => ({ body: { total_count: 4, incomplete_results: false, items } });
    const { source, data } = await lookups().searchUsers('ada');
    expect({ source, data }).to.eql({
      source: 'host',
      data: [
        { id: 3, login: 'ADA' },
        { id: 1, login: 'ada-lovelace' },
        { id: 4, login: 'adamant' },
        { id: 2, login: 'Xada' },
      ],
    });
    await lookups().searchOrganizations('a" type:user repos:>5');
    await lookups().searchRepositories('ada/to');
    const queries = github.calls.map(({ path }) => new URL(path, github.url).searchParams.get('q'));
    expect(queries).to.eql([
      '"ada" in:login type:user',
      '"a  type:user repos:>5" in:login type:org',
      '"to" in:name user:ada',
    ]);
  });

  it('search in the tables when GitHub is at its rate limit', async () => {
    github.answer = () => ({ status: 403, headers: rateLimitHeaders(0, RESET), body: {} });
    expect(await lookups().searchRepositories('ada/')).to.deep.include({
      source: 'warehouse',
      data: [{ id: 10, fullName: 'Ada/Tools', defaultBranchRef: null }],
      notices: [`${LIMITED} This answer is from the tables of this service.`],
    });
  });

  it('open the circuit breaker after five failures', async () => {
    github.answer = () => ({ status: 501 });
    const notices: string[] = [];
    const both = lookups({ deadlineMs: 50, onNotice: (notice) => notices.push(notice) });
    for (let id = 1; id <= 6; id++) await both.accountOfId(1).catch(() => undefined);
    const calls = github.calls.length;
    expect((await both.accountOfId(1)).notices).to.eql([
      'GitHub failed several times and is not called for some seconds. This answer is from the tables of this service.',
    ]);
    expect(github.calls).to.have.lengthOf(calls);
    expect(notices).to.eql(['GitHub is unavailable; lookups are answered from the tables of this service.']);
  });
});
