import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { USERS } from '../../github/enrichment/profile-target.js';
import { storeProfiles } from '../../github/enrichment/store-profiles.js';
import { fillPeople } from '../../warehouse/derived/people.js';
import { refreshFull } from '../../warehouse/derived/refresh.js';
import { migrate } from '../../warehouse/migrate.js';
import { describeEmbeddedOnly } from './embedded-only.js';
import { filledOnce } from './filled-warehouse.js';
import { madeId } from './oracle-events.js';
import { sorted } from './oracle-tables.js';
import { onEveryDatabase, type TestWarehouse } from './test-warehouse.js';

const [STAR, ISSUE, PULL] = [
  { type: 'WatchEvent', payload: { action: 'started' } },
  { type: 'IssuesEvent', payload: { action: 'opened', issue: { id: 31, number: 3 } } },
  { type: 'PullRequestEvent', payload: { action: 'opened', number: 4, pull_request: { id: 41, number: 4 } } },
];
const JOE = madeId('joe');

/** Returns an event of account 1 or 2 in the format of 2015. */
const newEvent = (at: string, repo: number, id: number, login: string, what: object = STAR) =>
  JSON.stringify({
    id: '9',
    ...what,
    actor: { id, login },
    repo: { id: repo, name: `ada/lib${repo}` },
    created_at: at,
  });

/** Returns an event with the profile of joe, in the format of 2013. */
const oldEvent = (at: string, repo: number, profile: object, what: object = STAR) =>
  JSON.stringify({
    ...what,
    actor: 'joe',
    actor_attributes: { login: 'joe', type: 'User', ...profile },
    repository: { id: repo, owner: 'ada', name: `lib${repo}` },
    created_at: at,
  });

const ACME = { name: 'Joe', company: 'Acme, Inc.', location: 'Berlin, Germany' };
const FIRST = [
  oldEvent('2013-03-01T00:00:00Z', 5, ACME),
  newEvent('2015-03-01T00:00:01Z', 5, 1, 'ada', ISSUE),
  newEvent('2015-03-01T00:00:02Z', 5, 2, 'ben', PULL),
  newEvent('2015-03-01T00:00:03Z', 6, 2, 'ben', { type: 'ForkEvent', payload: {} }),
];
const PLAIN = [0, '', 'N/A'];
const FIRST_ROWS = [
  [5, JOE, 'joe', 'Joe', 0, 'acme', 'DE'],
  [5, 1, 'ada', '', ...PLAIN],
  [5, 2, 'ben', '', ...PLAIN],
];

onEveryDatabase('the people of repositories', (make) => {
  let warehouse: TestWarehouse;
  let files = 0;

  const load = async (lines: readonly string[], into = warehouse) => {
    files += 1;
    const file = join(into.folder, `${files}.json`);
    await writeFile(file, lines.join('\n'));
    await into.import([file]);
  };
  const people = () => warehouse.rows('SELECT * FROM mv_repo_people');

  const filled = filledOnce(make, (first) => load(FIRST, first));
  beforeEach(async () => {
    warehouse = await filled();
  });
  afterEach(() => warehouse.close());

  it('are the accounts that starred them or opened issues or pull requests, with the facts of newer events in any repository', async () => {
    expect(await people()).to.deep.equal(sorted(FIRST_ROWS));
    await load([
      oldEvent('2013-04-01T00:00:00Z', 7, { ...ACME, name: 'Joseph', company: 'Beta GmbH', location: 'France' }, ISSUE),
      newEvent('2015-04-01T00:00:01Z', 8, 1, 'ada[bot]', { type: 'PushEvent', payload: {} }),
      newEvent('2015-04-01T00:00:02Z', 8, 2, 'ben'),
    ]);
    const after = sorted([
      [5, JOE, 'joe', 'Joseph', 0, 'beta', 'FR'],
      [5, 1, 'ada[bot]', '', 1, '', 'N/A'],
      [5, 2, 'ben', '', ...PLAIN],
      [7, JOE, 'joe', 'Joseph', 0, 'beta', 'FR'],
      [8, 2, 'ben', '', ...PLAIN],
    ]);
    expect(await people()).to.deep.equal(after);
    await refreshFull(warehouse.store);
    expect(await people()).to.deep.equal(after);
  });

  it('are filled by the migration, also after an interruption, in transactions of any size', async () => {
    await load([6, 7, 8, 9].map((repo) => newEvent('2015-04-01T00:00:01Z', repo, 1, 'ada')));
    const before = await people();
    const { store } = warehouse;
    await store.write(async (tables) => {
      await tables.run('DELETE FROM mv_repo_people WHERE repo_id > 5');
      await tables.run("UPDATE mv_repo_people SET name = 'wrong'");
      await tables.run('DELETE FROM schema_versions WHERE version = 16');
    });
    expect(await migrate(store)).to.deep.equal(['0016-people-of-repositories']);
    expect(await people()).to.deep.equal(before);
    for (const maxRows of [1, 2, 3, 4]) {
      await store.write((tables) => tables.run('DELETE FROM mv_repo_people'));
      await fillPeople(store, maxRows);
      expect(await people(), `transactions of ${maxRows} rows`).to.deep.equal(before);
    }
  });

  describeEmbeddedOnly(make, () => {
    it('keep their facts after an import of older events', async () => {
      await load([
        oldEvent('2013-02-01T00:00:00Z', 5, { name: 'Joey', company: 'Old Ltd', location: 'Japan' }),
        newEvent('2015-02-01T00:00:01Z', 5, 1, 'former-name'),
      ]);
      expect(await people()).to.deep.equal(sorted(FIRST_ROWS));
    });

    it('have the facts that an enrichment stores', async () => {
      const profiles = [
        { id: 1, login: 'ada-ci[bot]', name: 'Ada', company: '@one', country_code: 'FR' },
        { id: 2, name: '', company: null, country_code: null },
        { id: 77, login: 'unknown', name: 'Unknown Person' },
      ];
      await storeProfiles(warehouse.store, USERS, profiles, '2026-03-01 12:00:00');
      const after = sorted([
        [5, JOE, 'joe', 'Joe', 0, 'acme', 'DE'],
        [5, 1, 'ada-ci[bot]', 'Ada', 1, 'one', 'FR'],
        [5, 2, 'ben', '', ...PLAIN],
      ]);
      expect(await people()).to.deep.equal(after);
      await refreshFull(warehouse.store);
      expect(await people()).to.deep.equal(after);
    });

    it('have the bots and organizations of this version after a full refresh', async () => {
      const wrong = "UPDATE github_users SET is_bot = 1, organization_formatted = 'acme, inc.' WHERE login = 'joe'";
      await warehouse.store.write((tables) => tables.run(wrong));
      await refreshFull(warehouse.store);
      expect(await people()).to.deep.equal(sorted(FIRST_ROWS));
    });

    it('have no facts without an account, until an event contains it', async () => {
      await warehouse.store.write((tables) => tables.run('DELETE FROM github_users WHERE id = 1'));
      await refreshFull(warehouse.store);
      const [joe = [], , ben = []] = FIRST_ROWS;
      expect(await people()).to.deep.equal(sorted([joe, [5, 1, null, null, null, null, null], ben]));
      await load([newEvent('2015-04-01T00:00:01Z', 8, 1, 'ada', { type: 'PushEvent', payload: {} })]);
      expect(await people()).to.deep.equal(sorted(FIRST_ROWS));
    });
  });
});
