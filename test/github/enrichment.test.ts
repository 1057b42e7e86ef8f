import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createGitHubClient } from '../../github/client/github-client.js';
import { createAccountCandidates } from '../../github/enrichment/candidates.js';
import {
  createEnrichment,
  createProfileCompleter,
  type EnrichmentKind,
  TARGETS,
} from '../../github/enrichment/create-enrichment.js';
import { type Enrichment, type EnrichOptions, enrich } from '../../github/enrichment/enrich.js';
import { enrichFromFile, type FileOptions } from '../../github/enrichment/enrich-from-file.js';
import { createNameSearch } from '../../warehouse/search.js';
import { onEveryDatabase, type TestWarehouse } from '../warehouse/test-warehouse.js';
import { type GitHubServer, rateLimitHeaders, startGitHubServer } from './github-server.js';
import { answerFromRecords, type GitHubRecord } from './graphql-answers.js';
import { storeNames } from './store-names.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const REFRESHED = '2026-03-01 12:00:00';

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

onEveryDatabase('enrichment', (make) => {
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

  const account = (id: number, login: string, refreshed = 'NULL') =>
    `(${id}, '${login}', 'N/A', '', '', '', 0, 0, 0, 0, NULL, ${refreshed})`;
  const repository = (id: number, name: string, stars: number) =>
    `(${id}, '${name}', 0, '${name.split('/')[0]}', 0, '', '', '', ${stars}, 0, 0, NULL, NULL)`;

  const run = async (what: EnrichmentKind, options: Partial<EnrichOptions> = {}) => {
    const client = createGitHubClient({
      tokens: ['one'],
      apiUrl: github.url,
      userAgent: 'test/1',
      retries: 0,
      now: () => now,
      stopwatch: () => now,
    });
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
  const fromFile = async (what: EnrichmentKind, lines: readonly string[], options: Partial<FileOptions> = {}) => {
    const file = join(warehouse.folder, 'dump.csv');
    await writeFile(file, lines.join('\n'));
    const { seconds: _, ...summary } = await enrichFromFile(warehouse.store, TARGETS[what], file, {
      complete: complete[what],
      clock: () => NOW,
      signal: new AbortController().signal,
      ...options,
    });
    return summary;
  };
  const USERS_SQL =
    'SELECT id, login, type, name, organization, organization_formatted, address, country_code, followers, created_at, is_deleted, refreshed_at FROM github_users';

  it('stores profiles, countries and organisations, and updates the search', async () => {
    await storeNames(warehouse.store, { accounts: [account(1, 'ada'), account(2, 'org'), account(3, 'helper[bot]')] });
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
    await storeNames(warehouse.store, { accounts: [account(1, 'old-login'), account(2, 'gone'), account(3, 'taken')] });
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

  it('continues when GitHub declines to show a record', async () => {
    await storeNames(warehouse.store, { accounts: [account(1, 'ada'), account(2, 'walled')] });
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
      repositories: [repository(10, 'ada/tools', 3), repository(11, 'ada/old', 2), repository(12, 'ada/gone', 1)],
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
    expect(await warehouse.rows('SELECT DISTINCT name FROM mv_repo_names')).to.eql([
      ['ada/tools'],
      ['ben/new'],
      ['new'],
      ['tools'],
    ]);
  });

  it('starts with the most important accounts, in batches of 100, and continues after a stop', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => index + 1);
    await storeNames(warehouse.store, {
      accounts: [...ids.map((id) => account(id, `person-${id}`)), account(900, 'fresh', "'2026-02-01 00:00:00'")],
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
    // Only the account of February is older than 0 days, and GitHub does not have it.
    expect(await run('users', { olderThanDays: 0 })).to.eql({ refreshed: 0, deleted: 1, declined: 0, left: 0 });
  });

  it('waits for the end of a rate limit, or stops there', async () => {
    await storeNames(warehouse.store, { accounts: [account(1, 'ada')] });
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

  it('halves a query that is too large, and stops after five waits while GitHub is unavailable', async () => {
    const ids = Array.from({ length: 80 }, (_, index) => index + 1);
    await storeNames(warehouse.store, { accounts: ids.map((id) => account(id, `person-${id}`)) });
    const answerAll = answerFromRecords(ids.map((id) => person(id, `person-${id}`)));
    github.answer = (call) => {
      const { variables } = call.body as { variables: Record<string, string> };
      return Object.keys(variables).length > 60 ? { status: 502, body: '<html>' } : answerAll(call);
    };
    expect(await run('users')).to.eql({ refreshed: 80, deleted: 0, declined: 0, left: 0 });
    github.answer = () => ({ status: 502, body: '<html>' });
    const stopped = await run('users', { olderThanDays: 0, limit: 5, clock: () => new Date('2026-03-02T00:00:00Z') });
    expect(stopped).to.eql({
      refreshed: 0,
      deleted: 0,
      declined: 0,
      left: 5,
      stopped: 'GitHub failed with status 502.',
    });
    expect(waited).to.eql([5_000, 15_000, 60_000, 120_000, 300_000]);
  });

  it('changes nothing when GitHub sends unreadable responses', async () => {
    await storeNames(warehouse.store, { accounts: [account(1, 'ada')] });
    for (const body of ['<html>', { data: 7 }, { data: { r0: { databaseId: 'x' } } }, []]) {
      github.answer = ({ path }) => (path === '/graphql' ? { body } : { body: { id: 77, login: 'other' } });
      const { stopped, left } = await run('users', { wait: false });
      expect({ stopped: stopped !== undefined, left }).to.eql({ stopped: true, left: 1 });
    }
    expect(await warehouse.rows('SELECT is_deleted, refreshed_at FROM github_users')).to.eql([['0', null]]);
  });

  it('reads profiles from a file and reports rows with errors by their lines', async () => {
    await storeNames(warehouse.store, { accounts: [account(1, 'ada'), account(2, 'ben')] });
    const lines = [
      '\ufeffid,login,company,location,followers,created_at,country_code',
      '1,x,"@Big, Co","München",44,2011-01-25 18:44:36,',
      '2,x,,"Paris\nTexas",,,FR',
      '3,x,,,,,',
      '0,x,,,,,',
      '2,x,,,many,,',
      '2,x,,',
      '2,x,,,,yesterday,',
      '2,x,,,,,Germany',
      '',
    ];
    const expected = {
      refreshed: 2,
      unknown: 1,
      wrong: 5,
      wrongRows: [
        { line: 6, reason: 'id: expected a whole number of at least 1, got "0"' },
        { line: 7, reason: 'followers: expected a whole number of at most 2147483647, got "many"' },
        { line: 8, reason: 'expected 7 cells, got 4' },
        { line: 9, reason: 'created_at: expected an ISO 8601 time, for example 2024-05-01T12:00:00Z, got "yesterday"' },
        { line: 10, reason: 'country_code: expected two capital letters (ISO 3166-1) or N/A, got "Germany"' },
      ],
    };
    expect(await fromFile('users', lines)).to.eql(expected);
    const rows = [
      ['1', 'ada', 'N/A', '', '@Big, Co', 'big', 'München', 'DE', '44', '2011-01-25 18:44:36', '0', REFRESHED],
      ['2', 'ben', 'N/A', '', '', '', 'Paris\nTexas', 'FR', '0', null, '0', REFRESHED],
    ];
    expect(await warehouse.rows(USERS_SQL)).to.eql(rows);
    expect(await fromFile('users', lines), 'a second run gives the same result').to.eql(expected);
    expect(await warehouse.rows(USERS_SQL)).to.eql(rows);
    expect(await warehouse.rows('SELECT tier, followers FROM mv_user_names WHERE id = 1')).to.eql([
      ['0', '44'],
      ['30', '44'],
    ]);
  });

  it('reads repositories from a file', async () => {
    await storeNames(warehouse.store, { repositories: [repository(10, 'ada/tools', 3)] });
    const lines = ['repo_id,repo_name,stars,is_archived,license', '10,other/name,9,true,MIT'];
    expect(await fromFile('repos', lines)).to.include({ refreshed: 1, unknown: 0, wrong: 0 });
    expect(await warehouse.rows('SELECT repo_name, stars, is_archived, license FROM github_repos')).to.eql([
      ['ada/tools', '9', '1', 'MIT'],
    ]);
  });

  it('rejects days that do not exist, words as flags and counts beyond the column type', async () => {
    await storeNames(warehouse.store, { repositories: [repository(10, 'ada/tools', 3)] });
    const lines = [
      'repo_id,is_fork,created_at,stars,parent_repo_id',
      '10,constructor,,,',
      '10,,2023-02-30,,',
      '10,,2023-02-29 12:00:00,,',
      '10,,,2147483648,',
      '10,,,2147483647,9007199254740991',
    ];
    const { wrongRows } = await fromFile('repos', lines);
    expect(wrongRows.map(({ reason }) => reason)).to.eql([
      'is_fork: expected 0, 1, false or true, got "constructor"',
      'created_at: expected an ISO 8601 time, for example 2024-05-01T12:00:00Z, got "2023-02-30"',
      'created_at: expected an ISO 8601 time, for example 2024-05-01T12:00:00Z, got "2023-02-29 12:00:00"',
      'stars: expected a whole number of at most 2147483647, got "2147483648"',
    ]);
    expect(await warehouse.rows('SELECT stars, parent_repo_id FROM github_repos')).to.eql([
      ['2147483647', '9007199254740991'],
    ]);
  });

  it('reads a file in several transactions', async () => {
    const ids = Array.from({ length: 12_001 }, (_, index) => index + 1);
    await storeNames(warehouse.store, { accounts: [account(1, 'ada'), account(12_001, 'zoe')] });
    const states: number[] = [];
    const lines = ['id,name', ...ids.map((id) => `${id},Name ${id}`)];
    const summary = await fromFile('users', lines, { onProgress: ({ rows }) => states.push(rows) });
    expect(summary).to.include({ refreshed: 2, unknown: 11_999 });
    expect(states).to.eql([5_000, 10_000, 12_001]);
    expect(await warehouse.rows('SELECT name FROM github_users')).to.eql([['Name 1'], ['Name 12001']]);
  });

  for (const [what, lines, message] of [
    ['is empty', [], /expected a header and rows, got an empty file/],
    ['has no ids', ['login,name', 'ada,Ada'], /missing column "id"\. Allowed columns: id, type, name/],
    ['has unknown columns', ['id,folowers', '1,2'], /unknown column "folowers" \(did you mean "followers"\?\)/],
    ['has a column twice', ['id,name,name', '1,a,b'], /duplicate column "name"/],
  ] as const) {
    it(`rejects a file that ${what}`, async () => {
      const error = await fromFile('users', lines).catch((thrown: Error) => thrown);
      expect(error).to.have.property('message').that.matches(message);
    });
  }

  it('reports rows that no database can store, and stores the others', async () => {
    await storeNames(warehouse.store, { accounts: [account(1, 'ada'), account(2, 'ben')] });
    const summary = await fromFile('users', [
      'id,name,followers,created_at',
      '1,Ada,2147483648,',
      '1,Ada,,0999-12-31',
      '1,Ada,,9999-12-31T23:59:59-14:00',
      '2,Ben,2147483647,9999-12-31T23:59:59Z',
    ]);
    const time = 'created_at: expected an ISO 8601 time, for example 2024-05-01T12:00:00Z, got';
    expect(summary.wrongRows).to.eql([
      { line: 2, reason: 'followers: expected a whole number of at most 2147483647, got "2147483648"' },
      { line: 3, reason: `${time} "0999-12-31"` },
      { line: 4, reason: `${time} "9999-12-31T23:59:59-14:00"` },
    ]);
    expect(await warehouse.rows('SELECT name, followers, created_at FROM github_users ORDER BY id')).to.eql([
      ['', '0', null],
      ['Ben', '2147483647', '9999-12-31 23:59:59'],
    ]);
  });

  it('reports rows that are not UTF-8', async () => {
    await storeNames(warehouse.store, { accounts: [account(1, 'ada'), account(2, 'ben')] });
    const file = join(warehouse.folder, 'latin1.csv');
    await writeFile(file, 'id,name\n1,Jos\u00e9\n2,Ben\n', 'latin1');
    const { signal } = new AbortController();
    const options = { complete: complete.users, clock: () => NOW, signal };
    const { refreshed, wrongRows } = await enrichFromFile(warehouse.store, TARGETS.users, file, options);
    expect({ refreshed, wrongRows }).to.eql({
      refreshed: 1,
      wrongRows: [{ line: 2, reason: 'name: expected text in UTF-8, got "Jos\uFFFD"' }],
    });
  });

  it('stops at a row without an end', async () => {
    const error = await fromFile('users', ['id,name', `1,"${'x'.repeat(3_000_000)}`, '2,Ben']).catch(
      (thrown) => thrown,
    );
    expect(error).to.have.property('name', 'ProfileFileError');
    expect(error.message).to.match(/dump\.csv:2: expected a row of at most 1 MiB; is a quote not closed\?/);
  });

  it('ignores impossible values of a response', async () => {
    await storeNames(warehouse.store, { accounts: [account(1, 'ada')], repositories: [repository(10, 'a/b', 3)] });
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

  it('continues after an unreadable row', async () => {
    await storeNames(warehouse.store, { accounts: [account(1, 'ada')] });
    const summary = await fromFile('users', ['id,name', '1,"a"b"', '1,Ada']);
    expect(summary).to.include({ refreshed: 1, wrong: 1 });
    expect(summary.wrongRows[0]).to.include({ line: 2 });
  });
});
