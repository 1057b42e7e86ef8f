import type { MergedTable } from '../schema/derived-table.js';
import { inEventsSql, NUMBER_OR_ID } from '../schema/derived-table.js';

const IS_OPENING = "type = 'PullRequestEvent' AND action = 'opened'";
const REVIEWS = "('PullRequestReviewEvent', 'PullRequestReviewCommentEvent')";

/**
 * The pull request numbers in all events, like mv_repo_issues. `merged_at` is the time of the merge. `creator_id` is the creator in an
 * event of the merged pull request, or NULL if no event contains it. The merge may also come from a review event; then `has_event` is 0.
 */
export const repoPullRequests: MergedTable = {
  name: 'mv_repo_pull_requests',
  keys: ['repo_id', 'number', 'user_id'],
  measures: { opened_at: 'min', merged_at: 'min', creator_id: 'max', has_event: 'max', in_events: 'max' },
  select: (events) => `
    SELECT
      repo_id,
      ${NUMBER_OR_ID} AS number,
      CASE WHEN ${IS_OPENING} THEN COALESCE(actor_id, 0) ELSE 0 END AS user_id,
      MIN(CASE WHEN ${IS_OPENING} THEN created_at END) AS opened_at,
      MIN(CASE WHEN pr_merged = 1 THEN pr_merged_at END) AS merged_at,
      MAX(CASE WHEN pr_merged = 1 AND creator_user_id <> 0 THEN creator_user_id END) AS creator_id,
      MAX(CASE WHEN type = 'PullRequestEvent' THEN 1 ELSE 0 END) AS has_event,
      ${inEventsSql(IS_OPENING)} AS in_events
    FROM ${events}
    WHERE repo_id <> 0 AND (type = 'PullRequestEvent' OR (type IN ${REVIEWS} AND pr_merged = 1))
    GROUP BY repo_id, ${NUMBER_OR_ID}, CASE WHEN ${IS_OPENING} THEN COALESCE(actor_id, 0) ELSE 0 END`,
};
