import { expect } from 'chai';
import fc from 'fast-check';
import { sqlTime } from '../../engine/index.js';
import { followTracked } from '../../github/tracking/follow-tracked.js';
import { isoTime } from '../../warehouse/rules/times.js';
import { onEveryDatabase, type TestWarehouse } from '../warehouse/test-warehouse.js';
import { createClientOf, type GitHubServer, rateLimitHeaders, startGitHubServer } from './github-server.js';
import { answerFromTruth, countStarDays, type TrueRepository } from './star-truth.js';
import { trackingOptions } from './tracking-options.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2026, 5, 1);

const FAULTS = [
  { status: 500, body: {} },
  { status: 404, body: {} },
  { status: 422, body: {} },
  { status: 200, body: '<html>' },
  { status: 403, headers: rateLimitHeaders(0, START / 1000), body: {} },
] as const;

/** A star: its hour relative to the start, and the number of hours after which it is removed, or −1. */
const star = fc.record({ hour: fc.integer({ min: -30_000, max: 3_000 }), until: fc.integer({ min: -1, max: 20_000 }) });
const step = fc.record({
  hours: fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: 900 })),
  budget: fc.integer({ min: 1, max: 8 }),
  /** The index of the request that fails in this step, and the kind of failure. */
  failing: fc.integer({ min: 1, max: 12 }),
  fault: fc.nat({ max: FAULTS.length - 1 }),
});
const world = fc.record({
  repositories: fc.array(fc.array(star, { maxLength: 40, size: 'max' }), { minLength: 1, maxLength: 3 }),
  steps: fc.array(step, { minLength: 1, maxLength: 8, size: 'max' }),
});

/** Selects the complete histories whose stored total is not the sum of their days. */
const WRONG_SUMS = `
  SELECT h.repo_id, h.stars, COALESCE(SUM(d.stars), 0) AS stars_of_days
  FROM github_star_histories h
  LEFT JOIN github_star_days d ON d.repo_id = h.repo_id AND d.day <= h.counted_on
  GROUP BY h.repo_id, h.stars
  HAVING h.stars <> COALESCE(SUM(d.stars), 0)`;

/**
 * Tests with random repositories whose stars are added and removed, while a random simulated GitHub rejects requests at its rate limit or
 * fails. Expected: the newest days are always those of the last success, the number of stars is the sum of the days, no run exceeds its
 * budget, and the final state equals the truth.
 */
export function describeTrackingWorlds(worlds: number, seed: number, defineSuite = onEveryDatabase): void {
  defineSuite(`the star histories of ${worlds} random worlds`, (make) => {
    let warehouse: TestWarehouse;
    let github: GitHubServer;
    before(async () => {
      warehouse = await make();
      github = await startGitHubServer();
    });
    after(async () => {
      await github.close();
      await warehouse.close();
    });

    it('equal the truth', async () => {
      let nextId = 1;
      const property = fc.asyncProperty(world, async ({ repositories, steps }) => {
        let now = START;
        const truths = repositories.map((stars): TrueRepository => {
          const id = nextId++;
          const given = stars.map(({ hour, until }) => {
            const at = START + hour * HOUR_MS;
            return until < 0 ? { at } : { at, until: at + until * HOUR_MS };
          });
          return { id, name: `owner/repo-${id}`, createdAt: START - 1_300 * DAY_MS, stars: given };
        });
        await warehouse.store.write(async (tables) => {
          await tables.run('DELETE FROM sys_tracked_repos');
          await tables.insertRows(
            'sys_tracked_repos',
            truths.map(({ id, name }) => [id, name, sqlTime(new Date(now))]),
          );
        });
        const follow = async (budget: number) => {
          const client = createClientOf(github.url, () => now);
          github.calls.length = 0;
          return followTracked(warehouse.store, client, {
            ...trackingOptions(warehouse, () => now),
            only: 'stars',
            budget,
          });
        };
        const daysOf = (id: number) =>
          warehouse.rows(`SELECT day, stars FROM github_star_days WHERE repo_id = ${id} ORDER BY day`);
        const daysAt = (truth: TrueRepository, time: number) =>
          countStarDays(truth, time).map(([day, stars]) => [day, String(stars)]);
        for (const { hours, budget, failing, fault } of steps) {
          now += hours * HOUR_MS;
          github.answer = (call) =>
            github.calls.length === failing
              ? (FAULTS[fault] ?? {})
              : answerFromTruth(truths, call, { url: github.url, now });
          await follow(budget);
          expect(github.calls.length).to.be.at.most(budget);
          expect(await warehouse.rows(WRONG_SUMS)).to.deep.equal([]);
          for (const truth of truths) {
            const checked = await warehouse.rows(`SELECT checked_at FROM sys_repo_sources WHERE repo_id = ${truth.id}`);
            const at = checked[0]?.[0];
            if (at === undefined || at === null) continue;
            const time = Date.parse(isoTime(at));
            const first = new Date(time - 203 * DAY_MS).toISOString().slice(0, 10);
            const newest = (days: readonly (readonly unknown[])[]) => days.filter(([day]) => String(day) >= first);
            expect(newest(await daysOf(truth.id))).to.deep.equal(newest(daysAt(truth, time)));
          }
        }
        now += 32 * DAY_MS;
        github.answer = (call) => answerFromTruth(truths, call, { url: github.url, now });
        const end = await follow(1_000);
        // The second run reads the rest of an interrupted history, and then its newest days.
        now += 32 * DAY_MS;
        const second = await follow(1_000);
        expect([end.stopped, second.stopped, second.updated]).to.deep.equal([undefined, undefined, truths.length]);
        for (const truth of truths) expect(await daysOf(truth.id)).to.deep.equal(daysAt(truth, now));
      });
      await fc.assert(property, { numRuns: worlds, seed });
    });
  });
}
