import { expect } from 'chai';
import { createAccountCandidates } from '../../github/enrichment/candidates.js';
import {
  createEnrichment,
  createProfileCompleter,
  type EnrichmentKind,
} from '../../github/enrichment/create-enrichment.js';
import { type Enrichment, type EnrichOptions, enrich } from '../../github/enrichment/enrich.js';
import { createNameSearch } from '../../warehouse/search.js';
import { embeddedOnly } from '../warehouse/embedded-only.js';
import { onEveryDatabase, type TestWarehouse } from '../warehouse/test-warehouse.js';
import { accountRow, NOW, REFRESHED, repositoryRow, USERS_SQL } from './enrichment-rows.js';
import { createClientOf, type GitHubServer, rateLimitHeaders, startGitHubServer } from './github-server.js';
import { answerFromRecords, type GitHubRecord } from './graphql-answers.js';
import { storeNames } from './store-names.js';

const person = (id: number, name: string, more: object = {}): GitHubRecord => ({
  id,
  name,
  node: {
    __typename: 'User',
    login: name,
    name: `Name of ${name}`,
    company: ' @Example ',
    location: 'Berlin, Germany',
    createdAt: '2011-01-25T18:44:36Z',
    followers: { totalCount: 1500 },
    following: { totalCount: 2 },
    repositories: { totalCount: 3 },
    ...more,
  },
});

onEveryDatabase('enrichment from GitHub', (make) => {
  const itEmbedded = embeddedOnly(make);
  let warehouse: TestWarehouse;
  let github: GitHubServer;
  let complete: Record<EnrichmentKind, Enrichment['complete']>;
  let waited: number[];
  let now: number;
  let notices: string[];

  before(async () => {
    complete = { users: await createProfileCompleter('users'), repos: await createProfileCompleter('repos') };
  });
  beforeEach(async () => {
    warehouse = await make();
    now = NOW.getTime();
    github = await startGitHubServer();
    waited = [];
    notices = [];
  });
  afterEach(async () => {
    await github.close();
    await warehouse.close();
  });

  const run = async (what: EnrichmentKind, options: Partial<EnrichOptions> = {}) => {
    const client = createClientOf(github.url, () => now);
    const { store, database } = warehouse;
    const { seconds: _, ...summary } = await enrich(
      createEnrichment(what, { store, database, client, complete: complete[what] }),
      {
        olderThanDays: 90,
        wait: true,
        clock: () => NOW,
        signal: new AbortController().signal,
        onNotice: (notice) => notices.push(notice),
        now: () => now,
        pause: async (ms) => {
          waited.push(ms);
          now += ms;
        },
        ...options,
      },
    );
    return summary;
  };

  it('stores profiles, countries and organizations, and updates the search', async () => {
    await storeNames(warehouse.store, {
      accounts: [accountRow(1, 'ada'), accountRow(2, 'org'), accountRow(3, 'helper[bot]')],
    });
    github.answer = answerFromRecords([
      person(1, 'Ada'),
      {
        id: 2,
        name: 'org',
        node: {
          __typename: 'Organization',
          login: 'org',
          name: null,
          location: 'Mars',
          createdAt: '2015-01-01T00:00:00Z',
        },
      },
    ]);
    expect(await run('users')).to.eql({ refreshed: 2, deleted: 0, declined: 0, left: 0 });
    expect(await warehouse.rows(USERS_SQL)).to.eql([
      [
        '1',
        'Ada',
        'User',
        'Name of Ada',
        ' @Example ',
        'example',
        'Berlin, Germany',
        'DE',
        '1500',
        '2011-01-25 18:44:36',
        '0',
        REFRESHED,
      ],
      ['2', 'org', 'Organization', '', '', '', 'Mars', 'N/A', '0', '2015-01-01 00:00:00', '0', REFRESHED],
      ['3', 'helper[bot]', 'N/A', '', '', '', '', 'N/A', '0', null, '0', null],
    ]);
    expect(github.calls.map(({ path }) => path)).to.eql(['/graphql']);
    const search = createNameSearch(warehouse.database);
    expect(await search.organizations('o')).to.eql([{ id: 2, login: 'org' }]);
    expect(await warehouse.rows('SELECT tier FROM mv_user_names WHERE id = 1')).to.eql([['0'], ['1000'], ['30']]);
  });

  it('finds renamed accounts and marks deleted ones', async () => {
    await storeNames(warehouse.store, {
      accounts: [accountRow(1, 'old-login'), accountRow(2, 'gone'), accountRow(3, 'taken')],
    });
    github.answer = answerFromRecords([person(1, 'new-login'), person(99, 'taken')]);
    expect(await run('users')).to.eql({ refreshed: 1, deleted: 2, declined: 0, left: 0 });
    expect(await warehouse.rows('SELECT id, login, is_deleted, followers, country_code FROM github_users')).to.eql([
      ['1', 'new-login', '0', '5', 'DE'],
      ['2', 'gone', '1', '0', 'N/A'],
      ['3', 'taken', '1', '0', 'N/A'],
    ]);
    expect(await warehouse.rows('SELECT name FROM mv_user_names')).to.eql([['new-login']]);
    expect(await run('users')).to.eql({ refreshed: 0, deleted: 0, declined: 0, left: 0 });
  });

  itEmbedded('continues when GitHub declines to show a record', async () => {
    await storeNames(warehouse.store, { accounts: [accountRow(1, 'ada'), accountRow(2, 'walled')] });
    const answerAll = answerFromRecords([person(1, 'ada')]);
    github.answer = (call) => (call.path === '/user/2' ? { status: 403, body: { message: 'SAML' } } : answerAll(call));
    expect(await run('users')).to.eql({ refreshed: 1, deleted: 0, declined: 1, left: 0 });
    expect(await warehouse.rows('SELECT login, is_deleted, refreshed_at FROM github_users')).to.eql([
      ['ada', '0', REFRESHED],
      ['walled', '0', REFRESHED],
    ]);
  });

  it('stores repositories, follows renames and marks deleted ones', async () => {
    await storeNames(warehouse.store, {
      repositories: [
        repositoryRow(10, 'ada/tools', 3),
        repositoryRow(11, 'ada/old', 2),
        repositoryRow(12, 'ada/gone', 1),
      ],
    });
    const node = {
      nameWithOwner: 'Ada/Tools',
      description: 'x'.repeat(600),
      diskUsage: 12,
      stargazerCount: 40,
      forkCount: 4,
      isFork: true,
      isArchived: false,
      createdAt: '2015-01-01T00:00:00Z',
      pushedAt: '2026-01-01T00:00:00Z',
      owner: { __typename: 'Organization', databaseId: 1 },
      primaryLanguage: { name: 'Rust' },
      licenseInfo: { spdxId: 'MIT' },
      parent: { databaseId: 5 },
      latestRelease: null,
    };
    github.answer = answerFromRecords([
      { id: 10, name: 'Ada/Tools', node },
      { id: 11, name: 'ben/new', node: { createdAt: '2016-01-01T00:00:00Z' } },
    ]);
    expect(await run('repos')).to.eql({ refreshed: 2, deleted: 1, declined: 0, left: 0 });
    const columns =
      'repo_id, repo_name, repo_name_lower, owner_login, owner_id, owner_is_org, LENGTH(description), primary_language, license, size, stars, forks, parent_repo_id, is_fork, is_deleted, created_at, refreshed_at';
    expect(await warehouse.rows(`SELECT ${columns} FROM github_repos`)).to.eql([
      [
        '10',
        'Ada/Tools',
        'ada/tools',
        'Ada',
        '1',
        '1',
        '512',
        'Rust',
        'MIT',
        '12',
        '40',
        '4',
        '5',
        '1',
        '0',
        '2015-01-01 00:00:00',
        REFRESHED,
      ],
      [
        '11',
        'ben/new',
        'ben/new',
        'ben',
        '900',
        '0',
        '0',
        '',
        '',
        '0',
        '77',
        '0',
        null,
        '0',
        '0',
        '2016-01-01 00:00:00',
        REFRESHED,
      ],
      ['12', 'ada/gone', 'ada/gone', 'ada', '0', '0', '0', '', '', '0', '1', '0', null, '0', '1', null, REFRESHED],
    ]);
    expect(await warehouse.rows('SELECT DISTINCT name FROM mv_repo_names WHERE tier >= 0')).to.eql([
      ['ada/tools'],
      ['ben/new'],
      ['new'],
      ['tools'],
    ]);
  });

  it('starts with the most important accounts, in batches of 100, and continues after a stop', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => index + 1);
    await storeNames(warehouse.store, {
      accounts: [...ids.map((id) => accountRow(id, `person-${id}`)), accountRow(900, 'fresh', "'2026-02-01 00:00:00'")],
    });
    await warehouse.store.write((tables) =>
      tables.insertRows('mv_repo_issue_creators', [[1, 250, 1, '2020-01-01 00:00:00']]),
    );
    expect((await createAccountCandidates(warehouse.database).first(REFRESHED, 2)).map(({ id }) => id)).to.eql([
      250, 1,
    ]);
    const answerAll = answerFromRecords(ids.map((id) => person(id, `person-${id}`)));
    const stop = new AbortController();
    github.answer = (call) => {
      if (github.calls.length === 2) stop.abort(new Error('stopped by SIGINT'));
      return answerAll(call);
    };
    const stopped = await run('users', { signal: stop.signal });
    expect(stopped).to.eql({ refreshed: 100, deleted: 0, declined: 0, left: 150, stopped: 'stopped by SIGINT' });
    expect(await warehouse.rows('SELECT COUNT(*) FROM github_users WHERE created_at IS NOT NULL')).to.eql([['100']]);
    github.answer = answerAll;
    expect(await run('users', { limit: 120 })).to.eql({ refreshed: 120, deleted: 0, declined: 0, left: 0 });
    expect(await run('users')).to.eql({ refreshed: 30, deleted: 0, declined: 0, left: 0 });
    // Only the account of February was refreshed before today, and it does not exist on GitHub any more.
    expect(await run('users', { olderThanDays: 0 })).to.eql({ refreshed: 0, deleted: 1, declined: 0, left: 0 });
  });

  itEmbedded('waits for the end of a rate limit, or stops there', async () => {
    await storeNames(warehouse.store, { accounts: [accountRow(1, 'ada')] });
    const resetSeconds = now / 1000 + 120;
    const limit = { status: 403, headers: rateLimitHeaders(0, resetSeconds), body: {} };
    github.answer = () => limit;
    const stopped = 'The rate limit of GitHub is reached until 2026-03-01T12:02:00.000Z.';
    expect(await run('users', { wait: false })).to.eql({ refreshed: 0, deleted: 0, declined: 0, left: 1, stopped });
    expect(waited).to.eql([]);

    const answerAll = answerFromRecords([person(1, 'ada')]);
    github.answer = (call) => (now / 1000 < resetSeconds ? limit : answerAll(call));
    expect(await run('users')).to.eql({ refreshed: 1, deleted: 0, declined: 0, left: 0 });
    expect(waited).to.eql([121_000]);
    expect(notices).to.eql([`${stopped} Waiting 121 s.`]);
  });

  itEmbedded('halves a query that is too large, and stops after five waits while GitHub is unavailable', async () => {
    const ids = Array.from({ length: 80 }, (_, index) => index + 1);
    await storeNames(warehouse.store, { accounts: ids.map((id) => accountRow(id, `person-${id}`)) });
    const answerAll = answerFromRecords(ids.map((id) => person(id, `person-${id}`)));
    github.answer = (call) => {
      const { variables } = call.body as { variables: Record<string, string> };
      return Object.keys(variables).length > 60 ? { status: 502, body: '<html>' } : answerAll(call);
    };
    expect(await run('users')).to.eql({ refreshed: 80, deleted: 0, declined: 0, left: 0 });
    // The wait for the rate limit does not count as one of the five.
    const resetSeconds = now / 1000 + 60;
    const limit = { status: 403, headers: rateLimitHeaders(0, resetSeconds), body: {} };
    github.answer = () => (now / 1000 < resetSeconds ? limit : { status: 502, body: '<html>' });
    const stopped = await run('users', { olderThanDays: 0, limit: 5, clock: () => new Date('2026-03-02T00:00:00Z') });
    expect(stopped).to.eql({
      refreshed: 0,
      deleted: 0,
      declined: 0,
      left: 5,
      stopped: 'GitHub failed with status 502.',
    });
    expect(waited).to.eql([61_000, 5_000, 15_000, 60_000, 120_000, 300_000]);
  });

  itEmbedded('changes nothing when GitHub sends unreadable responses', async () => {
    await storeNames(warehouse.store, { accounts: [accountRow(1, 'ada')] });
    for (const body of ['<html>', { data: 7 }, { data: { r0: { databaseId: 'x' } } }, []]) {
      github.answer = ({ path }) => (path === '/graphql' ? { body } : { body: { id: 77, login: 'other' } });
      const { stopped, left } = await run('users', { wait: false });
      expect({ stopped: stopped !== undefined, left }).to.eql({ stopped: true, left: 1 });
    }
    expect(await warehouse.rows('SELECT is_deleted, refreshed_at FROM github_users')).to.eql([['0', null]]);
  });

  it('ignores impossible values of a response', async () => {
    await storeNames(warehouse.store, {
      accounts: [accountRow(1, 'ada')],
      repositories: [repositoryRow(10, 'a/b', 3)],
    });
    github.answer = answerFromRecords([
      person(1, 'ada', { createdAt: 'yesterday', followers: { totalCount: 1e300 }, following: { totalCount: -1 } }),
      {
        id: 10,
        name: 'a/b',
        node: { nameWithOwner: 'a/b', stargazerCount: 2 ** 31, createdAt: '2011-13-01T00:00:00Z' },
      },
    ]);
    expect(await run('users')).to.include({ refreshed: 1, left: 0 });
    expect(await warehouse.rows('SELECT followers, followings, created_at FROM github_users')).to.eql([
      ['0', '0', null],
    ]);
    expect(await run('repos')).to.include({ refreshed: 1, left: 0 });
    expect(await warehouse.rows('SELECT stars, created_at FROM github_repos')).to.eql([['3', null]]);
  });
});
