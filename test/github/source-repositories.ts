import { IMPORTED_TABLES, type TestWarehouse } from '../warehouse/test-warehouse.js';
import type { EventRepository, TrueEvent } from './event-truth.js';
import type { IssueRepository } from './issue-truth.js';
import type { TrueRepository } from './star-truth.js';
import { trackRepositories } from './tracking-options.js';

const HOUR_MS = 3_600_000;
export const NOW = Date.UTC(2026, 10, 20, 12);

/** More issues and events than a page has. */
const ITEMS = 120;

/** Repositories for which each source has several pages. */
export const SOURCE_REPOSITORIES: readonly (TrueRepository & IssueRepository & EventRepository)[] = [7, 8].map((id) => {
  const times = Array.from({ length: ITEMS }, (_, index) => NOW - (ITEMS - index) * 4 * HOUR_MS);
  return {
    id,
    name: `owner/repo-${id}`,
    createdAt: NOW - 500 * 24 * HOUR_MS,
    stars: times.map((at) => ({ at })),
    issues: times.map((openedAt, index) => ({
      number: index + 1,
      isPullRequest: index % 3 === 0,
      user: 1 + ((index * id) % 40),
      openedAt,
    })),
    events: times.map(
      (at, index): TrueEvent => ({
        id: id * 1_000 + index,
        at,
        type: index % 3 === 0 ? 'PullRequestEvent' : 'IssuesEvent',
        actor: 1 + ((index * id) % 40),
        number: index + 1,
      }),
    ),
  };
});

export function trackAll({ store }: TestWarehouse): Promise<void> {
  return trackRepositories(store, SOURCE_REPOSITORIES);
}

/** Returns the rows of all tables that the sources fill. */
export async function sourceTables({ rows }: TestWarehouse): Promise<Record<string, unknown>> {
  const tables: Record<string, unknown> = {};
  for (const table of TABLES) tables[table] = await rows(`SELECT * FROM ${table}`);
  return tables;
}

const TABLES = [
  ...IMPORTED_TABLES,
  'github_star_days',
  'github_star_histories',
  'github_issues',
  'github_issue_lists',
  'repo_feed_events',
  'repo_feed_ranges',
  'sys_repo_feed_pages',
  'sys_repo_sources',
];
