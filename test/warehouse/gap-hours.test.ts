import { expect } from 'chai';
import { writeDefinitionText } from '../../engine/authoring/index.js';
import { createEngine, type Endpoint, PATIENT_METADATA_TIMEOUT_MS, type RawParameters } from '../../engine/index.js';
import { loadDefinitions } from '../../server/settings/definitions.js';
import { endpointOf } from '../engine/fixtures.js';
import { onEveryDatabase, type TestWarehouse, testWarehouse } from './test-warehouse.js';

/** One operation for each SQL text that compares gaps with the clock. A server gets the first one only. */
const REQUESTS: readonly (readonly [name: string, request: RawParameters])[] = [
  ['stargazers-history', { path: { owner: 'ada', repo: 'lib' }, query: { to: '2026-03-10' } }],
  ['list-countries-of-stargazers', { path: { owner: 'ada', repo: 'lib' }, query: { to: '2026-03-10' } }],
  ['list-trending-repos', { path: {}, query: {} }],
  ['collection-repo-ranking-by-stars', { path: { collection_id: '1' }, query: {} }],
];
const HOUR_MS = 3_600_000;
const HOUR = Date.parse('2026-03-10T12:00:00Z');
const CLOCKS = ['12:00:00', '12:00:01', '12:59:59'];
/** Lists of hours relative to the current hour. Each list has at most five, because a notice lists at most five gaps. */
const HOURS = [
  [-26, -25, -24, -23, -22],
  [-2, -1, 0, 1, 2],
];
const END = '2099-12-31 23:00:00';

onEveryDatabase('the notices about gaps', (make) => {
  let warehouse: TestWarehouse;
  let now: Date;
  let definitions: readonly Endpoint[];

  before(async () => {
    warehouse = await make();
    definitions = await loadDefinitions({ endpointsDirectory: undefined });
  });
  after(() => warehouse.close());

  /** Stores only these gaps. With `isEndless`, a gap ends after the data. */
  const storeGaps = (hours: readonly number[], isEndless: boolean) =>
    warehouse.store.write(async (tables) => {
      await tables.run('DELETE FROM mv_feed_gaps WHERE 1 = 1');
      const rows = hours.map((hour) => {
        const text = timeText(HOUR + hour * HOUR_MS);
        return ['WatchEvent', text, isEndless ? END : text, 1, `at ${hour}`];
      });
      await tables.insertRows('mv_feed_gaps', rows);
    });

  for (const [name, request] of make === testWarehouse ? REQUESTS : REQUESTS.slice(0, 1)) {
    it(`of ${name} change only with the hour`, async () => {
      const endpoint = definitions.find(({ definition }) => definition.name === name);
      if (endpoint === undefined) throw new Error(`there is no definition ${name}`);
      const exact = await endpointOf(withSeconds(await writeDefinitionText(endpoint.expanded)));
      // The stopwatch always advances by more than the time for which notices are reused.
      let elapsed = 0;
      const stopwatch = () => (elapsed += 10_000);
      const endpoints = [endpoint, { ...exact, definition: { ...exact.definition, name: 'exact' } }];
      const engine = createEngine({
        endpoints,
        database: warehouse.database,
        clock: () => now,
        stopwatch,
        metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
      });
      const noticesOf = async (one: Endpoint) => (await engine.run(one, request)).notices.join();
      const differences: string[] = [];
      let listed = 0;
      for (const isEndless of [false, true]) {
        for (const hours of HOURS) {
          await storeGaps(hours, isEndless);
          for (const clock of CLOCKS) {
            now = new Date(`2026-03-10T${clock}Z`);
            const [byHour, bySecond] = [await noticesOf(endpoint), await noticesOf(exact)];
            listed += byHour.includes('at ') ? 1 : 0;
            if (byHour !== bySecond) differences.push(`${clock}: ${byHour} | ${bySecond}`);
          }
        }
      }
      // A gap is mentioned after it has lasted for a day. In the first second of the hour, this is one second early.
      expect(differences).to.have.length(1);
      expect(differences[0]).to.match(/^12:00:00: .*at -26, at -25, at -24\. \| .*at -26, at -25\.$/);
      expect(listed).to.be.greaterThan(4);
    });
  }
});

/** Returns the definition in which times are compared by the second instead of by the hour. */
function withSeconds(definition: string): string {
  const text = definition
    .replaceAll('<= DATE_SUB({{ hour }}', '< DATE_SUB({{ now }}')
    .replaceAll('{{ hour }}', '{{ now }}');
  expect(text).to.not.equal(definition);
  return text;
}

function timeText(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}
