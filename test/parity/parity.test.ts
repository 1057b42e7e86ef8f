import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { fillWithDemo } from '../../demo/fill-with-demo.js';
import type { Comparison } from '../../engine/authoring/index.js';
import { storeCollections } from '../../warehouse/collections.js';
import { useMysql } from '../services/mysql.js';
import { SERVER } from '../services/server.js';
import { FIXTURES, type TestWarehouse } from '../warehouse/test-warehouse.js';
import { foreignEvents } from './foreign-events.js';
import { type Base, openTwoDatabases, type TwoDatabases, writeEventFile } from './two-databases.js';

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
const CLOCK_OPERATIONS = [
  'collection-repo-ranking-by-issues',
  'collection-repo-ranking-by-prs',
  'collection-repo-ranking-by-stars',
  'collection-stars-history',
  'collections-by-growth',
  'collections-growth-history',
  'list-hot-collections',
  'list-trending-repos',
];
/** The demo data have no gaps, so this endpoint has no rows. The archive files of every era have some. */
const EMPTY_FOR_DEMO = ['data-gaps'];
/** Endpoints that only return complete months, so they have no rows before 2024. */
const MONTHLY = ['collection-stars-history', 'collections-growth-history'];

/** Compares the answers of the embedded database and of MariaDB byte by byte: all operations, variants and parameter limits. */
describe(`the embedded database and ${SERVER} give equal answers`, () => {
  const server = useMysql();
  const zone = process.env.TZ;
  let data: TwoDatabases;

  before(() => {
    // Answers must not depend on a time zone, so this process and the private server use other time zones than UTC.
    process.env.TZ = 'America/St_Johns';
  });
  after(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  describe('for a demo', () => {
    before(async () => {
      const fill = ({ store, folder }: TestWarehouse) =>
        fillWithDemo(store, { ...foldersIn(folder), now: new Date(END_OF_DEMO), events: DEMO_EVENTS });
      data = await openTwoDatabases(server.url, fill, ['page', 'page_size', 'cursor']);
      await data.setClock(END_OF_DEMO);
    });
    after(() => data.close());

    it('to every operation for the busiest repositories and collections', async () => {
      const bases = await selectBusiest(data);
      const comparisons = await data.compare(data.names, bases);
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
      data = await openTwoDatabases(server.url, importHours);
      await data.setClock('2026-01-25T12:00:00Z');
    });
    after(() => data.close());

    it('to every operation', async () => {
      const comparisons = await data.compare(data.names, await selectBusiest(data));
      expect(comparisons.flatMap(({ differences }) => differences)).to.deep.equal([]);
      expect(listEmpty(comparisons)).to.deep.equal([]);
    });
  });
});

function foldersIn(folder: string) {
  return { stagingDirectory: join(folder, 'staging'), downloadDirectory: join(folder, 'downloads') };
}

async function importHours(warehouse: TestWarehouse): Promise<void> {
  const hours = (await readdir(FIXTURES)).sort().map((name) => join(FIXTURES, name));
  const { files } = await warehouse.import([
    ...hours,
    await writeEventFile(warehouse, 'foreign.json', foreignEvents()),
  ]);
  expect(files.filter(({ state }) => state !== 'imported')).to.deep.equal([]);
  const names = await warehouse.rows('SELECT repo_name, repo_id FROM github_repos');
  const items = names.map(([name, id]) => ({ repo_name: String(name), repo_id: Number(id) }));
  await storeCollections(warehouse.store, [{ id: 1, name: 'All 📚', public: true, items }]);
}

/**
 * Returns parameter values: the repositories with the most stars, issues and pull requests, the accounts with the most repositories, and
 * the first collections.
 */
async function selectBusiest(data: TwoDatabases, count = 1): Promise<Base[]> {
  const names = await data.values(`
    SELECT r.repo_name
    FROM github_repos r JOIN mv_repo_totals t ON t.repo_id = r.repo_id
    ORDER BY t.stars + t.issues + t.pull_requests DESC, r.repo_id
    LIMIT ${count}`);
  const logins = await data.values(`
    SELECT login FROM mv_repo_people WHERE login <> '' GROUP BY login ORDER BY COUNT(*) DESC, login LIMIT ${count}`);
  return names.map((name, index) => {
    const [owner = '', repo = ''] = name.split('/');
    const [login = ''] = [logins[index], ...logins];
    return { owner, repo, login, repos: [name, names[0] ?? name], collection_id: index + 1 };
  });
}

/** Returns the comparisons without rows, because they do not test the operation. */
function listEmpty(comparisons: readonly Comparison[]): string[] {
  return comparisons.filter(({ rows }) => rows === 0).map(({ name }) => name);
}
