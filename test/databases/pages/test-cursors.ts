import { expect } from 'chai';
import fc from 'fast-check';
import {
  type Answer,
  createEngine,
  type Database,
  type Endpoint,
  type Engine,
  PATIENT_METADATA_TIMEOUT_MS,
} from '../../../engine/index.js';
import { translateDdl } from '../../../engine/sql/duckdb/translate.js';
import { endpointOf } from '../../engine/fixtures.js';
import { type Driver, onEveryDriver } from '../drivers.js';
import { DEFINITIONS, TABLE } from './orders.js';

/** Values with ties and NULL. Some differ only in digits that a DOUBLE, a time in seconds or an imprecise comparison would lose. */
const THING = fc.record({
  big: fc.constantFrom('NULL', '1', '2', '-5', '9007199254740993', '9007199254740992', '9223372036854775807'),
  name: fc.constantFrom('NULL', "''", "'x'", "'x '", "'X'", "'é'", "'it''s'", "'\u{1f600}'"),
  amount: fc.constantFrom('NULL', '0', '0.1', '-0.1', '12345678901234567890.0001', '12345678901234567890.0002'),
  x: fc.constantFrom('NULL', '0.1', '0.30000000000000004', '0.3', '-1e300', '1e-7'),
  at: fc.constantFrom('NULL', "'2024-01-01 00:00:00'", "'2024-01-01 00:00:00.000001'", "'1999-12-31 23:59:59'"),
  day: fc.constantFrom('NULL', "'2024-01-01'", "'2024-02-29'", "'1000-01-01'"),
  flag: fc.constantFrom('NULL', '0', '1', '1', '2'),
});
type Thing = typeof THING extends fc.Arbitrary<infer T> ? T : never;

/** Defines the tests of pages with this number of random data sets. */
export function testCursors(runs: number, seed: number): void {
  onEveryDriver('pages by cursor on', (driver) => {
    let database: Database;
    let endpoints: readonly Endpoint[];

    before(async () => {
      database = await driver.open({ connections: 2 });
      for (const statement of database.name === 'duckdb' ? translateDdl(TABLE) : [TABLE]) await driver.run(statement);
      endpoints = await Promise.all(DEFINITIONS.map(endpointOf));
    });
    after(() => database.close());

    const engineOf = (endpoint: Endpoint) =>
      createEngine({
        endpoints: [endpoint],
        database,
        stopwatch: () => 0,
        metadataTimeoutMs: PATIENT_METADATA_TIMEOUT_MS,
      });

    it('equal the whole list, with ties, NULL and values beyond a DOUBLE, and each page costs one row more than it shows', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(THING, { maxLength: 24 }), fc.integer({ min: 1, max: 5 }), async (things, size) => {
          await fill(driver, things);
          for (const endpoint of endpoints) {
            const engine = engineOf(endpoint);
            const whole = await ask(engine, { page_size: '500' });
            const walked = await walk(engine, size);
            expect(walked.flat(), `${endpoint.definition.sql} by ${size}`).to.deep.equal(whole.rows);
            expect(walked.slice(0, -1).every((page) => page.length === size)).to.equal(true);
          }
        }),
        { numRuns: runs, seed, includeErrorInReport: true },
      );
    });

    it('neither repeat nor skip rows when others are inserted and deleted between two pages', async () => {
      const [endpoint] = endpoints.filter(({ definition }) => definition.sql.includes('ORDER BY name, id DESC'));
      if (endpoint === undefined) throw new Error('no such definition');
      const change = fc.record({
        inserted: fc.array(THING, { maxLength: 3 }),
        deleted: fc.integer({ min: 0, max: 20 }),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(THING, { minLength: 9, maxLength: 20 }),
          fc.array(change),
          async (things, changes) => {
            await fill(driver, things);
            const engine = engineOf(endpoint);
            const before = (await ask(engine, { page_size: '500' })).rows;
            const deleted = new Set<string>();
            let next = 1000;
            const pages = await walk(engine, 2, async () => {
              const { inserted = [], deleted: id = 0 } = changes.shift() ?? {};
              deleted.add(String(id));
              await driver.run(`DELETE FROM things WHERE id = ${id}`);
              if (inserted.length > 0) await driver.run(insert(inserted, next));
              next += inserted.length;
            });
            const seen = pages.flat();
            expect(new Set(seen.map(([id]) => id)).size, 'no row twice').to.equal(seen.length);
            const kept = before.filter(([id]) => !deleted.has(String(id)));
            const isKept = new Set(kept.map(String));
            expect(seen.filter((row) => isKept.has(String(row)))).to.deep.equal(kept);
          },
        ),
        { numRuns: runs * 3, seed, includeErrorInReport: true },
      );
    });
  });
}

async function fill(driver: Driver, things: readonly Thing[]): Promise<void> {
  await driver.run('DELETE FROM things');
  if (things.length > 0) await driver.run(insert(things, 1));
}

function insert(things: readonly Thing[], first: number): string {
  const rows = things.map(({ big, name, amount, x, at, day, flag }, index) =>
    [first + index, big, name, amount, x, at, day, flag].join(', '),
  );
  return `INSERT INTO things VALUES ${rows.map((row) => `(${row})`).join(', ')}`;
}

function ask(engine: Engine, query: Readonly<Record<string, string>>): Promise<Answer> {
  return engine.run(engine.endpoint('things'), { path: {}, query });
}

/** The notice of a page whose last row equals the next one for a collation that ignores case: only its number continues it. */
const BY_NUMBER =
  /^The next page has no cursor, because .* differ in ORDER BY only in case, .* Request it by its number\.$/;

/** Reads all pages by their cursors, and by their number after a page without a cursor. `between` is called between two pages. */
async function walk(engine: Engine, size: number, between: () => Promise<void> = async () => {}) {
  const pages: Answer['rows'][] = [];
  const page_size = String(size);
  for (let next: Readonly<Record<string, string>> | undefined = {}; next !== undefined; ) {
    if (pages.length > 0) await between();
    const answer: Answer = await ask(engine, { page_size, ...next });
    pages.push(answer.rows);
    const notices = answer.notices;
    expect(
      notices.every((notice) => BY_NUMBER.test(notice)),
      notices.join(),
    ).to.equal(true);
    const more: boolean = notices.length > 0 || (next.page !== undefined && answer.rows.length === size);
    if (typeof answer.nextCursor === 'string') next = { cursor: answer.nextCursor };
    else next = more ? { page: String(pages.length + 1) } : undefined;
  }
  return pages;
}
