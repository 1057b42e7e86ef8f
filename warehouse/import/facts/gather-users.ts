import type { DuckDBConnection } from '@duckdb/node-api';
import { STAGED_EVENTS } from '../staging/staging-table.js';

/**
 * The temporary table of the accounts in the staged events: actors, creators of issues and pull requests, authors of comments and reviews,
 * organizations and owners. The columns of the table are `id`, `login`, `type`, and the times of the first and the last event.
 */
export const SEEN_USERS = 'seen_users';

/** The temporary table with one row per account id in the events. The result does not depend on the order of the files. */
export const GATHERED_USERS = 'gathered_users';

export async function gatherUsers(staging: DuckDBConnection): Promise<void> {
  await staging.run(SEEN);
  await staging.run(GATHER);
}

/** The account types in ascending order. An account keeps the last type in this order that one of its events has. */
const TYPES = ['N/A', 'User', 'Bot', 'Organization'];
/** The types as a list in SQL. */
export const TYPE_LIST = `[${TYPES.map((type) => `'${type}'`).join(', ')}]`;

const SEEN = `
  CREATE OR REPLACE TEMP TABLE ${SEEN_USERS} AS
  SELECT id, left(login, 40) AS login, COALESCE(type, '') AS type, MIN(created_at) AS first_seen_at, MAX(created_at) AS last_seen_at
  FROM (
    SELECT actor_id AS id, actor_login AS login, profile.type AS type, created_at FROM ${STAGED_EVENTS}
    UNION ALL
    SELECT creator_user_id, creator_user_login, creator_type, created_at FROM ${STAGED_EVENTS}
    UNION ALL
    SELECT commenter.id, commenter.login, commenter.type, created_at FROM ${STAGED_EVENTS} WHERE commenter.id > 0
    UNION ALL
    SELECT org_id, org_login, 'Organization', created_at FROM ${STAGED_EVENTS}
    UNION ALL
    SELECT repository.owner.id, repository.owner.login, repository.owner.type, created_at FROM ${STAGED_EVENTS}
  )
  WHERE id <> 0
  GROUP BY ALL`;

const GATHER = `
  CREATE OR REPLACE TEMP TABLE ${GATHERED_USERS} AS
  WITH profiles AS (
    SELECT
      actor_id AS id,
      MAX(created_at) AS refreshed_at,
      arg_max(details, created_at::VARCHAR || details::VARCHAR) AS details
    FROM (
      SELECT actor_id, created_at, {
        name: profile.name, email: profile.email, organization: profile.organization, address: profile.address
      } AS details
      FROM ${STAGED_EVENTS}
      WHERE profile IS NOT NULL AND actor_id <> 0
    )
    GROUP BY actor_id
  )
  SELECT
    id,
    COALESCE(substr(MAX(last_seen_at::VARCHAR || login), 20), '') AS login,
    MAX(last_seen_at) AS updated_at,
    MAX(list_position(${TYPE_LIST}, type)) AS type_rank,
    ANY_VALUE(refreshed_at) AS refreshed_at,
    ANY_VALUE(details) AS details
  FROM ${SEEN_USERS}
  LEFT JOIN profiles USING (id)
  GROUP BY id`;
