import type { DuckDBConnection } from '@duckdb/node-api';
import type { MergedTable } from '../../tables/derived-table.js';
import { STAGED_EVENTS } from '../staging/staging.js';

/**
 * From when to when events with a real id used a name. Import keeps it: events about a fork, which name it with its id, count, and
 * github_events does not have those.
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

/** The uses of names that the staged events tell. */
export const TOLD_NAME_USES = 'told_name_uses';

export async function gatherNameUses(staging: DuckDBConnection): Promise<void> {
  await staging.run(`
    CREATE OR REPLACE TEMP TABLE ${TOLD_NAME_USES} AS
    SELECT name, repo_id, MIN(first_used_at) AS first_used_at, MAX(last_used_at) AS last_used_at
    FROM (
      ${repoNameUses.select(STAGED_EVENTS)}
      UNION ALL
      SELECT lower(fork.name), fork.id, created_at, created_at FROM ${STAGED_EVENTS} WHERE fork.id > 0 AND fork.name <> ''
    )
    GROUP BY name, repo_id`);
}

/**
 * SELECT on the workbench of `columns` of rows with a `name` and a time `created_at`, and as `target_id` the repository that the name
 * means at that time: of the rows of `uses` the one whose span includes the time or is nearest to it; of several the largest id.
 * Rows without any have none.
 */
export function selectNearestUses(rows: string, columns: string, uses: string): string {
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
