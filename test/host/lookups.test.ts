import { expect } from 'chai';
import { HostCache, type HostCacheOptions } from '../../github/client/github-cache.js';
import { createHostClient } from '../../github/client/github-client.js';
import { createLookups, type Lookups } from '../../github/lookups/lookups.js';
import { createStoredRecords } from '../../github/lookups/stored-records.js';
import { createNameSearch } from '../../warehouse/search.js';
import { onEveryDatabase, type TestWarehouse } from '../warehouse/test-warehouse.js';
import { budget, type HostServer, NOT_FOUND, recorded, startHostServer } from './host-server.js';
import { profile } from './people.js';
import { storeNames } from './store-names.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const MINUTE_MS = 60_000;
/** Seconds since 1970, within what is believed of a platform. */
const RESET = NOW.getTime() / 1000 + 1_800;
const LIMITED = `The platform takes no more requests until ${new Date(RESET * 1000).toISOString()}.`;

onEveryDatabase('lookups', (make) => {
  let warehouse: TestWarehouse;
  let host: HostServer;
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
    host = await startHostServer();
    stopwatch = 1_000;
  });
  afterEach(() => host.close());

  const lookups = (options: HostCacheOptions | undefined = {}): Lookups => {
    const client = createHostClient({
      tokens: ['one'],
      apiUrl: host.url,
      userAgent: 'test/1',
      now: () => NOW.getTime(),
    });
    return createLookups({
      host: new HostCache(client, { clock: () => NOW, stopwatch: () => stopwatch, deadlineMs: 20_000, ...options }),
      records: createStoredRecords(warehouse.database),
      search: createNameSearch(warehouse.database),
    });
  };
  const alone = (): Lookups =>
    createLookups({
      host: undefined,
      records: createStoredRecords(warehouse.database),
      search: createNameSearch(warehouse.database),
    });
  const failureOf = (call: Promise<unknown>) =>
    call.then(
      () => expect.fail('the lookup should have failed'),
      (error: Error) => error,
    );

  describe('without the platform', () => {
    it('tell an account as far as it is known', async () => {
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
      };
      const told = { source: 'warehouse', refreshedAt: '2025-05-01T10:00:00Z', notices: [], freshMs: MINUTE_MS };
      expect(await alone().account('aDA')).to.eql({ ...told, data: ada });
      expect(await alone().accountOfId(1)).to.eql({ ...told, data: ada });
      expect((await alone().accountOfId(2)).data).to.eql({
        ...Object.fromEntries(Object.keys(ada).map((key) => [key, null])),
        id: 2,
        login: 'seen-only',
      });
    });

    it('tell the counts that a file gave of an account without giving when it was made', async () => {
      const { data } = await alone().organizationOfId(4);
      expect([data?.followers, data?.following, data?.public_repos]).to.eql([90, null, null]);
    });

    it('tell a repository as far as it is known', async () => {
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
        license: 'MIT',
        created_at: '2015-01-01T00:00:00Z',
        updated_at: null,
        pushed_at: null,
      };
      expect((await alone().repository('ada', 'tools')).data).to.eql(tools);
      expect((await alone().repositoryOfId(10)).data).to.eql(tools);
      expect((await alone().repositoryOfId(11)).data).to.deep.include({
        owner: { id: null, login: 'example-org', type: 'Organization', avatar_url: null },
        stargazers_count: null,
        forks: null,
        license: null,
      });
    });

    it('mean the same of several repositories of one name as every other operation', async () => {
      expect((await alone().repository('twin', 'repo')).data).to.include({ id: 14 });
    });

    it('tell nothing of what was deleted, is of another kind or is not there', async () => {
      for (const looked of [
        alone().account('gone'),
        alone().accountOfId(3),
        alone().accountOfId(999),
        alone().organizationOfId(1),
        alone().repository('ada', 'old'),
        alone().repositoryOfId(12),
        alone().account("' OR 1=1 --"),
        alone().repository('ada', '%'),
      ]) {
        expect(await looked).to.include({ source: 'warehouse', data: undefined });
      }
      expect((await alone().organizationOfId(4)).data).to.include({ login: 'Example-Org' });
    });
  });

  it('tell what the platform tells, once for some minutes, and then ask whether it changed', async () => {
    host.answer = ({ etag }) =>
      etag === '"v1"' ? { status: 304 } : { body: profile(1, 'ada'), headers: { etag: '"v1"' } };
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
    expect(host.calls).to.have.lengthOf(1);
    stopwatch += 2 * MINUTE_MS;
    expect(await both.account('ada')).to.eql(expected);
    expect(host.calls.map(({ etag }) => etag)).to.eql([undefined, '"v1"']);
  });

  it('tell a repository as the platform recorded it', async () => {
    host.answer = (call) => recorded('get-repository', call, host.url);
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

  it('share one request among all who ask at the same time', async () => {
    host.answer = () => ({ body: profile(1, 'ada') });
    const both = lookups();
    const answers = await Promise.all(Array.from({ length: 50 }, () => both.account('ada')));
    expect(new Set(answers.map(({ data }) => data?.login))).to.eql(new Set(['ada']));
    expect(host.calls).to.have.lengthOf(1);
  });

  it('share one failure as well', async () => {
    host.answer = () => ({ status: 501 });
    const both = lookups();
    const errors = await Promise.all(Array.from({ length: 20 }, () => failureOf(both.account('nobody'))));
    expect(new Set(errors.map(({ name }) => name))).to.eql(new Set(['HostError']));
  });

  it('go on telling what the platform told while it fails, and say so', async () => {
    host.answer = () => ({ body: profile(1, 'ada') });
    const both = lookups();
    await both.account('ada');
    stopwatch += 6 * MINUTE_MS;
    host.answer = () => ({ status: 503 });
    expect(await both.account('ada')).to.deep.include({
      source: 'host',
      notices: ['The platform failed to answer (503). This is what it told at 2026-01-01T00:00:00.000Z.'],
    });
  });

  it('tell nothing any more that the platform told more than a day ago, whatever the clock says', async () => {
    host.answer = () => ({ body: profile(1, 'ada') });
    const both = lookups();
    await both.account('ada');
    host.answer = () => ({ status: 503 });
    stopwatch += 23 * 60 * MINUTE_MS;
    expect(await both.account('ada')).to.include({ source: 'host' });
    stopwatch += 61 * MINUTE_MS;
    expect(await both.account('ada').catch(() => ({ source: 'nobody' }))).not.to.include({ source: 'host' });
  });

  for (const [fault, answer, why] of [
    ['fails', { status: 500 }, 'The platform failed to answer (500).'],
    ['stalls', { fault: 'stall' }, 'The platform did not answer within 400 ms.'],
    ['sends a page', { body: '<html>down for maintenance</html>' }, 'The platform sent what cannot be read.'],
    ['sends something else', { body: [] }, 'The platform sent what cannot be read.'],
    ['is cut off', { body: profile(1, 'ada'), fault: 'cut' }, 'The platform sent what cannot be read.'],
    ['refuses the token', { status: 401, body: {} }, 'The platform refuses the token of this service.'],
    ['takes no more', { status: 403, headers: budget(0, RESET), body: {} }, LIMITED],
  ] as const) {
    it(`tell what the tables have when the platform ${fault}, and say why`, async () => {
      host.answer = () => answer;
      const options = { deadlineMs: fault === 'stalls' ? 400 : 20_000 };
      const both = lookups(options);
      const looked = await both.account('ada');
      expect(looked).to.deep.include({ source: 'warehouse', notices: [`${why} This is what our tables have.`] });
      expect(looked.data).to.include({ name: 'Ada Stored' });
      const unknown = await failureOf(lookups(options).account('nobody'));
      expect(unknown, 'nobody knows whether there is such an account').to.include({ name: 'HostError', message: why });
    });
  }

  it('believe the platform that there is no such thing, whatever the tables have', async () => {
    host.answer = () => NOT_FOUND;
    expect(await lookups().account('ada')).to.include({ source: 'host', data: undefined });
  });

  it('take only an organisation for one', async () => {
    host.answer = ({ path }) => ({
      body: path === '/user/4' ? profile(4, 'org', { type: 'Organization' }) : profile(1, 'a'),
    });
    expect((await lookups().organizationOfId(4)).data).to.include({ login: 'org' });
    expect((await lookups().organizationOfId(1)).data).to.equal(undefined);
  });

  it('do not ask the platform about a name that would lead elsewhere', async () => {
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
    expect(host.calls).to.eql([]);
    await both.account('helper[bot]');
    expect(host.calls[0]?.path).to.equal('/users/helper%5Bbot%5D');
  });

  it('search on the platform, the best first, with a keyword that is nothing but words', async () => {
    const items = ['ada-lovelace', 'Xada', 'ADA', 'adamant'].map((login, index) => profile(index + 1, login));
    host.answer = () => ({ body: { total_count: 4, incomplete_results: false, items } });
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
    const queries = host.calls.map(({ path }) => new URL(path, host.url).searchParams.get('q'));
    expect(queries).to.eql([
      '"ada" in:login type:user',
      '"a  type:user repos:>5" in:login type:org',
      '"to" in:name user:ada',
    ]);
  });

  it('search in the tables when the platform takes no more searches', async () => {
    host.answer = () => ({ status: 403, headers: budget(0, RESET), body: {} });
    expect(await lookups().searchRepositories('ada/')).to.deep.include({
      source: 'warehouse',
      data: [{ id: 10, fullName: 'Ada/Tools', defaultBranchRef: null }],
      notices: [`${LIMITED} This is what our tables have.`],
    });
  });

  it('leave the platform alone for some seconds after it failed five times', async () => {
    host.answer = () => ({ status: 501 });
    const notices: string[] = [];
    const both = lookups({ deadlineMs: 50, onNotice: (notice) => notices.push(notice) });
    for (let id = 1; id <= 6; id++) await both.accountOfId(1).catch(() => undefined);
    const calls = host.calls.length;
    expect((await both.accountOfId(1)).notices).to.eql([
      'The platform failed several times; it is asked again in some seconds. This is what our tables have.',
    ]);
    expect(host.calls).to.have.lengthOf(calls);
    expect(notices).to.eql(['The hosting platform is away; lookups are answered from the tables.']);
  });
});
