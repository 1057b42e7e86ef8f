import type { DuckDBConnection } from '@duckdb/node-api';
import { repoNameUses } from '../staging/name-uses.js';
import { ACCOUNTS, REPOSITORIES, tablesOf } from '../staging/named-kind.js';
import { STAGED_EVENTS } from '../staging/staging-table.js';
import { gatherRepositories } from './gather-repositories.js';
import { gatherUsers, SEEN_USERS } from './gather-users.js';

/** Gathers the facts in the staged events that github_events does not store, by the ids in the events. */
export async function gatherFacts(staging: DuckDBConnection): Promise<void> {
  await gatherRepositories(staging);
  await gatherUsers(staging);
  await gatherNameUses(staging);
}

/** Gathers the uses of names in the staged events. */
async function gatherNameUses(staging: DuckDBConnection): Promise<void> {
  await staging.run(`
    CREATE OR REPLACE TEMP TABLE ${tablesOf(REPOSITORIES).uses} AS
    SELECT name, repo_id, MIN(first_used_at) AS first_used_at, MAX(last_used_at) AS last_used_at
    FROM (
      ${repoNameUses.select(STAGED_EVENTS)}
      UNION ALL
      SELECT lower(fork.name), fork.id, created_at, created_at FROM ${STAGED_EVENTS} WHERE fork.id > 0 AND fork.name <> ''
    )
    GROUP BY name, repo_id`);
  await staging.run(`
    CREATE OR REPLACE TEMP TABLE ${tablesOf(ACCOUNTS).uses} AS
    SELECT lower(login) AS name, id AS user_id, MIN(first_seen_at) AS first_used_at, MAX(last_seen_at) AS last_used_at
    FROM ${SEEN_USERS}
    WHERE id > 0 AND login <> ''
    GROUP BY ALL`);
}
