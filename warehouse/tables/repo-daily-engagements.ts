import type { MergedTable } from '../schema/derived-table.js';

/** The number of events of any type, by day, repository and login. */
export const repoDailyEngagements: MergedTable = {
  name: 'mv_repo_daily_engagements',
  keys: ['day', 'repo_id', 'user_login'],
  measures: { engagements: 'sum' },
  select: (events) => `
    SELECT event_day AS day, repo_id, actor_login AS user_login, COUNT(*) AS engagements
    FROM ${events}
    WHERE repo_id <> 0 AND actor_login <> ''
    GROUP BY event_day, repo_id, actor_login`,
};
