import { opensSql, type RecomputedTable } from '../schema/derived-table.js';
import { repoIssues } from './repo-issues.js';

/** The accounts that have opened issues in a repository, with the number of issues and the time of the first one. */
export const repoIssueCreators: RecomputedTable = {
  name: 'mv_repo_issue_creators',
  columns: ['repo_id', 'user_id', 'issues', 'first_issue_opened_at'],
  key: 'repo_id',
  from: [repoIssues],
  select: (among) => `
    SELECT repo_id, user_id, COUNT(*) AS issues, MIN(opened_at) AS first_issue_opened_at
    FROM mv_repo_issues
    WHERE ${opensSql('mv_repo_issues', among)}
    GROUP BY repo_id, user_id`,
};
