import type { MergedTable } from '../../schema/derived-table.js';

/**
 * The first and the last time at which events with a real id used a name. Fork events also count for the name and the id of the fork.
 * github_events does not store these, so this table cannot be computed from github_events.
 */
export const repoNameUses: MergedTable = {
  name: 'repo_name_uses',
  keys: ['name', 'repo_id'],
  measures: { first_used_at: 'min', last_used_at: 'max' },
  select: (events) => `
    SELECT LOWER(repo_name) AS name, repo_id, MIN(created_at) AS first_used_at, MAX(created_at) AS last_used_at
    FROM ${events}
    WHERE repo_id > 0 AND provisional_repo_id = 0 AND repo_name <> ''
    GROUP BY LOWER(repo_name), repo_id`,
};

/**
 * The first and the last time at which events used a login with a real id: as actor, creator, author, organization or owner. github_events
 * stores only some of these, so this table cannot be computed from github_events.
 */
export const userNameUses: MergedTable = {
  name: 'user_name_uses',
  keys: ['name', 'user_id'],
  measures: { first_used_at: 'min', last_used_at: 'max' },
  select: (events) => `
    SELECT LOWER(login) AS name, user_id, MIN(created_at) AS first_used_at, MAX(created_at) AS last_used_at
    FROM (
      SELECT actor_login AS login, actor_id AS user_id, created_at FROM ${events} WHERE provisional_actor_id = 0
      UNION ALL
      SELECT creator_user_login, creator_user_id, created_at FROM ${events}
      UNION ALL
      SELECT org_login, org_id, created_at FROM ${events}
    ) logins
    WHERE user_id > 0 AND login <> ''
    GROUP BY LOWER(login), user_id`,
};
