import type { Tables } from '../../store/store.js';
import { type NamedKind, tablesOf } from '../names/named-kind.js';

/** Sets the new id of stored events whose repository or account has changed. */
export async function moveEvents(tables: Tables, kind: NamedKind): Promise<void> {
  const { storedTargets, moved } = tablesOf(kind);
  const runs = `${kind.prefix}_runs`;
  await tables.staging.run(`
    CREATE OR REPLACE TEMP TABLE ${runs} AS
    SELECT id, target_id, MIN(created_at) AS first_at, MAX(created_at) AS last_at
    FROM (
      SELECT *,
        ROW_NUMBER() OVER (PARTITION BY id ORDER BY created_at)
        - ROW_NUMBER() OVER (PARTITION BY id, target_id ORDER BY created_at) AS run
      FROM ${storedTargets}
      WHERE id IN (SELECT ${kind.provisionalId} FROM ${moved})
    )
    GROUP BY id, target_id, run`);
  await tables.assignIds({ column: kind.id, key: kind.provisionalId, runs });
  await tables.staging.run(`DROP TABLE ${runs}`);
}
