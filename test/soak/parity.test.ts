import { join } from 'node:path';
import { expect } from 'chai';
import { fillWithDemo } from '../../demo/fill-with-demo.js';
import { ALL_REPOSITORIES, importHours } from '../parity/imported-hours.js';
import {
  CLOCK_OPERATIONS,
  listEmpty,
  openTwoDatabases,
  selectBusiest,
  type TwoDatabases,
  useOtherTimeZone,
} from '../parity/two-databases.js';
import { useMysql } from '../services/mysql.js';
import { SERVER } from '../services/server.js';
import { serverWarehouse, type TestWarehouse, testWarehouse } from '../warehouse/test-warehouse.js';

const DEMO_EVENTS = 4_000;
const END_OF_DEMO = '2024-03-01T00:00:10Z';

/**
 * Times at the end and the start of a day, a month and a year, and on 29 February. The demo data contain these times.
 */
const MOMENTS = [
  '2023-12-31T23:59:59Z',
  '2024-01-01T00:00:00Z',
  '2024-02-28T23:59:59Z',
  '2024-02-29T00:00:00Z',
  '2024-02-29T23:59:59Z',
  '2024-03-01T00:00:00Z',
];
/** The demo data have no gaps, so this endpoint has no rows. The archive files of every era have some. */
const EMPTY_FOR_DEMO = ['data-gaps'];
/** Endpoints that only return complete months, so they have no rows before 2024. */
const MONTHLY = ['collection-stars-history', 'collections-growth-history'];

/** Compares answers at more times, and for more values of the parameters of pages, than `test/parity/parity.test.ts`. */
describe(`the embedded database and ${SERVER} give equal answers`, () => {
  const server = useMysql();
  let data: TwoDatabases;

  useOtherTimeZone();
  const bothEmpty = async () => [await testWarehouse(), await serverWarehouse(server.url)] as const;

  describe('for a demo with the end of a year and of February', () => {
    before(async () => {
      const fill = ({ store, folder }: TestWarehouse) =>
        fillWithDemo(store, { ...foldersIn(folder), now: new Date(END_OF_DEMO), events: DEMO_EVENTS });
      data = await openTwoDatabases(await bothEmpty(), fill, ['page', 'page_size', 'cursor']);
      await data.setClock(END_OF_DEMO);
    });
    after(() => data.close());

    it('to every operation for the busiest repositories and collections', async () => {
      const comparisons = await data.compare(data.names, await selectBusiest(data, 3));
      expect(comparisons.flatMap(({ differences }) => differences)).to.deep.equal([]);
      expect(listEmpty(comparisons)).to.deep.equal(EMPTY_FOR_DEMO);
    });

    for (const now of MOMENTS) {
      it(`to operations that depend on the clock, at ${now}`, async () => {
        await data.setClock(now);
        const comparisons = await data.compare(CLOCK_OPERATIONS, [{ collection_id: 1 }]);
        expect(comparisons.flatMap(({ differences }) => differences)).to.deep.equal([]);
        expect(listEmpty(comparisons)).to.deep.equal(now < '2024' ? MONTHLY : []);
      });
    }
  });

  describe('for hours of every era and unusual names and ids', () => {
    before(async () => {
      data = await openTwoDatabases(await bothEmpty(), (warehouse) => importHours(warehouse, '2026-01'));
      await data.setClock('2026-01-25T12:00:00Z');
    });
    after(() => data.close());

    it('to every operation, with all parameters of pages', async () => {
      const [base] = await selectBusiest(data);
      const comparisons = await data.compare(data.names, [{ ...base, collection_id: ALL_REPOSITORIES }]);
      expect(comparisons.flatMap(({ differences }) => differences)).to.deep.equal([]);
      // These events do not contain the time of creation of the busiest repositories.
      expect(listEmpty(comparisons)).to.deep.equal(['compare-stargazers-by-age']);
    });
  });
});

function foldersIn(folder: string) {
  return { stagingDirectory: join(folder, 'staging'), downloadDirectory: join(folder, 'downloads') };
}
