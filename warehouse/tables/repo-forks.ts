import type { MergedTable } from '../schema/derived-table.js';

/** The actors that have forked a repository. */
export const repoForks: MergedTable = {
  name: 'mv_repo_forks',
  keys: ['repo_id', 'user_id'],
  measures: {},
  select: (events) => `
    SELECT DISTINCT repo_id, actor_id AS user_id
    FROM ${events}
    WHERE type = 'ForkEvent' AND repo_id <> 0 AND actor_id <> 0`,
};
