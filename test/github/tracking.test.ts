import { expect } from 'chai';
import { toEnvelope } from '../../engine/http/envelopes/envelope.js';
import { createEngine, PATIENT_METADATA_TIMEOUT_MS } from '../../engine/index.js';
import { type FollowOptions, type FollowSummary, followTracked } from '../../github/tracking/follow-tracked.js';
import { addTracked, listTracked, removeTracked } from '../../github/tracking/tracked-repositories.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { readSettings } from '../../server/settings/read-settings.js';
import { storeCollections } from '../../warehouse/collections.js';
import { embeddedOnly } from '../warehouse/embedded-only.js';
import { onEveryDatabase, type TestWarehouse } from '../warehouse/test-warehouse.js';
import { repositoryRow } from './enrichment-rows.js';
import {
  createClientOf,
  type GitHubAnswer,
  type GitHubServer,
  rateLimitHeaders,
  startGitHubServer,
} from './github-server.js';
import { answerFromTruth, countStarDays, type TrueRepository } from './star-truth.js';
import { storeNames } from './store-names.js';
import { trackingOptions } from './tracking-options.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2026, 10, 20, 12);
const SIGNAL = new AbortController().signal;

/** Returns a repository that got a star every nine hours for some years. Every tenth star is removed after 400 days. */
function repository(id: number, years: number): TrueRepository {
  const createdAt = START - years * 365 * DAY_MS;
  const stars = Array.from({ length: Math.floor((years * 365 * 24) / 9) }, (_, index) => {
    const at = createdAt + index * 9 * HOUR_MS;
    return { at, ...(index % 10 === 0 && { until: at + 400 * DAY_MS }) };
  });
  return { id, name: `owner/repo-${id}`, createdAt, stars };
}

onEveryDatabase('the star histories of tracked repositories', (make) => {
  const itEmbedded = embeddedOnly(make);
  let warehouse: TestWarehouse;
  let github: GitHubServer;
  let now: number;
  let waited: number[];

  beforeEach(async () => {
    warehouse = await make();
    github = await startGitHubServer();
    now = START;
    waited = [];
  });
  afterEach(async () => {
    await github.close();
    await warehouse.close();
  });

  const client = (tokens?: readonly string[]) => createClientOf(github.url, () => now, tokens);
  const serve = (...repositories: TrueRepository[]) => {
    github.answer = (call) => answerFromTruth(repositories, call, { url: github.url, now });
  };
  const follow = async (options: Partial<FollowOptions> = {}): Promise<Omit<FollowSummary, 'seconds' | 'events'>> => {
    github.calls.length = 0;
    const {
      seconds: _,
      events: __,
      ...summary
    } = await followTracked(warehouse.store, client(), {
      ...trackingOptions(warehouse, () => now),
      only: 'stars',
      wait: true,
      pause,
      ...options,
    });
    return summary;
  };
  const pause = async (ms: number) => {
    waited.push(ms);
    now += ms;
  };
  const addOptions = () => ({ wait: true, signal: SIGNAL, clock: () => new Date(now), now: () => now, pause });
  const track = (...repositories: TrueRepository[]) =>
    addTracked(
      warehouse.store,
      client(),
      repositories.map(({ name }) => name),
      addOptions(),
    );
  const storedDays = (id: number) =>
    warehouse.rows(`SELECT day, stars FROM github_star_days WHERE repo_id = ${id} ORDER BY day`);
  const trueDays = (truth: TrueRepository) => countStarDays(truth, now).map(([day, stars]) => [day, String(stars)]);
  const countedOn = () => warehouse.rows('SELECT repo_id, counted_on FROM github_star_histories');
  const paths = () => github.calls.map(({ path }) => path);
  const DONE = { absent: 0, failed: 0, left: 0 };

  it('have the days of all pages, and then only change with page 1', async () => {
    const truth = repository(7, 2);
    serve(truth);
    expect(await track(truth)).to.deep.equal({ added: 1, known: 0, unknown: [], renamed: [] });
    expect(await follow()).to.deep.equal({ ...DONE, tracked: 1, updated: 1, requests: 4 });
    expect(paths()).to.deep.equal([1, 2, 3, 4].map((page) => `/repositories/7/stargazers/history?page=${page}`));
    expect(await storedDays(7)).to.deep.equal(trueDays(truth));
    expect(await countedOn()).to.deep.equal([['7', '2026-11-20']]);
    expect(await follow()).to.deep.equal({ ...DONE, tracked: 1, updated: 0, requests: 0 });
    now += 6 * HOUR_MS;
    expect(await follow()).to.deep.equal({ ...DONE, tracked: 1, updated: 1, requests: 1 });
    expect(github.calls[0]?.etag).to.match(/^W\//);
    expect(await countedOn()).to.deep.equal([['7', '2026-11-20']]);
    const older = { ...truth, stars: [...truth.stars, { at: now - DAY_MS }, { at: now - 1 }] };
    serve(older);
    now += 6 * HOUR_MS;
    expect(await follow()).to.deep.equal({ ...DONE, tracked: 1, updated: 1, requests: 1 });
    expect(await storedDays(7)).to.deep.equal(trueDays(older));
  });

  itEmbedded('are read completely again after 30 days, because stars of older days can be taken back', async () => {
    const truth = repository(7, 2);
    serve(truth);
    await track(truth);
    await follow();
    now += 20 * DAY_MS;
    await follow();
    expect(await storedDays(7)).to.not.deep.equal(trueDays(truth));
    now += 10 * DAY_MS;
    expect(await follow()).to.deep.equal({ ...DONE, tracked: 1, updated: 1, requests: 4 });
    expect(github.calls.map(({ etag }) => etag)).to.deep.equal([undefined, undefined, undefined, undefined]);
    expect(await storedDays(7)).to.deep.equal(trueDays(truth));
  });

  itEmbedded('continue after each page at which a run ends, also when a week begins between two pages', async () => {
    const whole = repository(7, 3);
    const truth = { ...whole, stars: whole.stars.filter(({ until }) => until === undefined) };
    serve(truth);
    await track(truth);
    const budget = 'The budget of 1 request is used up.';
    for (let page = 1; page < 6; page++) {
      const partial = { ...DONE, tracked: 1, updated: 0, left: 1, requests: 1, stopped: budget };
      expect(await follow({ budget: 1 })).to.deep.equal(partial);
      expect(await countedOn()).to.deep.equal([]);
      if (page === 3) now += 3 * DAY_MS;
    }
    const last = { ...DONE, tracked: 1, updated: 0, left: 1, requests: 1, stopped: budget };
    expect(await follow({ budget: 1 })).to.deep.equal(last);
    expect(await countedOn()).to.deep.equal([['7', '2026-11-20']]);
    expect(await follow()).to.deep.equal({ ...DONE, tracked: 1, updated: 1, requests: 1 });
    expect(await countedOn()).to.deep.equal([['7', '2026-11-23']]);
    expect(await storedDays(7)).to.deep.equal(trueDays(truth));
  });

  itEmbedded('of repositories that lost all their stars are empty', async () => {
    const truth = { ...repository(7, 1), stars: [{ at: START - DAY_MS, until: START + DAY_MS }] };
    serve(truth);
    await track(truth);
    await follow();
    expect(await storedDays(7)).to.deep.equal([['2026-11-19', '1']]);
    now += 2 * DAY_MS;
    expect(await follow()).to.deep.equal({ ...DONE, tracked: 1, updated: 1, requests: 1 });
    expect(await storedDays(7)).to.deep.equal([]);
    expect(await countedOn()).to.deep.equal([['7', '2026-11-22']]);
  });

  it('are read first for public collections, then for subscriptions, then for added repositories', async () => {
    const truths = [5, 6, 7, 8].map((id) => repository(id, 0.2));
    serve(...truths);
    await storeNames(warehouse.store, { repositories: [repositoryRow(6, 'owner/repo-6', 0)] });
    await track(...truths.slice(0, 2));
    await warehouse.store.write((tables) =>
      tables.insertRows('sys_subscribed_repos', [[1, 7, 1, '2026-01-01 00:00:00']]),
    );
    await storeCollections(warehouse.store, [
      {
        id: 1,
        name: 'Public',
        items: [
          { repo_name: 'owner/repo-8', repo_id: 8 },
          { repo_name: 'a/b', repo_id: -9 },
        ],
      },
      { id: 2, name: 'Private', public: false, items: [{ repo_name: 'owner/repo-4', repo_id: 4 }] },
    ]);
    expect(await follow()).to.deep.equal({ ...DONE, tracked: 4, updated: 4, requests: 4 });
    expect(paths().map((path) => path.split('/')[2])).to.deep.equal(['8', '7', '5', '6']);
    const listed = await warehouse.store.write(listTracked);
    expect(listed.map(({ name, reason }) => [name, reason])).to.deep.equal([
      ['owner/repo-8', 'collection'],
      ['', 'subscription'],
      ['owner/repo-5', 'added'],
      ['owner/repo-6', 'added'],
    ]);
  });

  itEmbedded('wait for the end of a rate limit, or stop at it', async () => {
    const truth = repository(7, 2);
    serve(truth);
    await track(truth);
    const answer = github.answer;
    const limit = { status: 403, headers: rateLimitHeaders(0, now / 1000 + 600), body: {} };
    github.answer = (call) => (call.path.endsWith('page=2') && waited.length === 0 ? limit : answer(call));
    const stopped = `The rate limit of GitHub is reached until ${new Date(now + 600_000).toISOString()}.`;
    expect(await follow({ wait: false })).to.deep.equal({
      ...{ ...DONE, tracked: 1, updated: 0, left: 1, requests: 2, stopped },
    });
    expect(await follow()).to.deep.equal({ ...DONE, tracked: 1, updated: 1, requests: 4 });
    expect(waited).to.deep.equal([601_000]);
    expect(await storedDays(7)).to.deep.equal(trueDays(truth));
  });

  itEmbedded('are read without a token, too', async () => {
    const truth = repository(7, 0.1);
    serve(truth);
    await track(truth);
    github.calls.length = 0;
    const summary = await followTracked(warehouse.store, client([]), {
      ...trackingOptions(warehouse, () => now),
      only: 'stars',
    });
    expect({ updated: summary.updated, tokens: github.calls.map(({ token }) => token) }).to.deep.equal({
      updated: 1,
      tokens: [''],
    });
  });

  const unreadable: readonly (readonly [string, GitHubAnswer])[] = [
    ['a page of HTML', { body: '<html>' }],
    ['no list', { body: { message: 'x' } }],
    ['a week of six days', { body: [{ week: 1_677_369_600, total: 0, days: [0, 0, 0, 0, 0, 0] }] }],
    ['a total that differs from its days', { body: [{ week: 1_677_369_600, total: 2, days: [0, 0, 0, 1, 0, 0, 0] }] }],
    ['a negative number', { body: [{ week: 1_677_369_600, total: -1, days: [0, 0, 0, -1, 0, 0, 0] }] }],
    [
      'weeks in another order',
      { body: [1, 2].map((week) => ({ week: week * 604_800, total: 0, days: [0, 0, 0, 0, 0, 0, 0] })) },
    ],
  ];
  itEmbedded(
    'keep the stored days after answers in an unknown form, and try again after an hour, then two',
    async () => {
      const truth = repository(7, 0.1);
      serve(truth);
      await track(truth);
      await follow();
      const days = trueDays(truth);
      const answer = github.answer;
      now += 6 * HOUR_MS;
      for (const [form, wrong] of unreadable.slice(0, 3)) {
        github.answer = () => wrong;
        expect(await follow(), form).to.deep.equal({ ...DONE, tracked: 1, updated: 0, failed: 1, requests: 1 });
        expect(await storedDays(7), form).to.deep.equal(days);
        expect(await follow(), form).to.deep.equal({ ...DONE, tracked: 1, updated: 0, requests: 0 });
        now += 4 * HOUR_MS;
      }
      const [listed] = await warehouse.store.write(listTracked);
      expect(listed?.sources.stars).to.include({
        failures: 3,
        error: 'GitHub sent a star history in an unknown form.',
      });
      github.answer = answer;
      expect(await follow()).to.deep.equal({ ...DONE, tracked: 1, updated: 1, requests: 1 });
      const [recovered] = await warehouse.store.write(listTracked);
      expect(recovered?.sources.stars).to.include({ failures: 0, error: '' });
    },
  );
  for (const [form, wrong] of unreadable.slice(3)) {
    itEmbedded(`are not stored from ${form}`, async () => {
      const truth = repository(7, 0.1);
      serve(truth);
      await track(truth);
      github.answer = () => wrong;
      expect(await follow()).to.deep.equal({ ...DONE, tracked: 1, updated: 0, failed: 1, requests: 1 });
      expect([await storedDays(7), await countedOn()]).to.deep.equal([[], []]);
    });
  }

  itEmbedded('of repositories that GitHub does not show are kept and reported', async () => {
    const truths = [repository(6, 0.1), repository(7, 0.1)];
    serve(...truths);
    await track(...truths);
    await follow();
    const answer = github.answer;
    now += 6 * HOUR_MS;
    github.answer = (call) => (call.path.includes('/7/') ? { status: 451, body: {} } : answer(call));
    expect(await follow()).to.deep.equal({ ...DONE, tracked: 2, updated: 1, absent: 1, requests: 2 });
    expect(await storedDays(7)).to.not.deep.equal([]);
    const [, listed] = await warehouse.store.write(listTracked);
    expect(listed?.sources.stars).to.include({ failures: 1, error: 'GitHub has no such list, or does not show it.' });
  });

  itEmbedded('are read one after the other if the budget is too small for all', async () => {
    const truths = Array.from({ length: 4 }, (_, index) => repository(index + 1, 0.1));
    serve(...truths);
    await track(...truths);
    const seen: string[] = [];
    for (let run = 0; run < 6; run++) {
      await follow({ budget: 1 });
      seen.push(...paths().map((path) => path.split('/')[2] ?? ''));
      now += 6 * HOUR_MS;
    }
    expect(seen).to.deep.equal(['1', '2', '3', '4', '1', '2']);
  });

  const WEEK = 604_800;
  const weeks = (newest: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      week: 1_677_369_600 + (newest - index) * WEEK,
      total: 1,
      days: [0, 0, 0, 1, 0, 0, 0],
    }));
  const next = { headers: { link: '<http://x/?page=2>; rel="next", <http://x/?page=9>; rel="last"' } };
  const incomplete: readonly (readonly [string, readonly GitHubAnswer[]])[] = [
    ['a full first page without links', [{ body: weeks(100, 30) }]],
    ['an announced page without weeks', [{ body: weeks(100, 30), ...next }, { body: [] }]],
    ['a page that does not continue the previous one', [{ body: weeks(100, 30), ...next }, { body: weeks(69, 3) }]],
    ['an empty page that announces a next one', [{ body: [], ...next }]],
  ];
  for (const [form, pages] of incomplete) {
    itEmbedded(`are not complete after ${form}, and start again with page 1`, async () => {
      const truth = repository(7, 0.1);
      serve(truth);
      await track(truth);
      github.answer = () => pages[github.calls.length - 1] ?? { status: 500, body: {} };
      const requests = pages.length;
      expect(await follow()).to.deep.equal({ ...DONE, tracked: 1, updated: 0, failed: 1, requests });
      expect(await countedOn()).to.deep.equal([]);
      const [listed] = await warehouse.store.write(listTracked);
      expect(listed?.sources.stars).to.include({ nextPage: 1, error: 'GitHub sent an incomplete star history.' });
      serve(truth);
      now += HOUR_MS;
      expect(await follow()).to.deep.equal({ ...DONE, tracked: 1, updated: 1, requests: 1 });
      expect(await storedDays(7)).to.deep.equal(trueDays(truth));
    });
  }

  itEmbedded('stop after five rejected requests in a row, with the repositories left', async () => {
    const truths = Array.from({ length: 7 }, (_, index) => repository(index + 1, 0.1));
    serve(...truths);
    await track(...truths);
    github.answer = () => ({ status: 422, body: {} });
    expect(await follow()).to.deep.equal({
      ...{ ...DONE, tracked: 7, updated: 0, failed: 5, left: 2, requests: 5 },
      stopped: 'GitHub rejected the request with status 422.',
    });
  });

  itEmbedded(
    'repeat a request after a failure of GitHub, and continue with the next repository after five',
    async () => {
      const truths = [repository(7, 0.1), repository(8, 0.1)];
      serve(...truths);
      await track(...truths);
      const answer = github.answer;
      github.answer = (call) => (github.calls.length === 1 ? { status: 502, body: '<html>' } : answer(call));
      expect(await follow()).to.deep.equal({ ...DONE, tracked: 2, updated: 2, requests: 3 });
      now += 6 * HOUR_MS;
      github.answer = (call) => (call.path.includes('/7/') ? { status: 500, body: {} } : answer(call));
      expect(await follow()).to.deep.equal({ ...DONE, tracked: 2, updated: 1, failed: 1, requests: 7 });
      expect(waited).to.deep.equal([5, 5, 15, 60, 120, 300].map((seconds) => seconds * 1000));
    },
  );

  itEmbedded('are added one by one, so that an import that ends at a rate limit can be repeated', async () => {
    const truths = [5, 6, 7].map((id) => repository(id, 0.1));
    serve(...truths);
    await storeNames(warehouse.store, { repositories: [repositoryRow(9, 'owner/old-7', 0)] });
    await warehouse.store.write((tables) => tables.run('UPDATE github_repos SET is_deleted = 1 WHERE repo_id = 9'));
    const answer = github.answer;
    const limit = { status: 403, headers: rateLimitHeaders(0, now / 1000 + 600), body: {} };
    github.answer = (call) => {
      if (github.calls.length === 2) return limit;
      // Like GitHub, redirects a former name.
      return answer(call.path === '/repos/owner/old-7' ? { ...call, path: '/repos/owner/repo-7' } : call);
    };
    const names = ['owner/repo-5', 'owner/repo-6', 'owner/old-7'];
    const options = { ...addOptions(), wait: false };
    const failure = await addTracked(warehouse.store, client(), names, options).then(
      () => expect.fail('it should have stopped'),
      (error: Error) => error.name,
    );
    expect(failure).to.equal('GitHubError');
    expect(await addTracked(warehouse.store, client(), names, options)).to.deep.equal({
      added: 2,
      known: 1,
      unknown: [],
      renamed: [['owner/old-7', 'owner/repo-7']],
    });
    expect(github.calls).to.have.lengthOf(4);
  });

  it('are the stars of the operations, and notices compare them with the events of the same days', async () => {
    const truths = [6, 7].map((id) => repository(id, 1));
    serve(...truths);
    const rows = [6, 7, 8].map((id) => repositoryRow(id, `owner/repo-${id}`, 0));
    await storeNames(warehouse.store, { repositories: rows });
    await storeCollections(warehouse.store, [
      { id: 1, name: 'Three', items: [6, 7, 8].map((id) => ({ repo_name: `owner/repo-${id}`, repo_id: id })) },
    ]);
    await track(...truths);
    await follow();
    await warehouse.store.write(async (tables) => {
      const coverage = ['2025-12-31', '2026-11-30'].map((day) => ['WatchEvent', day, 1, `${day} 10:00:00`, 1]);
      await tables.insertRows('mv_event_coverage', coverage);
      // These people already have earlier events, so they do not count as newcomers.
      const stars = (repo: number, day: string, people: number) =>
        Array.from({ length: people }, (_, user) => [repo, user + 1, day]);
      const people = [...stars(6, '2026-11-01', 20), ...stars(6, '2026-11-19', 30), ...stars(7, '2026-11-18', 5)];
      await tables.insertRows('mv_repo_stars', people);
      await tables.insertRows('mv_repo_daily_newcomers', [[7, 'stargazers', '2026-11-18', 50]]);
    });
    const engine = createEngine({
      endpoints: await loadDefinitions(readSettings({})),
      database: warehouse.database,
      clock: () => new Date(now),
      stopwatch: () => 0,
      metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
    });
    const ask = async (name: string, query: Readonly<Record<string, string>>) => {
      const { rows, result } = toEnvelope(await engine.run(engine.endpoint(name), { path: {}, query })).data;
      return { rows, notices: result.notices.filter((notice) => !notice.startsWith('This data set')) };
    };
    const counted = (first: string, last: string) =>
      countStarDays(truths[0] as TrueRepository, now)
        .filter(([day]) => day >= first && day <= last)
        .reduce((sum, [, stars]) => sum + stars, 0);
    const share = (stars: number, of: number) => `${stars} and ${of} (${((100 * stars) / of).toFixed(1)} %)`;
    const end = 'GitHub counts only stars that still exist, and its days are not guaranteed to be in UTC.';
    const query = { owner: 'owner', repo: 'repo-6', from: '2026-10-30', to: '2026-11-25' };
    const ofCountries = `owner/repo-6 ${share(20, counted('2026-10-30', '2026-11-18'))}, from 2026-10-30 to 2026-11-18`;
    const same = 'People who starred, in the events, and stars that GitHub counts on the same days:';
    const countries = await ask('list-countries-of-stargazers', query);
    expect(countries.notices).to.deep.equal([`${same} ${ofCountries}. ${end}`]);
    const inPeriods = counted('2026-09-26', '2026-11-18');
    const ranking = await ask('collection-repo-ranking-by-stars', { collection_id: '1' });
    const source = (...rest: readonly [string, string]) =>
      `${rest[0]} are the counts of GitHub until 2026-11-20. Later stars${rest[1]} are people in the events, which can ` +
      `lack many stars. ${end}`;
    expect(ranking.notices).to.deep.equal([
      source('Stars of 2 of 3 repositories', ', and the stars of owner/repo-8,'),
      `${same} owner/repo-6 ${share(20, inPeriods)}, owner/repo-7 ${share(5, inPeriods)}, ` +
        `from 2026-09-26 to 2026-11-18. ${end} Repositories without counts of GitHub: 1.`,
    ]);
    const ever = String(counted('1970-01-01', '2026-11-20'));
    const current = String(counted('2026-10-24', '2026-11-20'));
    const past = String(counted('2026-09-26', '2026-10-23'));
    expect(
      ranking.rows.map((row) => [row.repo_id, row.current_period_growth, row.past_period_growth, row.total]),
    ).to.deep.equal([6, 7].map((id) => [String(id), current, past, ever]));
    const overview = await ask('repository-overview', { owner: 'owner', repo: 'repo-7' });
    expect([overview.rows[0]?.stars, overview.notices]).to.deep.equal([ever, [source('Stars', '')]]);
    const history = await ask('stargazers-history', { owner: 'owner', repo: 'repo-7', per: 'day' });
    expect(history.rows.at(-1)).to.deep.equal({ date: '2026-11-30', stargazers: ever });
    const other = await ask('repository-overview', { owner: 'owner', repo: 'repo-8' });
    expect([other.rows[0]?.stars, other.notices]).to.deep.equal(['0', []]);
  });

  it('end when a repository is not tracked any more: then its stars are people in the events', async () => {
    const truths = [6, 7].map((id) => repository(id, 0.1));
    serve(...truths);
    await storeCollections(warehouse.store, [
      { id: 1, name: 'One', items: [{ repo_name: 'owner/repo-6', repo_id: 6 }] },
    ]);
    await track(truths[1] as TrueRepository);
    await follow();
    const counted = () => warehouse.rows('SELECT repo_id, counted_stars FROM mv_repo_totals ORDER BY repo_id');
    const stars = String(truths[0]?.stars.length);
    expect(await counted()).to.deep.equal([
      ['6', stars],
      ['7', stars],
    ]);
    expect(await removeTracked(warehouse.store, 'owner/repo-7')).to.equal(true);
    expect(await counted()).to.deep.equal([['6', stars]]);
    await storeCollections(warehouse.store, []);
    expect(await follow()).to.deep.equal({ ...DONE, tracked: 0, updated: 0, requests: 0 });
    expect([await counted(), await countedOn()]).to.deep.equal([[], []]);
  });

  it('follow the id of a repository, and report names that GitHub does not have', async () => {
    const truth = repository(7, 0.1);
    serve(truth);
    const names = ['OWNER/repo-7', 'owner/Repo-7', 'no/body'];
    const added = await addTracked(warehouse.store, client(), names, addOptions());
    expect(added).to.deep.equal({ added: 1, known: 0, unknown: ['no/body'], renamed: [] });
    expect(await track(truth)).to.deep.equal({ added: 0, known: 1, unknown: [], renamed: [] });
    serve({ ...truth, name: 'other/name' });
    expect(await follow()).to.deep.equal({ ...DONE, tracked: 1, updated: 1, requests: 1 });
    expect(await removeTracked(warehouse.store, 'Owner/Repo-7')).to.equal(true);
    expect(await removeTracked(warehouse.store, 'owner/repo-7')).to.equal(false);
    expect(await warehouse.store.write(listTracked)).to.deep.equal([]);
  });
});
