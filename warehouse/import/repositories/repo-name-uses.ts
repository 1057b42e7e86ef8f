import type { DuckDBConnection } from '@duckdb/node-api';
import type { MergedTable } from '../../schema/derived-table.js';
import { STAGED_EVENTS } from '../staging/staging-table.js';

/**
 * The first and the last time at which events with a real id used a name. It also counts fork events, which contain the name and the id
 * of the fork. github_events does not store these, so this table cannot be computed from it.
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

/** The temporary table of the uses of names in the staged events. */
export const GATHERED_NAME_USES = 'gathered_name_uses';

export async function gatherNameUses(staging: DuckDBConnection): Promise<void> {
  await staging.run(`
    CREATE OR REPLACE TEMP TABLE ${GATHERED_NAME_USES} AS
    SELECT name, repo_id, MIN(first_used_at) AS first_used_at, MAX(last_used_at) AS last_used_at
    FROM (
      ${repoNameUses.select(STAGED_EVENTS)}
      UNION ALL
      SELECT lower(fork.name), fork.id, created_at, created_at FROM ${STAGED_EVENTS} WHERE fork.id > 0 AND fork.name <> ''
    )
    GROUP BY name, repo_id`);
}

/**
 * A SELECT on the staging database that finds the repository of a name at a time. `rows` is a SELECT with a `name` and
 * a time `created_at`. The result has `columns` of these rows and `target_id`: the repository in `uses` whose span of
 * the name includes the time or is nearest to it; of several, the one with the largest id. Rows whose name has no use
 * are omitted.
 */
export function nearestUsesSql(rows: string, columns: string, uses: string): string {
  const distance = `
    CASE
      WHEN created_at < first_used_at THEN epoch_us(first_used_at) - epoch_us(created_at)
      WHEN created_at > last_used_at THEN epoch_us(created_at) - epoch_us(last_used_at)
      ELSE 0
    END`;
  return `
    SELECT ${columns}, arg_min(use_id, (${distance}, -use_id)) AS target_id
    FROM (${rows})
    JOIN (SELECT name, repo_id AS use_id, first_used_at, last_used_at FROM ${uses}) USING (name)
    GROUP BY ${columns}`;
}
