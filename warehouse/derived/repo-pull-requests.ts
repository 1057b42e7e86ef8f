import type { MergedTable } from './derived-table.js';
import { NUMBER_OR_ID } from './number-or-id.js';

/** A merge is told as `closed` with `merged: true`, or since 2025-10 as `merged`. */
const IS_MERGE = "action IN ('closed', 'merged') AND pr_merged = 1";

/**
 * As mv_repo_issues. `merged_at` is the time of the merge and `creator_id` the creator whom the merge names: 0 when the
 * feed does not tell, NULL when no merge was seen.
 */
export const repoPullRequests: MergedTable = {
  name: 'mv_repo_pull_requests',
  keys: ['repo_id', 'number', 'user_id'],
  measures: { opened_at: 'min', merged_at: 'min', creator_id: 'max' },
  select: (events) => `
    SELECT
      repo_id,
      ${NUMBER_OR_ID} AS number,
      CASE WHEN action = 'opened' THEN actor_id ELSE 0 END AS user_id,
      MIN(CASE WHEN action = 'opened' THEN created_at END) AS opened_at,
      MIN(CASE WHEN ${IS_MERGE} THEN pr_merged_at END) AS merged_at,
      MAX(CASE WHEN ${IS_MERGE} THEN creator_user_id END) AS creator_id
    FROM ${events}
    WHERE type = 'PullRequestEvent' AND repo_id <> 0
    GROUP BY repo_id, ${NUMBER_OR_ID}, CASE WHEN action = 'opened' THEN actor_id ELSE 0 END`,
};
