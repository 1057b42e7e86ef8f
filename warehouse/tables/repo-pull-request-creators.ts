import { opensSql, type RecomputedTable } from '../schema/derived-table.js';
import { repoPullRequests } from './repo-pull-requests.js';

/**
 * The accounts that have opened pull requests in a repository, with their number and the times of the first one and of the first
 * merge. A merged pull request belongs to the account that opened it. If the data do not have its opening, it belongs to the creator
 * in the merge event.
 */
export const repoPullRequestCreators: RecomputedTable = {
  name: 'mv_repo_pull_request_creators',
  columns: ['repo_id', 'user_id', 'prs', 'first_pr_opened_at', 'first_pr_merged_at'],
  key: 'repo_id',
  from: [repoPullRequests],
  select: (among) => `
    SELECT opened.repo_id, opened.user_id, opened.prs, opened.first_pr_opened_at, merged.first_pr_merged_at
    FROM (
      SELECT repo_id, user_id, COUNT(*) AS prs, MIN(opened_at) AS first_pr_opened_at
      FROM mv_repo_pull_requests
      WHERE ${opensSql('mv_repo_pull_requests', among)}
      GROUP BY repo_id, user_id
    ) opened
    LEFT JOIN (
      SELECT m.repo_id, COALESCE(o.user_id, m.creator_id) AS user_id, MIN(m.merged_at) AS first_pr_merged_at
      FROM (
        SELECT repo_id, number, MIN(merged_at) AS merged_at, MAX(creator_id) AS creator_id
        FROM mv_repo_pull_requests
        WHERE merged_at IS NOT NULL AND ${among}
        GROUP BY repo_id, number
      ) m
      LEFT JOIN (
        SELECT repo_id, number, user_id
        FROM mv_repo_pull_requests
        WHERE ${opensSql('mv_repo_pull_requests', among)}
      ) o ON o.repo_id = m.repo_id AND o.number = m.number
      GROUP BY m.repo_id, COALESCE(o.user_id, m.creator_id)
    ) merged ON merged.repo_id = opened.repo_id AND merged.user_id = opened.user_id`,
};
