import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type EventRow, expectedEvent, type Json } from './oracle-events.js';
import { withRealIds } from './oracle-provisional.js';
import { expectedTables, sorted } from './oracle-tables.js';
import { FIXTURES, onEveryDatabase, type TestWarehouse } from './test-warehouse.js';

const FILES = ['2011-02-15-0.json', '2013-02-15-8.json', '2015-01-01-15.json', '2026-01-25-11.json'];
const WITHOUT_LINES = '2012-03-11-6.no-line-breaks.json';

onEveryDatabase('events of every era', (make) => {
  let warehouse: TestWarehouse;
  let events: EventRow[];

  before(async () => {
    warehouse = await make();
    await warehouse.import([FIXTURES]);
    const lines = FILES.flatMap((file) => readFileSync(join(FIXTURES, file), 'utf8').trimEnd().split('\n'));
    const objects = readFileSync(join(FIXTURES, WITHOUT_LINES), 'utf8').split(/(?<=\})(?=\{"created_at")/);
    events = withRealIds([...lines, ...objects].map((line) => expectedEvent(JSON.parse(line) as Json)));
  });
  after(() => warehouse.close());

  it('become the same rows as in an independent reading of the JSON', async () => {
    expect(await warehouse.rows('SELECT * FROM github_events')).to.deep.equal(
      sorted(events.map((event) => Object.values(event))),
    );
  });

  for (const table of Object.keys(expectedTables([]))) {
    it(`give the same ${table} as an independent computation`, async () => {
      const users = await warehouse.rows(
        'SELECT id, login, name, is_bot, organization_formatted, country_code FROM github_users',
      );
      expect(await warehouse.rows(`SELECT * FROM ${table}`)).to.deep.equal(expectedTables(events, users)[table]);
    });
  }
});
