import { expect } from 'chai';
import { useMysql } from '../services/mysql.js';
import { SERVER } from '../services/server.js';
import { demoWarehouse } from './demo-warehouse.js';
import { ALL_REPOSITORIES, importHours } from './imported-hours.js';
import {
  CLOCK_OPERATIONS,
  listEmpty,
  openTwoDatabases,
  selectBusiest,
  type TwoDatabases,
  useOtherTimeZone,
} from './two-databases.js';

/** Times at the end and the start of a month, and the end of the demo data. `test/soak/parity.test.ts` compares answers at more times. */
const MOMENTS = ['2026-05-31T23:59:59Z', '2026-06-01T00:00:00Z'];
const END_OF_DEMO = '2026-06-30T12:00:00Z';
const FOREIGN = { owner: '🦊', repo: '🧰', login: 'émile', repos: ['🦊/🧰', 'plain/tool'] };

/**
 * Compares the answers of the embedded database and of a server byte by byte: all operations, variants and parameter limits, for a demo, hours
 * of every era, and unusual names and ids. The oracle compares the pages of lists.
 */
/** Operations with the parameter `to`, one for each way in which definitions use it. */
const WITH_LAST_DAY = ['repository-hours', 'repository-activity', 'stargazers-history', 'list-countries-of-stargazers'];

describe(`the embedded database and ${SERVER} give equal answers`, () => {
  const server = useMysql();
  let data: TwoDatabases;

  useOtherTimeZone();
  before(async () => {
    const fill = (warehouse: Parameters<typeof importHours>[0]) => importHours(warehouse, '2026-06');
    const both = [await demoWarehouse(), await demoWarehouse(server.url)] as const;
    data = await openTwoDatabases(both, fill, ['page', 'page_size', 'cursor']);
  });
  after(() => data.close());

  it('to every operation for the busiest repository and for unusual names', async () => {
    await data.setClock(END_OF_DEMO);
    const bases = [...(await selectBusiest(data)), { ...FOREIGN, collection_id: ALL_REPOSITORIES }];
    const comparisons = await data.compare(data.names, bases);
    expect(comparisons.flatMap(({ differences }) => differences)).to.deep.equal([]);
    expect(listEmpty(comparisons)).to.deep.equal([]);
  });

  it('to operations with the last day that a parameter accepts', async () => {
    await data.setClock(END_OF_DEMO);
    const bases = (await selectBusiest(data)).map((base) => ({ ...base, to: '9999-12-31' }));
    const comparisons = await data.compare(WITH_LAST_DAY, bases);
    expect(comparisons.flatMap(({ differences }) => differences)).to.deep.equal([]);
    expect(listEmpty(comparisons)).to.deep.equal([]);
  });

  for (const now of MOMENTS) {
    it(`to operations that depend on the clock, at ${now}`, async () => {
      await data.setClock(now);
      const comparisons = await data.compare(CLOCK_OPERATIONS, [{ collection_id: 1 }]);
      expect(comparisons.flatMap(({ differences }) => differences)).to.deep.equal([]);
      expect(listEmpty(comparisons)).to.deep.equal([]);
    });
  }
});
