import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { sqlTime } from '../../engine/index.js';
import { followTracked } from '../../github/tracking/follow-tracked.js';
import { listTracked } from '../../github/tracking/tracked-repositories.js';
import { refreshFull } from '../../warehouse/derived/refresh.js';
import { apiLine } from '../warehouse/named-events.js';
import { onEveryDatabase, type TestWarehouse } from '../warehouse/test-warehouse.js';
import { createClientOf, type GitHubServer, rateLimitHeaders, startGitHubServer } from './github-server.js';
import { answerIssues, type IssueRepository, rowsOfIssues, sqlTextOf, type TrueIssue } from './issue-truth.js';
import { trackingOptions } from './tracking-options.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2026, 5, 1);

const FAULTS = [
  { status: 500, body: {} },
  { status: 410, body: {} },
  { status: 422, body: {} },
  { status: 200, body: '<html>' },
  { status: 200, body: [{ number: 1 }] },
  { status: 403, headers: rateLimitHeaders(0, START / 1000), body: {} },
] as const;

/**
 * An issue: the hour of its opening relative to the start, the numbers of hours after which it is merged or changed, and whether the
 * archive contains its opening.
 */
const issue = fc.record({
  hour: fc.oneof(fc.integer({ min: -20_000, max: 1_500 }), fc.constantFrom(-500, -499)),
  isPullRequest: fc.boolean(),
  user: fc.integer({ min: 0, max: 9 }),
  merged: fc.integer({ min: -1, max: 2_000 }),
  changed: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3_000 })),
  isInArchive: fc.boolean(),
});
const step = fc.record({
  hours: fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: 400 })),
  budget: fc.integer({ min: 1, max: 6 }),
  failing: fc.integer({ min: 1, max: 10 }),
  fault: fc.nat({ max: FAULTS.length - 1 }),
  imports: fc.boolean(),
});
const world = fc.record({
  repositories: fc.array(fc.array(issue, { maxLength: 260, size: 'max' }), { minLength: 1, maxLength: 2 }),
  steps: fc.array(step, { minLength: 1, maxLength: 6, size: 'max' }),
});

type SketchedIssue = typeof issue extends fc.Arbitrary<infer One> ? One : never;

interface ArchivedIssue extends TrueIssue {
  readonly isInArchive: boolean;
}

interface Truth extends IssueRepository {
  readonly issues: readonly ArchivedIssue[];
}

/**
 * Tests with random repositories whose issues are opened, merged and changed. A random archive loses some events, and a random simulated
 * GitHub rejects requests at its rate limit or fails. Expected: a list that was read to its end equals the true list at that time, the
 * totals are those of the list and the events, incremental updates equal a complete refresh, no run exceeds its budget, and the final state
 * equals the truth.
 */
export function describeIssueWorlds(worlds: number, seed: number, defineSuite = onEveryDatabase): void {
  defineSuite(`the issue lists of ${worlds} random worlds`, (make) => {
    let warehouse: TestWarehouse;
    let github: GitHubServer;
    beforeEach(async () => {
      warehouse = await make();
      github = await startGitHubServer();
    });
    afterEach(async () => {
      await github.close();
      await warehouse.close();
    });

    it('equal the truth', async () => {
      let nextId = 1;
      const property = fc.asyncProperty(world, async ({ repositories, steps }) => {
        const truths = repositories.map((issues): Truth => createTruth(nextId++, issues));
        await warehouse.store.write(async (tables) => {
          await tables.run('DELETE FROM sys_tracked_repos');
          await tables.insertRows(
            'sys_tracked_repos',
            truths.map(({ id }) => [id, `owner/repo-${id}`, sqlTime(new Date(START))]),
          );
        });
        let [now, imported] = [START, 0];
        const follow = async (budget: number) => {
          github.calls.length = 0;
          return followTracked(
            warehouse.store,
            createClientOf(github.url, () => now),
            {
              ...trackingOptions(warehouse, () => now),
              only: 'issues',
              budget,
            },
          );
        };
        const importSince = async (from: number) => {
          const lines = truths.flatMap(({ id, issues }) =>
            issues
              .filter(({ openedAt, isInArchive }) => isInArchive && openedAt > from && openedAt <= now)
              .map((one) => lineOf(id, one)),
          );
          if (lines.length === 0) return;
          const file = join(warehouse.folder, `events-${nextId}-${imported++}.json`);
          await writeFile(file, `${lines.join('\n')}\n`);
          await warehouse.import([file]);
        };
        let importedUntil = 0;
        const expectTruth = async () => {
          const states = await warehouse.store.write(listTracked);
          for (const truth of truths) {
            const { checkedAt, failures } = states.find(({ id }) => id === truth.id)?.sources.issues ?? {};
            const isListed = checkedAt !== undefined;
            if (checkedAt === sqlTextOf(now) && failures === 0) {
              expect(await storedIssues(warehouse, truth.id)).to.deep.equal(rowsOfIssues(truth, now));
            }
            const stored = isListed ? (await storedIssues(warehouse, truth.id)).map(([number]) => Number(number)) : [];
            const numbers = (isPullRequest: boolean) =>
              truth.issues.filter(
                (one) =>
                  one.isPullRequest === isPullRequest &&
                  (stored.includes(one.number) || (one.isInArchive && one.openedAt <= importedUntil)),
              ).length;
            const [totals = ['0', '0']] = await warehouse.rows(
              `SELECT issues, pull_requests FROM mv_repo_totals WHERE repo_id = ${truth.id}`,
            );
            expect(totals).to.deep.equal([String(numbers(false)), String(numbers(true))]);
          }
        };
        for (const { hours, budget, failing, fault, imports } of steps) {
          now += hours * HOUR_MS;
          github.answer = (call) =>
            github.calls.length === failing
              ? (FAULTS[fault] ?? {})
              : answerIssues(truths, call, { url: github.url, now });
          if (imports) {
            await importSince(importedUntil);
            importedUntil = now;
          }
          await follow(budget);
          expect(github.calls.length).to.be.at.most(budget);
          await expectTruth();
        }
        now += 3 * DAY_MS;
        github.answer = (call) => answerIssues(truths, call, { url: github.url, now });
        const { stopped, updated } = await follow(1_000);
        expect([stopped, updated]).to.deep.equal([undefined, truths.length]);
        await expectTruth();
        const before = await warehouse.everything();
        await refreshFull(warehouse.store);
        expect(await warehouse.everything()).to.deep.equal(before);
      });
      await fc.assert(property, { numRuns: worlds, seed });
    });
  });
}

function createTruth(id: number, issues: readonly SketchedIssue[]): Truth {
  return {
    id,
    issues: issues.map(({ hour, isPullRequest, user, merged, changed, isInArchive }, index) => {
      const openedAt = START + hour * HOUR_MS;
      return {
        number: index + 1,
        isPullRequest,
        user: user === 0 ? 0 : id * 100 + user,
        openedAt,
        ...(isPullRequest && merged >= 0 && { mergedAt: openedAt + merged * HOUR_MS }),
        ...(changed > 0 && { changedAt: [openedAt + changed * HOUR_MS] }),
        isInArchive,
      };
    }),
  };
}

/** The event that opened the issue. The archive also contains the accounts of people who later deleted them. */
function lineOf(id: number, { number, isPullRequest, user, openedAt }: TrueIssue): string {
  return apiLine({
    at: `${sqlTextOf(openedAt).replace(' ', 'T')}Z`,
    name: `owner/repo-${id}`,
    id,
    type: isPullRequest ? 'PullRequestEvent' : 'IssuesEvent',
    actor: `user-${user}`,
    number,
  });
}

async function storedIssues({ rows }: TestWarehouse, id: number): Promise<string[][]> {
  const columns = 'number, is_pull_request, user_id, opened_at, merged_at';
  const stored = await rows(`SELECT ${columns} FROM github_issues WHERE repo_id = ${id}`);
  return stored.map((row) => row.map(String)).sort(([a], [b]) => Number(a) - Number(b));
}
