import type { Merge, MergedTable } from '../schema/derived-table.js';
import { repoIssues, repoPeople, repoPullRequests } from './tables.js';

/** The merged tables that also contain the issues and pull requests of github_issues. */
export const LISTED_TABLES: readonly MergedTable[] = [repoIssues, repoPullRequests, repoPeople];

/**
 * A FROM clause that represents the rows of github_issues that match a condition as opening events by their creators, with their merges. An
 * issue that is in a list and in an event has the same number and creator in both, so it is counted once.
 */
export function listedEventsSql(table: string, among: string): string {
  return `(
    SELECT
      repo_id,
      CASE WHEN is_pull_request = 1 THEN 'PullRequestEvent' ELSE 'IssuesEvent' END AS type,
      'opened' AS action,
      number,
      0 AS pr_or_issue_id,
      user_id AS actor_id,
      opened_at AS created_at,
      CASE WHEN merged_at IS NULL THEN 0 ELSE 1 END AS pr_merged,
      merged_at AS pr_merged_at,
      user_id AS creator_user_id
    FROM ${table}
    WHERE ${among}
  ) listed`;
}

/** The SELECT of a table of `LISTED_TABLES` from events and from the complete lists. `among` is a condition for both. */
export function selectWithLists(table: MergedTable, events: string, among: string): string {
  const isComplete = 'repo_id IN (SELECT repo_id FROM github_issue_lists)';
  const measures = Object.entries(table.measures).map(([name, merge]) => `${combine(merge)}(${name}) AS ${name}`);
  return `
    SELECT ${[...table.keys, ...measures].join(', ')}
    FROM (
      ${table.select(events)}
      UNION ALL
      ${table.select(listedEventsSql('github_issues', `${isComplete} AND ${among}`))}
    ) sources
    GROUP BY ${table.keys.join(', ')}`;
}

/** The function that combines the values from events and from lists. `stored` values are equal in both. */
function combine(merge: Merge): 'MIN' | 'MAX' {
  return merge === 'min' ? 'MIN' : 'MAX';
}
