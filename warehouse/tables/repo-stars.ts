import type { MergedTable } from '../schema/derived-table.js';

/** The days on which each actor has starred a repository. Events without an actor are omitted. */
export const repoStars: MergedTable = {
  name: 'mv_repo_stars',
  keys: ['repo_id', 'user_id', 'day'],
  measures: {},
  select: (events) => `
    SELECT DISTINCT repo_id, actor_id AS user_id, event_day AS day
    FROM ${events}
    WHERE type = 'WatchEvent' AND action = 'started' AND repo_id <> 0 AND actor_id <> 0`,
};
