import type { DuckDBConnection } from '@duckdb/node-api';
import type { Tables } from '../../store/store.js';
import { MOVED_EVENTS, STORED_TARGETS } from './resolve-repositories.js';

/** Sets the new repository id of stored events whose repository has changed. */
export async function moveEvents(tables: Tables): Promise<void> {
  const runs = await readRuns(tables.staging);
  for (let start = 0; start < runs.length; start += RUNS_PER_STATEMENT) {
    const some = runs.slice(start, start + RUNS_PER_STATEMENT);
    const cases = some.map(
      ({ id, target, first, last }) =>
        `WHEN provisional_repo_id = ${id} AND created_at BETWEEN '${first}' AND '${last}' THEN ${target}`,
    );
    const ids = [...new Set(some.map(({ id }) => id))].join(', ');
    await tables.run(
      `UPDATE github_events SET repo_id = CASE ${cases.join(' ')} ELSE repo_id END WHERE provisional_repo_id IN (${ids})`,
    );
  }
}

const RUNS_PER_STATEMENT = 200;

/** Events of one provisional id that belong to one repository, from a first to a last time. */
interface Run {
  readonly id: string;
  readonly target: string;
  readonly first: string;
  readonly last: string;
}

async function readRuns(staging: DuckDBConnection): Promise<Run[]> {
  const reader = await staging.runAndReadAll(`
    SELECT repo_id::VARCHAR, target_id::VARCHAR, MIN(created_at)::VARCHAR, MAX(created_at)::VARCHAR
    FROM (
      SELECT *,
        ROW_NUMBER() OVER (PARTITION BY repo_id ORDER BY created_at)
        - ROW_NUMBER() OVER (PARTITION BY repo_id, target_id ORDER BY created_at) AS run
      FROM ${STORED_TARGETS}
      WHERE repo_id IN (SELECT provisional_repo_id FROM ${MOVED_EVENTS})
    )
    GROUP BY repo_id, target_id, run
    ORDER BY repo_id, MIN(created_at)`);
  return (reader.getRowsJS() as [string, string, string, string][]).map(([id, target, first, last]) => ({
    id,
    target,
    first,
    last,
  }));
}
