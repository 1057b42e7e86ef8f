import type { MergedTable } from '../schema/derived-table.js';

/**
 * The accounts that have starred a repository or opened an issue or pull request in it, with columns of their profiles. Thanks to these
 * columns, a query for one repository need not scan all of github_users. The columns are NULL if github_users does not contain the account.
 */
export const repoPeople: MergedTable = {
  name: 'mv_repo_people',
  keys: ['repo_id', 'user_id'],
  measures: {
    login: 'stored',
    name: 'stored',
    is_bot: 'stored',
    organization_formatted: 'stored',
    country_code: 'stored',
  },
  select: (events) => `
    SELECT p.repo_id, p.user_id, u.login, u.name, u.is_bot, u.organization_formatted, u.country_code
    FROM (
      SELECT DISTINCT repo_id, actor_id AS user_id
      FROM ${events}
      WHERE repo_id <> 0 AND actor_id <> 0 AND (
        (type = 'WatchEvent' AND action = 'started')
        OR (type IN ('IssuesEvent', 'PullRequestEvent') AND action = 'opened')
      )
    ) p
    LEFT JOIN github_users u ON u.id = p.user_id`,
};
