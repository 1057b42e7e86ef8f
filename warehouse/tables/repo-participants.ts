import type { MergedTable } from '../schema/derived-table.js';

/** The times of the first and the last event of any type, by repository and login. */
export const repoParticipants: MergedTable = {
  name: 'mv_repo_participants',
  keys: ['repo_id', 'user_login'],
  measures: { first_engagement_at: 'min', last_engagement_at: 'max' },
  select: (events) => `
    SELECT
      repo_id,
      actor_login AS user_login,
      MIN(created_at) AS first_engagement_at,
      MAX(created_at) AS last_engagement_at
    FROM ${events}
    WHERE repo_id <> 0 AND actor_login <> ''
    GROUP BY repo_id, actor_login`,
};
