import type { DuckDBConnection } from '@duckdb/node-api';
import { STAGED_EVENTS } from '../staging/staging-table.js';

/**
 * Gathers the facts about repositories in the staged events, one row per repository id in the events. The rules do not depend on the order
 * of the files: the newest name and details, the largest counts and the earliest creation time.
 */
export async function gatherRepositories(staging: DuckDBConnection): Promise<void> {
  await staging.run(GATHER);
  await staging.run(GATHER_OWNERS);
}

const GATHER = `
  CREATE OR REPLACE TEMP TABLE gathered_repos AS
  WITH names AS (
    SELECT repo_id, repo_name, MAX(created_at) AS last_event_at, MIN(began_at) AS began_at,
      MAX(CASE WHEN type = 'PushEvent' THEN created_at END) AS pushed_at, MAX(released_at) AS released_at
    FROM ${STAGED_EVENTS}
    WHERE repo_id <> 0
    GROUP BY repo_id, repo_name
  ),
  forks AS (
    SELECT fork.id AS repo_id, fork.name AS repo_name, fork.created_at AS created_at,
      CASE WHEN repo_id > 0 THEN repo_id END AS parent_repo_id
    FROM ${STAGED_EVENTS}
    WHERE fork IS NOT NULL AND repo_id <> 0
  ),
  details AS (
    SELECT
      repo_id,
      MAX(created_at) AS refreshed_at,
      arg_max(repository.details, created_at::VARCHAR || repository.details::VARCHAR) AS details,
      MAX(repository.is_fork) AS is_fork,
      MAX(repository.stars) AS stars,
      MAX(repository.forks) AS forks,
      MIN(repository.created_at) AS created_at,
      MAX(repository.pushed_at) AS pushed_at
    FROM ${STAGED_EVENTS}
    WHERE repository IS NOT NULL AND repo_id <> 0
    GROUP BY repo_id
  ),
  named AS (
    SELECT repo_id, repo_name, last_event_at, began_at AS created_at, pushed_at, released_at,
      NULL AS parent_repo_id, NULL AS is_fork
    FROM names
    UNION ALL
    SELECT repo_id, repo_name, NULL, created_at, NULL, NULL, parent_repo_id, 1 FROM forks
  )
  SELECT
    repo_id,
    COALESCE(substr(MAX(COALESCE(last_event_at::VARCHAR, '0000-00-00 00:00:00') || repo_name), 20), '') AS repo_name,
    MAX(last_event_at) AS last_event_at,
    MIN(LEAST(named.created_at, details.created_at)) AS created_at,
    MAX(GREATEST(named.pushed_at, details.pushed_at)) AS pushed_at,
    MAX(released_at) AS latest_released_at,
    MAX(parent_repo_id) AS parent_repo_id,
    MAX(GREATEST(named.is_fork, details.is_fork)) AS is_fork,
    ANY_VALUE(refreshed_at) AS refreshed_at,
    ANY_VALUE(details) AS details,
    ANY_VALUE(stars) AS stars,
    ANY_VALUE(forks) AS forks
  FROM named
  LEFT JOIN details USING (repo_id)
  GROUP BY repo_id`;

const GATHER_OWNERS = `
  CREATE OR REPLACE TEMP TABLE gathered_owners AS
  SELECT repo_id, lower(login) AS owner_login, MAX(COALESCE(id, 0)) AS owner_id, MAX(is_org) AS owner_is_org
  FROM (
    SELECT DISTINCT repo_id, repo_name, org_login AS login, org_id AS id, 1 AS is_org
    FROM ${STAGED_EVENTS}
    WHERE org_login <> ''
    UNION ALL
    -- The id of an owner is only known from events with a real id.
    SELECT DISTINCT repo_id, repo_name, actor_login, GREATEST(actor_id, 0), 0
    FROM ${STAGED_EVENTS}
    WHERE actor_login <> '' AND starts_with(lower(repo_name), lower(actor_login) || '/')
    UNION ALL
    SELECT DISTINCT repo_id, repo_name, repository.owner.login, repository.owner.id,
      COALESCE((repository.owner.type = 'Organization')::INTEGER, 0)
    FROM ${STAGED_EVENTS}
    WHERE repository.owner.id <> 0
  )
  WHERE repo_id <> 0 AND starts_with(lower(repo_name), lower(login) || '/')
  GROUP BY ALL`;
