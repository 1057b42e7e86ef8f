import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createEngine, PATIENT_METADATA_TIMEOUT_MS } from '../../engine/index.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { onEveryDatabase, type TestWarehouse } from './test-warehouse.js';

const NEWEST_HOUR = new Date('2026-03-03T06:00:00Z');

onEveryDatabase('hours with stars only on the first day', (make) => {
  let warehouse: TestWarehouse;

  before(async () => {
    warehouse = await make();
    const files: string[] = [];
    for (
      let hour = new Date('2026-03-01T00:00:00Z');
      hour <= NEWEST_HOUR;
      hour = new Date(hour.getTime() + 3_600_000)
    ) {
      const day = hour.toISOString().slice(0, 10);
      const file = join(warehouse.folder, `${day}-${hour.getUTCHours()}.json`);
      const types = day === '2026-03-01' ? ['PushEvent', 'WatchEvent'] : ['PushEvent'];
      await writeFile(file, types.map((type) => JSON.stringify(eventAt(hour, type))).join('\n'));
      files.push(file);
    }
    await warehouse.import(files);
  });
  after(() => warehouse.close());

  const rowsOf = async (name: string, query: Record<string, string>) => {
    const engine = createEngine({
      endpoints: await loadDefinitions({ endpointsDirectory: undefined }),
      database: warehouse.database,
      clock: () => new Date('2026-03-03T07:00:00Z'),
      stopwatch: () => 0,
      metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
    });
    const { columns, rows } = await engine.run(engine.endpoint(name), { path: {}, query });
    return rows.map((row) =>
      Object.fromEntries(row.map((cell, index) => [columns[index]?.name, cell === null ? null : String(cell)])),
    );
  };

  it('make the stars of the later days unknown, also on the newest, incomplete day', async () => {
    const rows = await rowsOf('repository-activity', { owner: 'acme', repo: 'tool', per: 'day' });
    expect(rows.map(({ date, stars, issues }) => [date, stars, issues])).to.deep.equal([
      ['2026-03-01', '24', null],
      ['2026-03-02', null, null],
      ['2026-03-03', null, null],
    ]);
  });

  it('make numbers of a person unknown that no hour has', async () => {
    const rows = await rowsOf('person-activity', { login: 'ada0', per: 'day' });
    const newest = rows.filter(({ date }) => String(date) >= '2026-03-01');
    expect(newest.map(({ date, pushes, stars, reviews }) => [date, pushes, stars, reviews])).to.deep.equal([
      ['2026-03-01', '1', '1', null],
      ['2026-03-02', '1', null, null],
      ['2026-03-03', '1', null, null],
    ]);
  });
});

function eventAt(hour: Date, type: string) {
  const number = hour.getUTCHours();
  return {
    id: `${hour.getTime() / 1_000}${type.length}`,
    type,
    actor: { id: 30 + number, login: `ada${number}` },
    repo: { id: 7, name: 'acme/tool' },
    payload: type === 'WatchEvent' ? { action: 'started' } : { push_id: 1 },
    created_at: hour.toISOString(),
  };
}
