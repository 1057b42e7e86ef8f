import type { DuckDBConnection } from '@duckdb/node-api';
import type { Tables } from '../../store/store.js';
import { type NamedKind, tablesOf } from '../names/named-kind.js';

/** Sets the new id of stored events whose repository or account has changed. */
export async function moveEvents(tables: Tables, kind: NamedKind): Promise<void> {
  const { id: column, provisionalId } = kind;
  const runs = await readRuns(tables.staging, kind);
  for (let start = 0; start < runs.length; start += RUNS_PER_STATEMENT) {
    const some = runs.slice(start, start + RUNS_PER_STATEMENT);
    const cases = some.map(
      ({ id, target, first, last }) =>
        `WHEN ${provisionalId} = ${id} AND created_at BETWEEN '${first}' AND '${last}' THEN ${target}`,
    );
    const ids = [...new Set(some.map(({ id }) => id))].join(', ');
    await tables.run(
      `UPDATE github_events SET ${column} = CASE ${cases.join(' ')} ELSE ${column} END WHERE ${provisionalId} IN (${ids})`,
    );
  }
}

const RUNS_PER_STATEMENT = 200;

/** Events of one provisional id that belong to one repository or account, from a first to a last time. */
interface Run {
  readonly id: string;
  readonly target: string;
  readonly first: string;
  readonly last: string;
}

async function readRuns(staging: DuckDBConnection, kind: NamedKind): Promise<Run[]> {
  const { storedTargets, moved } = tablesOf(kind);
  const reader = await staging.runAndReadAll(`
    SELECT id::VARCHAR, target_id::VARCHAR, MIN(created_at)::VARCHAR, MAX(created_at)::VARCHAR
    FROM (
      SELECT *,
        ROW_NUMBER() OVER (PARTITION BY id ORDER BY created_at)
        - ROW_NUMBER() OVER (PARTITION BY id, target_id ORDER BY created_at) AS run
      FROM ${storedTargets}
      WHERE id IN (SELECT ${kind.provisionalId} FROM ${moved})
    )
    GROUP BY id, target_id, run
    ORDER BY id, MIN(created_at)`);
  return (reader.getRowsJS() as [string, string, string, string][]).map(([id, target, first, last]) => ({
    id,
    target,
    first,
    last,
  }));
}
