import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { sqlTime } from '../../engine/index.js';
import { followTracked } from '../../github/tracking/follow-tracked.js';
import { refreshFull } from '../../warehouse/derived/refresh.js';
import { formatArchiveHour } from '../../warehouse/import/files/archive-hours.js';
import { onEveryDatabase, type TestWarehouse } from '../warehouse/test-warehouse.js';
import { answerEvents, archivedLine, type EventRepository, type TrueEvent } from './event-truth.js';
import { createClientOf, type GitHubServer, rateLimitHeaders, startGitHubServer } from './github-server.js';
import { trackingOptions } from './tracking-options.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2026, 5, 1);
const TYPES = ['WatchEvent', 'PushEvent', 'ForkEvent', 'IssuesEvent', 'PullRequestEvent'] as const;

const FAULTS = [
  { status: 500, body: {} },
  { status: 404, body: {} },
  { status: 422, body: {} },
  { status: 200, body: '<html>' },
  { status: 200, body: [{ id: '1' }] },
  { status: 403, headers: rateLimitHeaders(0, START / 1000), body: {} },
] as const;

/**
 * An event: its time relative to the start, and whether the archive contains it. All events are in the first hour of periods of 16 hours,
 * so that there are few archive files.
 */
const event = fc.record({
  period: fc.oneof(fc.integer({ min: -60, max: 40 }), fc.constantFrom(5, 6)),
  second: fc.nat({ max: 3_599 }),
  type: fc.nat({ max: TYPES.length - 1 }),
  actor: fc.integer({ min: 1, max: 9 }),
  number: fc.integer({ min: 1, max: 30 }),
  isInArchive: fc.boolean(),
});
const step = fc.record({
  hours: fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: 300 })),
  budget: fc.integer({ min: 1, max: 8 }),
  failing: fc.integer({ min: 1, max: 10 }),
  fault: fc.nat({ max: FAULTS.length - 1 }),
  /** Which third of the archive hours is imported; 3 for none. */
  imports: fc.nat({ max: 3 }),
  again: fc.boolean(),
});
const world = fc.record({
  repositories: fc.array(fc.array(event, { maxLength: 400, size: 'max' }), { minLength: 1, maxLength: 2 }),
  steps: fc.array(step, { minLength: 1, maxLength: 6, size: 'max' }),
});

type SketchedEvent = typeof event extends fc.Arbitrary<infer One> ? One : never;

interface Truth extends EventRepository {
  readonly events: readonly (TrueEvent & { readonly isInArchive: boolean })[];
}

/**
 * Tests with random repositories, some of whose events are missing in a random archive, while a random simulated GitHub rejects requests at
 * its rate limit or fails. Expected: an event in the archive and in a feed counts once, a range contains all events, the coverage is that
 * of the archive, incremental updates equal a complete refresh, and no run exceeds its budget.
 */
export function describeEventWorlds(worlds: number, seed: number, defineSuite = onEveryDatabase): void {
  defineSuite(`the events in feeds of ${worlds} random worlds`, (make) => {
    let warehouse: TestWarehouse;
    let github: GitHubServer;
    beforeEach(async () => {
      github = await startGitHubServer();
    });
    afterEach(() => github.close());

    it('equal the truth', async () => {
      const property = fc.asyncProperty(world, async ({ repositories, steps }) => {
        warehouse = await make();
        const truths = repositories.map((events, index): Truth => createTruth(index + 1, events));
        await warehouse.store.write((tables) =>
          tables.insertRows(
            'sys_tracked_repos',
            truths.map(({ id, name }) => [id, name, sqlTime(new Date(START))]),
          ),
        );
        let now = START;
        const archived = new Set<string>();
        const importHours = async (third: number, again: boolean) => {
          const hours = new Map<number, string[]>();
          for (const truth of truths) {
            for (const one of truth.events) {
              const hour = Math.floor(one.at / HOUR_MS);
              if (!one.isInArchive || (hour + 1) * HOUR_MS > now || hour % 3 !== third) continue;
              hours.set(hour, [...(hours.get(hour) ?? []), archivedLine(truth, one)]);
              archived.add(keyOf(truth, one));
            }
          }
          const files = [...hours].map(async ([hour, lines]) => {
            const file = join(warehouse.folder, `${formatArchiveHour(hour)}.json`);
            await writeFile(file, `${lines.join('\n')}\n`);
            return file;
          });
          if (files.length > 0) await warehouse.import(await Promise.all(files), { again });
        };
        const follow = (budget: number) => {
          github.calls.length = 0;
          return followTracked(
            warehouse.store,
            createClientOf(github.url, () => now),
            { ...trackingOptions(warehouse, () => now), only: 'events', budget },
          );
        };
        for (const { hours, budget, failing, fault, imports, again } of steps) {
          now += hours * HOUR_MS;
          github.answer = (call) =>
            github.calls.length === failing
              ? (FAULTS[fault] ?? {})
              : answerEvents(truths, call, { url: github.url, now });
          if (imports < 3) await importHours(imports, again);
          await follow(budget);
          expect(github.calls.length).to.be.at.most(budget);
          await expectTruth(warehouse, truths, archived, now);
        }
        now += 3 * DAY_MS;
        github.answer = (call) => answerEvents(truths, call, { url: github.url, now });
        const { stopped, updated } = await follow(1_000);
        expect([stopped, updated]).to.deep.equal([undefined, truths.length]);
        for (const third of [0, 1, 2]) await importHours(third, false);
        await expectTruth(warehouse, truths, archived, now);
        const before = await warehouse.everything();
        await refreshFull(warehouse.store);
        expect(await warehouse.everything()).to.deep.equal(before);
        await warehouse.close();
      });
      await fc.assert(property, { numRuns: worlds, seed });
    });
  });
}

async function expectTruth(
  { rows }: TestWarehouse,
  truths: readonly Truth[],
  archived: ReadonlySet<string>,
  now: number,
): Promise<void> {
  const keys = async (table: string) =>
    (await rows(`SELECT repo_id, id, created_at FROM ${table}`)).map((row) => row.join(' '));
  const stored = await keys('github_events');
  const known = new Set(stored);
  expect(stored.length, 'an event twice').to.equal(known.size);
  const all = new Set(truths.flatMap((truth) => truth.events.map((one) => keyOf(truth, one))));
  expect(stored.filter((key) => !all.has(key))).to.deep.equal([]);
  expect([...archived].filter((key) => !known.has(key))).to.deep.equal([]);
  expect(await keys('repo_feed_events')).to.deep.equal(stored.filter((key) => !archived.has(key)));
  for (const [id, firstAt, lastAt] of await rows('SELECT repo_id, first_at, last_at FROM repo_feed_ranges')) {
    const truth = truths.find((one) => String(one.id) === id);
    const isWithin = (one: TrueEvent) => timeOf(one) > String(firstAt) && timeOf(one) <= String(lastAt);
    const within = truth?.events.filter((one) => one.at <= now && isWithin(one)) ?? [];
    expect(within.filter((one) => truth && !known.has(keyOf(truth, one)))).to.deep.equal([]);
  }
  const coverage = new Map<string, number>();
  for (const truth of truths) {
    for (const one of truth.events.filter((each) => archived.has(keyOf(truth, each)))) {
      const day = `${one.type} ${timeOf(one).slice(0, 10)}`;
      coverage.set(day, (coverage.get(day) ?? 0) + 1);
    }
  }
  const days = await rows('SELECT type, day, events FROM mv_event_coverage');
  expect(days.map((row) => row.join(' '))).to.deep.equal([...coverage].map((entry) => entry.join(' ')).sort());
}

function createTruth(id: number, events: readonly SketchedEvent[]): Truth {
  return {
    id,
    name: `owner/repo-${id}`,
    events: events.map(({ period, second, type, actor, number, isInArchive }, index) => ({
      // Ids are repeated, but not at the same time.
      id: 1 + (index % 400),
      at: START + period * 16 * HOUR_MS + second * 1_000,
      type: TYPES[type] ?? 'WatchEvent',
      actor,
      number,
      isInArchive,
    })),
  };
}

function keyOf(truth: EventRepository, one: TrueEvent): string {
  return `${truth.id} ${one.id} ${timeOf(one)}`;
}

function timeOf({ at }: TrueEvent): string {
  return sqlTime(new Date(at));
}
