import type { MergedTable } from '../schema/derived-table.js';
import { inEventsSql, NUMBER_OR_ID } from '../schema/derived-table.js';

/**
 * The issue numbers in all events. `user_id` is the account that opened the issue. `user_id` is 0 in the row for all other actions, and if
 * the opening has no actor. `in_events` is 0 if the opening is only in GitHub's list.
 */
export const repoIssues: MergedTable = {
  name: 'mv_repo_issues',
  keys: ['repo_id', 'number', 'user_id'],
  measures: { opened_at: 'min', in_events: 'max' },
  select: (events) => `
    SELECT
      repo_id,
      ${NUMBER_OR_ID} AS number,
      CASE WHEN action = 'opened' THEN COALESCE(actor_id, 0) ELSE 0 END AS user_id,
      MIN(CASE WHEN action = 'opened' THEN created_at END) AS opened_at,
      ${inEventsSql("action = 'opened'")} AS in_events
    FROM ${events}
    WHERE type = 'IssuesEvent' AND repo_id <> 0
    GROUP BY repo_id, ${NUMBER_OR_ID}, CASE WHEN action = 'opened' THEN COALESCE(actor_id, 0) ELSE 0 END`,
};
