import { expect } from 'chai';
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
    const values = logins.map((login) => `SELECT '${login}' AS login`).join(' UNION ALL ');
    const found = await warehouse.rows(`SELECT login FROM (${values}) people WHERE ${isBotSql('login')}`);
    expect(found.flat().sort()).to.deep.equal([...BOTS].sort());
  });
});
