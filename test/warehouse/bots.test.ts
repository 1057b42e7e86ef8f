import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { USERS } from '../../github/enrichment/profile-target.js';
import { storeProfiles } from '../../github/enrichment/store-profiles.js';
import { refreshFull } from '../../warehouse/derived/refresh.js';
import { isBotSql } from '../../warehouse/rules/bots.js';
import { isBot } from '../oracle/bots.js';
import { onEveryDatabase, type TestWarehouse } from './test-warehouse.js';

const BOTS = [
  'dependabot[bot]',
  'Renovate-Bot',
  'k8s-ci-robot',
  'greenkeeperio-bot',
  'codecov-io',
  'rust-timer-bot',
  'acme-ci',
];
const PEOPLE = ['ada', 'Talbot', 'botany', 'abbot', 'cicero', 'bot'.repeat(0), 'robert'];

onEveryDatabase('the bot rule', (make) => {
  let warehouse: TestWarehouse;

  before(async () => {
    warehouse = await make();
  });
  after(() => warehouse.close());

  it('matches apps and common bot names, but not people whose login matches by chance', () => {
    expect(BOTS.filter(isBot)).to.deep.equal(BOTS);
    expect(PEOPLE.filter(isBot)).to.deep.equal([]);
  });

  it('is the same in SQL', async () => {
    const logins = [...BOTS, ...PEOPLE];
    const values = logins.map((login) => `SELECT '${login}' AS login, 'User' AS type`).join(' UNION ALL ');
    const found = await warehouse.rows(`SELECT login FROM (${values}) people WHERE ${isBotSql('login', 'type')}`);
    expect(found.flat().sort()).to.deep.equal([...BOTS].sort());
  });

  it('includes every account of the type Bot, as its events and GitHub state the type', async () => {
    const user = { id: 198982749, login: 'Copilot', type: 'Bot' };
    const reviewer = { id: 5, login: 'helper', type: 'Bot' };
    const event = (type: string, actor: object, payload: object) => ({
      ...{ id: String(type.length), type, actor, payload, created_at: '2025-06-01T00:00:00Z' },
      repo: { id: 85001, name: 'acme/pulls' },
    });
    const events = [
      event('PullRequestEvent', user, { action: 'opened', number: 1, pull_request: { id: 1, number: 1, user } }),
      event('PullRequestReviewEvent', reviewer, { action: 'created', review: { user: reviewer } }),
      event('WatchEvent', { id: 6, login: 'ann' }, { action: 'started' }),
    ];
    const file = join(warehouse.folder, 'bots.json');
    await writeFile(file, events.map((one) => `${JSON.stringify(one)}\n`).join(''));
    await warehouse.import([file]);
    const bots = () =>
      warehouse.rows('SELECT login, is_bot FROM github_users WHERE id IN (5, 6, 198982749) ORDER BY login');
    expect(await bots()).to.deep.equal([
      ['Copilot', '1'],
      ['ann', '0'],
      ['helper', '1'],
    ]);
    expect(
      await warehouse.rows('SELECT login, is_bot FROM mv_repo_people WHERE repo_id = 85001 ORDER BY login'),
    ).to.deep.equal([
      ['Copilot', '1'],
      ['ann', '0'],
    ]);
    await storeProfiles(warehouse.store, USERS, [{ id: 6, type: 'Bot' }], '2026-01-01 00:00:00');
    expect((await bots())[1]).to.deep.equal(['ann', '1']);
    await refreshFull(warehouse.store);
    expect((await bots()).map(([, isBotNow]) => isBotNow)).to.deep.equal(['1', '1', '1']);
  });
});
