import { expect } from 'chai';
import { madeId } from './oracle-events.js';
import { sorted } from './oracle-tables.js';
import { FIXTURES, onEveryDatabase, type TestWarehouse } from './test-warehouse.js';

onEveryDatabase('facts from events', (make) => {
  let warehouse: TestWarehouse;

  before(async () => {
    warehouse = await make();
    await warehouse.import([FIXTURES]);
  });
  after(() => warehouse.close());

  it('about repositories are the newest name, also without an id, the owner, the parent of a fork, and the first and last time', async () => {
    const rows = await warehouse.rows(`
      SELECT repo_id, repo_name, owner_id, owner_login, owner_is_org, parent_repo_id, is_fork, created_at, last_event_at
      FROM github_repos`);
    expect(rows).to.deep.equal(
      sorted([
        [501, 'ada/library', 11, 'ada', 0, null, 0, '2012-01-02 18:00:00', '2026-01-25 11:30:38'],
        [502, 'acme/tool', 91, 'acme', 1, null, 0, '2012-11-22 17:15:31', '2026-01-25 11:39:41'],
        [504, 'emil/page', 0, 'emil', 0, null, 0, '2013-01-20 14:23:28', '2013-02-15 08:30:36'],
        [505, 'ada/new', 11, 'ada', 0, null, 0, '2015-01-01 15:00:00', '2015-01-01 15:00:00'],
        [506, 'Cleo/lib', 0, 'Cleo', 0, 501, 1, '2015-01-01 15:05:00', null],
        [507, 'ben/notes', 0, 'ben', 0, null, 0, null, '2026-01-25 11:49:18'],
        [madeId('ada/quote}{d'), 'ada/quote}{d', 0, 'ada', 0, null, 0, '2012-01-02 18:00:00', '2012-03-11 06:36:04'],
      ]),
    );
  });

  it('about repositories are the newest details, the largest counts, pushes and releases', async () => {
    const rows = await warehouse.rows(`
      SELECT repo_name, description, primary_language, license, size, stars, forks, pushed_at, latest_released_at, refreshed_at
      FROM github_repos WHERE repo_id IN (501, 502, 507)`);
    expect(rows).to.deep.equal(
      sorted([
        [
          'ada/library',
          'The library',
          'Ruby',
          'MIT',
          77,
          8,
          2,
          '2015-01-01 15:00:01',
          '2015-01-01 15:05:59',
          '2015-01-01 15:07:00',
        ],
        ['acme/tool', 'A tool', 'Go', 'MIT', 77, 120, 9, '2015-01-01 14:58:00', null, '2015-01-01 15:03:30'],
        ['ben/notes', '', '', '', 0, 0, 0, '2026-01-25 11:49:18', null, null],
      ]),
    );
  });

  it('about people are the login, the type, whether it is a bot, and the profile of the old format', async () => {
    const rows = await warehouse.rows(`
      SELECT id, login, type, is_bot, name, organization_formatted, address, country_code, refreshed_at, updated_at
      FROM github_users`);
    const plain = ['', '', '', 'N/A'];
    expect(rows).to.deep.equal(
      sorted([
        [11, 'ada', 'User', 0, ...plain, '2013-02-15 08:31:00', '2026-01-25 11:30:38'],
        [12, 'ben', 'User', 0, ...plain, '2013-02-15 08:00:45', '2026-01-25 11:49:18'],
        [13, 'Cleo', 'User', 0, ...plain, null, '2015-01-01 15:05:00'],
        [14, 'helper[bot]', 'User', 1, ...plain, null, '2015-01-01 15:07:00'],
        [15, 'dora', 'User', 0, '', '', 'Lyon, France', 'FR', '2013-02-15 08:00:44', '2026-01-25 11:30:38'],
        [16, 'finn', 'N/A', 0, ...plain, null, '2026-01-25 11:01:00'],
        [91, 'acme', 'Organization', 0, ...plain, null, '2015-01-01 15:03:30'],
        [madeId('emil'), 'emil', 'User', 0, ...plain, '2013-02-15 08:30:36', '2013-02-15 08:30:36'],
      ]),
    );
  });

  it('about a country exist only if a place names it', async () => {
    const places = ['Germany', 'Köln, Deutschland', 'são paulo / BRASIL', 'U.S.A.', 'Austin, Texas', '日本'];
    const unsure = ['Berlin', 'Atlanta, Georgia', 'Boston, MA', 'Earth', '', 'CA'];
    const lastPart = (place: string) =>
      place
        .replace(/^.*[,/|]/, '')
        .replaceAll('.', '')
        .trim()
        .toLowerCase();
    const countryOf = (place: string) =>
      warehouse.rows(`SELECT country_code FROM country_names WHERE name = '${lastPart(place)}'`);
    expect(await Promise.all(places.map(countryOf))).to.deep.equal([
      [['DE']],
      [['DE']],
      [['BR']],
      [['US']],
      [['US']],
      [['JP']],
    ]);
    expect((await Promise.all(unsure.map(countryOf))).flat()).to.deep.equal([]);
  });
});
