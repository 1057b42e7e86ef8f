import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { readCoverage } from '../../warehouse/coverage.js';
import { onEveryDatabase, type TestWarehouse } from './test-warehouse.js';

onEveryDatabase('coverage', (make) => {
  let warehouse: TestWarehouse;

  before(async () => {
    warehouse = await make();
  });
  after(() => warehouse.close());

  it('is empty for an empty warehouse', async () => {
    expect(await readCoverage(warehouse.database)).to.deep.equal({
      events: 0,
      files: 0,
      feedEvents: 0,
      archives: [],
      repositories: 0,
      users: 0,
      provisional: { repositories: { count: 0, events: 0 }, accounts: { count: 0, events: 0 } },
      newestEventAt: null,
      types: [],
      gaps: [],
      partialMonths: [],
    });
  });

  it('has the days and the newest event of each type, and the days without events of a counted type', async () => {
    const daysOf: Record<string, number[]> = { PushEvent: [1, 2, 3, 4, 6, 7, 8], WatchEvent: [3, 6], MemberEvent: [1] };
    const lines = Object.entries(daysOf).flatMap(([type, list]) =>
      list.map((day) =>
        JSON.stringify({
          type,
          created_at: `2026-01-0${day}T10:00:00Z`,
          actor: { login: 'ada' },
          repo: { name: 'ada/lib' },
        }),
      ),
    );
    const file = join(warehouse.folder, 'days.json');
    await writeFile(file, lines.join('\n'));
    await warehouse.import([file]);
    const { events, files, newestEventAt, types, gaps } = await readCoverage(warehouse.database);
    expect({ events, files, newestEventAt }).to.deep.equal({
      events: 10,
      files: 1,
      newestEventAt: '2026-01-08 10:00:00',
    });
    expect(types).to.deep.equal([
      {
        type: 'MemberEvent',
        events: 1,
        firstDay: '2026-01-01',
        lastDay: '2026-01-01',
        days: 1,
        newestAt: '2026-01-01 10:00:00',
      },
      {
        type: 'PushEvent',
        events: 7,
        firstDay: '2026-01-01',
        lastDay: '2026-01-08',
        days: 7,
        newestAt: '2026-01-08 10:00:00',
      },
      {
        type: 'WatchEvent',
        events: 2,
        firstDay: '2026-01-03',
        lastDay: '2026-01-06',
        days: 2,
        newestAt: '2026-01-06 10:00:00',
      },
    ]);
    const days = (type: string, first: string, last: string, hours: number) => {
      const [firstDay, lastDay] = [`2026-01-0${first}`, `2026-01-0${last}`];
      const [firstHour, lastHour] = [`${firstDay} 00:00:00`, `${lastDay} 23:00:00`];
      return { type, firstHour, lastHour, hours, period: `from ${firstDay} to ${lastDay}` };
    };
    expect(gaps.filter((gap) => ['PushEvent', 'WatchEvent', 'ForkEvent'].includes(gap.type))).to.deep.equal([
      days('ForkEvent', '1', '8', 192),
      days('WatchEvent', '1', '2', 48),
      days('WatchEvent', '4', '5', 48),
      days('PushEvent', '5', '5', 24),
      days('WatchEvent', '7', '8', 48),
    ]);
  });
});
