import type { DuckDBConnection } from '@duckdb/node-api';
import { repoNames } from '../derived/repo-names.js';
import type { Tables } from '../store/store.js';
import { replaceRows } from './replace-rows.js';
import { STAGED_EVENTS } from './staging.js';

/**
 * Gathers what the staged events tell of repositories. Everything is merged by rules that give the same whatever the
 * order of the files: the newest name and details, the largest counts, the earliest start.
 */
export async function gatherRepositories(bench: DuckDBConnection): Promise<void> {
  await bench.run(GATHER);
  await bench.run(GATHER_OWNERS);
}

/** Writes what was gathered into github_repos, once the derived tables know the staged events. */
export async function mergeRepositories(tables: Tables): Promise<void> {
  const { bench } = tables;
  for (const table of ['repo_owners', 'github_repos', 'mv_repo_totals']) await tables.bring(table, 'repo_id', TOLD_IDS);
  await bench.run(MERGE_OWNERS);
  await tables.put('repo_owners');
  await bench.run(MERGED);
  await bench.run(RENAMED);
  await bench.run(RENAME);
  await bench.run(REPLACE);
  await tables.put('github_repos');
  await tables.recompute(repoNames, 'SELECT repo_id FROM renamed_repos');
}

const TOLD_IDS = 'SELECT repo_id FROM told_repos';

/** Orders details of the same second; any order does, so long as it is always the same. */
const DETAILS_ORDER = 'details::VARCHAR';

const GATHER = `
  CREATE OR REPLACE TEMP TABLE told_repos AS
  WITH names AS (
    SELECT repo_id, repo_name, MAX(created_at) AS last_event_at, MIN(began_at) AS began_at,
      MAX(CASE WHEN type = 'PushEvent' THEN created_at END) AS pushed_at, MAX(released_at) AS released_at
    FROM ${STAGED_EVENTS}
    WHERE repo_id <> 0
    GROUP BY repo_id, repo_name
  ),
  forks AS (
    SELECT fork.id AS repo_id, fork.name AS repo_name, fork.created_at AS created_at, repo_id AS parent_repo_id
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
  told AS (
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
    MIN(LEAST(told.created_at, details.created_at)) AS created_at,
    MAX(GREATEST(told.pushed_at, details.pushed_at)) AS pushed_at,
    MAX(released_at) AS latest_released_at,
    MAX(parent_repo_id) AS parent_repo_id,
    MAX(GREATEST(told.is_fork, details.is_fork)) AS is_fork,
    ANY_VALUE(refreshed_at) AS refreshed_at,
    ANY_VALUE(details) AS details,
    ANY_VALUE(stars) AS stars,
    ANY_VALUE(forks) AS forks
  FROM told
  LEFT JOIN details USING (repo_id)
  GROUP BY repo_id`;

const GATHER_OWNERS = `
  CREATE OR REPLACE TEMP TABLE told_owners AS
  SELECT repo_id, lower(login) AS owner_login, COALESCE(MAX(id), 0) AS owner_id, MAX(is_org) AS owner_is_org
  FROM (
    SELECT DISTINCT repo_id, repo_name, org_login AS login, org_id AS id, 1 AS is_org
    FROM ${STAGED_EVENTS}
    WHERE org_login <> ''
    UNION ALL
    SELECT DISTINCT repo_id, repo_name, actor_login, actor_id, 0
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

const MERGE_OWNERS = `
  MERGE INTO repo_owners t USING told_owners d ON t.repo_id = d.repo_id AND t.owner_login = d.owner_login
  WHEN MATCHED THEN UPDATE SET
    owner_id = GREATEST(t.owner_id, d.owner_id),
    owner_is_org = GREATEST(t.owner_is_org, d.owner_is_org)
  WHEN NOT MATCHED THEN INSERT BY NAME`;

/** Whole rows of github_repos as they will be. A name told by an event beats one told by a fork's parent alone. */
const MERGED = `
  CREATE OR REPLACE TEMP TABLE merged_repos AS
  WITH both_known AS (
    SELECT
      d.repo_id,
      CASE
        WHEN r.repo_id IS NULL OR COALESCE(d.last_event_at, TIMESTAMP '0001-01-01') > COALESCE(r.last_event_at, TIMESTAMP '0001-01-01')
          OR (d.last_event_at IS NOT DISTINCT FROM r.last_event_at AND d.repo_name > r.repo_name)
        THEN d.repo_name ELSE r.repo_name
      END AS repo_name,
      CASE
        WHEN d.refreshed_at > r.refreshed_at OR r.refreshed_at IS NULL
          OR (d.refreshed_at = r.refreshed_at AND d.${DETAILS_ORDER} > r.${DETAILS_ORDER})
        THEN d.details ELSE r.details
      END AS details,
      GREATEST(d.refreshed_at, r.refreshed_at) AS refreshed_at,
      GREATEST(d.last_event_at, r.last_event_at) AS last_event_at,
      LEAST(d.created_at, r.created_at) AS created_at,
      GREATEST(d.pushed_at, r.pushed_at) AS pushed_at,
      GREATEST(d.latest_released_at, r.latest_released_at) AS latest_released_at,
      GREATEST(d.parent_repo_id, r.parent_repo_id) AS parent_repo_id,
      GREATEST(d.is_fork, r.is_fork, 0) AS is_fork,
      GREATEST(d.stars, r.stars, 0) AS stars,
      GREATEST(d.forks, r.forks, 0) AS forks,
      COALESCE(r.is_deleted, 0) AS is_deleted
    FROM told_repos d
    LEFT JOIN (
      SELECT *, {
        description: description, language: primary_language, license: license, size: size, is_archived: is_archived
      } AS details
      FROM github_repos
      WHERE repo_id IN (SELECT repo_id FROM told_repos)
    ) r ON r.repo_id = d.repo_id
  )
  SELECT
    b.repo_id,
    b.repo_name,
    lower(b.repo_name) AS repo_name_lower,
    split_part(b.repo_name, '/', 1) AS owner_login,
    COALESCE(o.owner_id, 0) AS owner_id,
    COALESCE(o.owner_is_org, 0) AS owner_is_org,
    COALESCE(details.description, '') AS description,
    COALESCE(details.language, '') AS primary_language,
    COALESCE(details.license, '') AS license,
    COALESCE(details.size, 0) AS size,
    GREATEST(b.stars, COALESCE(n.stars, 0)) AS stars,
    GREATEST(b.forks, COALESCE(n.forks, 0)) AS forks,
    b.parent_repo_id,
    b.is_fork,
    COALESCE(details.is_archived, 0) AS is_archived,
    b.is_deleted,
    b.latest_released_at,
    b.pushed_at,
    b.created_at,
    b.last_event_at AS updated_at,
    b.last_event_at,
    b.refreshed_at
  FROM both_known b
  LEFT JOIN repo_owners o ON o.repo_id = b.repo_id AND o.owner_login = lower(split_part(b.repo_name, '/', 1))
  LEFT JOIN mv_repo_totals n ON n.repo_id = b.repo_id`;

/** Repositories that are found by another name, or at another place, than before. */
const RENAMED = `
  CREATE OR REPLACE TEMP TABLE renamed_repos AS
  SELECT m.repo_id
  FROM merged_repos m
  LEFT JOIN github_repos r ON r.repo_id = m.repo_id
  WHERE r.repo_id IS NULL OR r.repo_name <> m.repo_name OR r.stars <> m.stars`;

/** Apart from the rest, because a change of the name also changes the index on it. */
const RENAME = `
  UPDATE github_repos r SET repo_name = m.repo_name, repo_name_lower = m.repo_name_lower
  FROM merged_repos m
  WHERE m.repo_id = r.repo_id AND m.repo_name <> r.repo_name`;

const CHANGING = [
  'owner_id',
  'owner_login',
  'owner_is_org',
  'description',
  'primary_language',
  'license',
  'size',
  'stars',
  'forks',
  'parent_repo_id',
  'is_fork',
  'is_archived',
  'latest_released_at',
  'pushed_at',
  'created_at',
  'updated_at',
  'last_event_at',
  'refreshed_at',
];

const REPLACE = replaceRows({ table: 'github_repos', rows: 'merged_repos', key: 'repo_id', changing: CHANGING });
