import { expect } from 'chai';
import { createNameSearch, type NameSearch } from '../../warehouse/search.js';
import { storeNames } from '../github/store-names.js';
import { onEveryDatabase, type TestWarehouse } from './test-warehouse.js';

const account = (id: number, login: string, followers = 0, type = 'User', isDeleted = 0) =>
  `(${id}, '${login}', '${type}', '', '', '', ${followers}, 0, 0, ${isDeleted}, NULL, NULL)`;
const repository = (id: number, name: string, stars = 0, isDeleted = 0) =>
  `(${id}, '${name}', 0, '${name.split('/')[0]}', 0, '', '', '', ${stars}, 0, ${isDeleted}, NULL, NULL)`;
const many = <Row>(count: number, row: (index: number) => Row) =>
  Array.from({ length: count }, (_, index) => row(index));

onEveryDatabase('the search for names', (make) => {
  let warehouse: TestWarehouse;
  let search: NameSearch;

  before(async () => {
    warehouse = await make();
    await storeNames(warehouse.store, {
      accounts: [
        account(1, 'Ada'),
        account(2, 'ada-two', 2),
        account(3, 'ADAMANT', 5000),
        account(4, 'grenada', 1500),
        account(5, 'canada-fan', 900),
        account(6, 'ada-org', 40, 'Organization'),
        account(7, 'ada-gone', 9, 'User', 1),
        account(8, 'ÄRGER'),
        account(9, '100%_sure'),
        account(10, '100xysure', 3),
        account(11, 'ada-bot', 1, 'Bot'),
        account(12, 'ada-unknown', 1, 'N/A'),
        ...many(30, (index) => account(100 + index, `crowd-${index}`, index)),
        ...many(8, (index) => account(200 + index, `crowd-known-${index}`, 40 + index)),
      ],
      repositories: [
        repository(1, 'Facebook/React', 2_000_000),
        repository(2, 'facebook/jest', 40_000),
        repository(3, 'someone/react-kit', 2),
        repository(4, 'react/native', 50),
        repository(5, 'someone/preact', 30_000),
        repository(6, 'someone/gone-react', 5, 1),
        repository(7, 'noslash', 1),
      ],
    });
    search = createNameSearch(warehouse.database);
  });
  after(() => warehouse.close());

  const users = async (keyword: string) => (await search.users(keyword)).map(({ login }) => login);
  const repositories = async (keyword: string) => (await search.repositories(keyword)).map(({ fullName }) => fullName);

  it('finds the exact name, then names with this prefix by followers, then popular names that contain it', async () => {
    expect(await users('aDa')).to.eql(['Ada', 'ADAMANT', 'ada-two', 'ada-bot', 'ada-unknown', 'grenada']);
  });

  it('separates people and organizations', async () => {
    expect(await search.organizations('ada')).to.eql([{ id: 6, login: 'ada-org' }]);
  });

  it('finds repositories by owner/name and by the name alone', async () => {
    expect(await repositories('REACT')).to.eql([
      'Facebook/React',
      'react/native',
      'someone/react-kit',
      'someone/preact',
    ]);
    expect(await repositories('face')).to.eql(['Facebook/React', 'facebook/jest']);
    expect(await repositories('facebook/j')).to.eql(['facebook/jest']);
    expect(await repositories('react/')).to.eql(['react/native']);
    expect(await repositories('noslash')).to.eql(['noslash']);
  });

  it('finds the ten most popular of many names with the same prefix', async () => {
    const known = many(8, (index) => `crowd-known-${7 - index}`);
    expect(await users('crowd')).to.eql([...known, 'crowd-29', 'crowd-28']);
    expect(await users('crowd-1')).to.eql(['crowd-1', ...many(9, (index) => `crowd-${19 - index}`)]);
  });

  it('treats % and _ as plain characters', async () => {
    expect(await users('100%')).to.eql(['100%_sure']);
    expect(await users('1_0')).to.eql([]);
    expect(await users('%')).to.eql([]);
    expect(await repositories('%/%')).to.eql([]);
  });

  it('ignores the case of letters in other alphabets', async () => {
    expect(await users('ärg')).to.eql(['ÄRGER']);
    expect(await users('Är')).to.eql(['ÄRGER']);
  });

  it('finds nothing for unknown, empty and malicious keywords', async () => {
    for (const keyword of [
      'zzz',
      ' ',
      "'; DROP TABLE github_users; --",
      '\u0000',
      '\u{10FFFF}',
      'x'.repeat(500),
      '\\',
    ]) {
      expect(await users(keyword), JSON.stringify(keyword)).to.eql([]);
      expect(await repositories(keyword), JSON.stringify(keyword)).to.eql([]);
    }
    expect(await users('ada')).to.have.lengthOf(6);
  });
});
