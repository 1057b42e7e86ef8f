import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createEngine, type Engine, PATIENT_METADATA_TIMEOUT_MS } from '../../engine/index.js';
import { USERS } from '../../github/enrichment/profile-target.js';
import { storeProfiles } from '../../github/enrichment/store-profiles.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { storeCollections } from '../../warehouse/collections.js';
import { refreshFull } from '../../warehouse/derived/refresh.js';
import { ageOfRefresh, refreshAfterImport, refreshAsOf } from '../../warehouse/derived/refresh-as-of.js';
import type { PlainValue } from '../../warehouse/store/store.js';
import { describeEmbeddedOnly } from './embedded-only.js';
import { onEveryDatabase, type TestWarehouse } from './test-warehouse.js';

const DEFINITIONS = loadDefinitions({ endpointsDirectory: undefined });
const AS_OF = new Date('2026-03-10T12:00:00Z');
const HOUR_MS = 3_600_000;

let nextId = 0;

/** Creates an event `hours` before the current time of the test. */
function event(hours: number, type: string, repo: string, actor: string, payload: object = {}): string {
  const id = (name: string) => [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7);
  return JSON.stringify({
    id: String(++nextId),
    type,
    actor: { id: id(actor), login: actor },
    repo: { id: id(repo), name: repo },
    payload,
    created_at: new Date(AS_OF.getTime() - hours * HOUR_MS).toISOString(),
  });
}

const star = (hours: number, repo: string, actor: string) =>
  event(hours, 'WatchEvent', repo, actor, { action: 'started' });
const fork = (hours: number, repo: string, actor: string) => event(hours, 'ForkEvent', repo, actor);
const people = (count: number) => Array.from({ length: count }, (_, index) => `person${index}`);

onEveryDatabase('the data that depend on the current time', (make) => {
  let warehouse: TestWarehouse;

  before(async () => {
    warehouse = await make();
    const old = ['ada/rising', 'ada/forked', 'ada/bought', 'ada/small', 'ada/asleep', 'ada/hidden', 'ada/gone'];
    const unknown = ['ada/unpushed', 'ada/ageless', 'ada/unknown'];
    const pushed = [...old.filter((repo) => repo !== 'ada/asleep'), 'ada/ageless'];
    const lines = [
      ...[...old, 'ada/unpushed'].map((repo) =>
        event(3 * 366 * 24, 'CreateEvent', repo, 'ada', { ref_type: 'repository' }),
      ),
      ...[...pushed, 'ada/quiet'].map((repo) => event(6, 'PushEvent', repo, 'ada', { size: 1 })),
      event(100 * 24, 'PushEvent', 'ada/asleep', 'ada', { size: 1 }),
      ...people(6).flatMap((person) => unknown.map((repo) => star(6, repo, person))),
      ...people(8).map((person, index) => star(12 + index, 'ada/rising', person)),
      ...people(4).map((person) => fork(12, 'ada/rising', person)),
      ...people(6).map((person) => star(6, 'ada/forked', person)),
      ...Array(6)
        .fill(0)
        .map(() => fork(6, 'ada/forked', 'person1')),
      ...Array(9)
        .fill(0)
        .map(() => star(6, 'ada/bought', 'person1')),
      ...people(5).map((person) => star(6, 'ada/small', person)),
      ...people(9).flatMap((person) => ['ada/asleep', 'ada/hidden', 'ada/gone'].map((repo) => star(6, repo, person))),
      event(5, 'PullRequestEvent', 'ada/rising', 'ben', { action: 'opened', number: 1, pull_request: { id: 1 } }),
      event(4, 'PushEvent', 'ada/rising', 'helper[bot]', { size: 1 }),
      event(3, 'IssuesEvent', 'ada/rising', 'ben', { action: 'opened', number: 2, issue: { id: 2 } }),
      event(3, 'IssuesEvent', 'ada/rising', 'dan', { action: 'closed', number: 2, issue: { id: 2 } }),
      event(3, 'IssueCommentEvent', 'ada/rising', 'dan', {
        action: 'created',
        issue: { number: 2 },
        comment: { id: 1 },
      }),
      event(3, 'PullRequestReviewEvent', 'ada/rising', 'dan', { action: 'dismissed', review: { id: 1 } }),
      event(2, 'PullRequestReviewEvent', 'ada/rising', 'cleo', { action: 'created', review: { id: 2 } }),
      event(2, 'PullRequestReviewCommentEvent', 'ada/rising', 'cleo', { comment: { id: 3 } }),
      ...['fay', 'Zoe', 'gil', 'person0'].map((person) => event(2, 'PushEvent', 'ada/rising', person, { size: 1 })),
      // Stars in the previous month, 2026-02, and in the month before it.
      ...people(3).map((person) => star(24 * 20, 'ada/small', person)),
      ...people(2).map((person) => star(24 * 20, 'ada/rising', `guest-${person}`)),
      ...people(3).map((person) => star(24 * 50, 'ada/rising', `early-${person}`)),
    ];
    const file = join(warehouse.folder, 'events.json');
    await writeFile(file, lines.join('\n'));
    await warehouse.import([file]);
    await warehouse.store.write(async (tables) => {
      // A name without an owner hides no repository.
      await tables.insertRows('blacklist_repos', [['ADA/hidden'], ['rising']]);
      await tables.insertRows('blacklist_users', [['person0']]);
      await tables.run("UPDATE github_repos SET is_deleted = 1 WHERE repo_name = 'ada/gone'");
      await tables.run("UPDATE github_repos SET primary_language = 'Ruby' WHERE repo_name = 'ada/forked'");
    });
    await storeCollections(warehouse.store, [
      { id: 1, name: 'Tools', items: ['ada/small', 'ada/rising', 'ada/asleep'].map((name) => ({ repo_name: name })) },
    ]);
    await refreshAsOf(warehouse.store, AS_OF);
  });
  after(() => warehouse.close());

  const isUnknown = (name: string | null | undefined) =>
    ['ada/ageless', 'ada/unknown', 'ada/unpushed'].includes(name ?? '');
  let engine: Engine;
  before(async () => {
    engine = createEngine({
      endpoints: (await DEFINITIONS).filter(({ definition }) => definition.name === 'list-trending-repos'),
      database: warehouse.database,
      clock: () => new Date(AS_OF.getTime() - 5_000),
      stopwatch: () => 0,
      metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
    });
  });
  const ask = async (query: Record<string, string>) => {
    return engine.run(engine.endpoint('list-trending-repos'), { path: {}, query });
  };
  const trends = (period: string) =>
    warehouse.rows(`
      SELECT t.language, r.repo_name, t.stars, t.forks, t.pull_requests, t.pushes, t.total_score, t.contributor_logins
      FROM mv_trending_repos t JOIN github_repos r ON r.repo_id = t.repo_id
      WHERE t.period = '${period}'`);

  it('score repositories by stars, forks and age, without those with bought stars and small, inactive, hidden and deleted ones', async () => {
    // The stars are 12 to 19 hours old, the forks 12 hours, and the repository three years. f = 1 - age / 24.
    const rising = 8 * 2 + (3 * (8 * 24 - 124)) / 24 + 4 * (1 + 1.5) + 200 / 4;
    // One account made all forks, so the forks do not count.
    const forked = 6 * (2 + 3 * 0.75) + 200 / 4;
    expect((await trends('past_24_hours')).filter(([, name]) => !isUnknown(name))).to.deep.equal([
      ['All', 'ada/forked', '6', '6', null, '1', forked.toFixed(4), 'ada'],
      ['All', 'ada/rising', '8', '4', '1', '5', rising.toFixed(4), 'ben,cleo,Zoe,ada,fay'],
      ['Ruby', 'ada/forked', '6', '6', null, '1', forked.toFixed(4), 'ada'],
    ]);
  });

  it('include repositories with an unknown last push or creation time; only a known creation time adds a bonus', async () => {
    const stars = 6 * (2 + 3 * 0.75);
    const [none, old] = [stars.toFixed(4), (stars + 200 / 4).toFixed(4)];
    expect((await trends('past_24_hours')).filter(([, name]) => isUnknown(name))).to.deep.equal([
      ['All', 'ada/ageless', '6', '0', null, '1', none, 'ada'],
      ['All', 'ada/unknown', '6', '0', null, null, none, null],
      ['All', 'ada/unpushed', '6', '0', null, null, old, null],
    ]);
  });

  it('have a notice with the number of listed repositories that have an unknown time', async () => {
    const noticesOf = async (query: Record<string, string>) =>
      (await ask(query)).notices.filter((notice) => !notice.startsWith('This data set has no '));
    const notice =
      'Repositories in this list with an unknown time: 3 (last push: 2, creation: 2). An unknown last push does not ' +
      'exclude a repository, and an unknown creation time adds no bonus to its score.';
    const notices: string[][] = [];
    for (const request of [{}, { language: 'Ruby' }, { language: 'Rust' }]) notices.push(await noticesOf(request));
    expect(notices).to.deep.equal([[notice], [], []]);
  });

  it('have periods of 1, 7, 30 and 90 days', async () => {
    const starsOf = async (period: string) =>
      (await trends(period)).filter(([, name]) => name === 'ada/rising').map((row) => row[2]);
    const periods = ['past_24_hours', 'past_week', 'past_month', 'past_3_months'];
    expect(await Promise.all(periods.map(starsOf))).to.deep.equal([['8'], ['8'], ['10'], ['13']]);
  });

  it('have the time of their computation in a request that started before the next computation', async () => {
    const answer = await ask({});
    const names = ['ada/rising', 'ada/forked', 'ada/unpushed', 'ada/ageless', 'ada/unknown'];
    const actual = [answer.rows.map((row) => row[1]).sort(), answer.computedAt, answer.emptyNotices];
    expect(actual).to.deep.equal([names.sort(), AS_OF, []]);
  });

  it('rank collection items by the stars of the two previous calendar months, NULL without a star', async () => {
    expect(
      await warehouse.rows('SELECT repo_name, last_month_rank, last_2nd_month_rank FROM collection_items'),
    ).to.deep.equal([
      ['ada/asleep', null, null],
      ['ada/rising', '2', '1'],
      ['ada/small', '1', null],
    ]);
  });

  it('have the stars that GitHub counts on a day in addition to those in events, if noon of the day is in the period', async () => {
    const { store } = warehouse;
    const rows = await warehouse.rows('SELECT repo_name, repo_id FROM github_repos');
    const idOf = (repo: string) => String(rows.find(([name]) => name === repo)?.[1]);
    const [quiet, rising, forked] = [idOf('ada/quiet'), idOf('ada/rising'), idOf('ada/forked')];
    await store.write(async (tables) => {
      await tables.run("UPDATE github_repos SET stars = 6 WHERE repo_name = 'ada/quiet'");
      // In the events, ada/quiet has no stars, ada/rising has 7 from yesterday and one from today, and ada/forked has 6 from today.
      await tables.insertRows('github_star_histories', [
        [quiet, '2026-03-10', 0],
        [rising, '2026-03-10', 0],
        [forked, '2026-03-09', 0],
      ]);
      await tables.insertRows('github_star_days', [
        [quiet, '2026-03-03', 40],
        [quiet, '2026-03-04', 2],
        [quiet, '2026-03-10', 3],
        [quiet, '2026-03-11', 50],
        [rising, '2026-03-09', 8],
        [rising, '2026-03-10', 2],
        [forked, '2026-03-10', 70],
      ]);
    });
    await refreshAsOf(store, AS_OF);
    const changed = async (period: string) =>
      (await trends(period))
        .filter(([language, name]) => language === 'All' && /quiet|rising|forked/.test(String(name)))
        .map(([, name, stars, , , , score]) => [name, stars, score])
        .sort();
    const rising24 = 9 * 2 + (3 * (8 * 24 - 124 + 24)) / 24 + 4 * (1 + 1.5) + 200 / 4;
    const forked24 = 6 * (2 + 3 * 0.75) + 200 / 4;
    expect(await changed('past_24_hours')).to.deep.equal([
      ['ada/forked', '6', forked24.toFixed(4)],
      ['ada/quiet', '3', (3 * 5).toFixed(4)],
      ['ada/rising', '9', rising24.toFixed(4)],
    ]);
    const quietWeek = 3 * 5 + 2 * (2 + 3 / 7);
    const [, inWeek, risingInWeek] = await changed('past_week');
    expect([inWeek, risingInWeek?.slice(0, 2)]).to.deep.equal([
      ['ada/quiet', '5', quietWeek.toFixed(4)],
      ['ada/rising', '10'],
    ]);
  });

  it('are replaced after an import with new events, and without new events only if an earlier import was interrupted', async () => {
    const { store } = warehouse;
    const later = new Date('2026-03-10T13:00:00Z');
    expect(await refreshAfterImport(store, 0, later)).to.equal(false);
    expect(await refreshAfterImport(store, 1, later)).to.equal(true);
    expect(await warehouse.rows('SELECT DISTINCT dt FROM mv_trending_repos')).to.deep.equal([['2026-03-10 13:00:00']]);
    await store.write((tables) => tables.run("UPDATE table_refreshes SET refreshed_at = '2000-01-01 00:00:00'"));
    expect(await refreshAfterImport(store, 0, later)).to.equal(true);
    expect(await refreshAfterImport(store, 0, later)).to.equal(false);
  });

  describeEmbeddedOnly(make, () => {
    it('are current until the events, the repositories, the people or the collections change', async () => {
      const { store, database } = warehouse;
      const now = new Date('2100-01-01T00:00:00Z');
      const ageAfter = (ms: number) => ageOfRefresh(database, new Date(now.getTime() + ms));
      await refreshAsOf(store, now);
      expect([await ageAfter(0), await ageAfter(60_000), await ageAfter(-1_000)]).to.deep.equal([0, 60_000, undefined]);
      const refreshes = await store.write((tables) => tables.rows('SELECT name, refreshed_at FROM table_refreshes'));
      const file = join(warehouse.folder, 'later.json');
      await writeFile(file, event(1, 'PushEvent', 'ada/rising', 'ada', { size: 2 }));
      const changes = [
        () => warehouse.import([file]),
        () => storeCollections(store, []),
        () => storeProfiles(store, USERS, [{ id: 1, name: 'Ada' }], '2100-01-01 00:00:00'),
        () => refreshFull(store),
      ];
      for (const change of changes) {
        // The rows that a refresh stores. A refresh takes much longer.
        await store.write(async (tables) => {
          await tables.run('DELETE FROM table_refreshes');
          await tables.insertRows('table_refreshes', refreshes as PlainValue[][]);
        });
        expect(await ageAfter(0)).to.equal(0);
        await change();
        expect(await ageAfter(0)).to.equal(undefined);
      }
      await refreshAsOf(store, now);
      expect(await ageAfter(0)).to.equal(0);
    });
  });
});
