import type { Tables } from '../../store/store.js';
import { provisionalIdSql } from '../staging/provisional-id.js';
import { resolveStaged, STAGED_EVENTS } from '../staging/staging-table.js';
import { GATHERED_NAME_USES, nearestUsesSql, repoNameUses } from './repo-name-uses.js';

/** The stored events whose repository changes from `old_repo_id` to `repo_id`. */
export const MOVED_EVENTS = 'moved_events';

/**
 * The provisional ids that new events affect, each with the repository that gets its facts. This repository can be the
 * provisional id itself.
 */
export const SOURCE_TARGETS = 'source_targets';

/** The repositories that get or lose events or facts. */
export const CHANGED_REPOS = 'changed_repos';

/**
 * All stored events whose provisional ids are resolved again. The columns are `repo_id` (the provisional id),
 * `created_at` and `target_id`.
 */
export const STORED_TARGETS = 'stored_targets';

/**
 * Finds the real repositories of provisional ones. It resolves the staged events, the stored events whose names now have more or
 * longer uses, and the stored events of the provisional ids in `again`. It only reads rows that belong to the names of the batch.
 */
export async function resolveRepositories(tables: Tables, again: readonly string[] = []): Promise<void> {
  const { staging } = tables;
  await staging.run(STAGED_PROVISIONAL);
  const [any] = await tables.rows('SELECT repo_id FROM repo_sources WHERE repo_id < 0 LIMIT 1');
  await tables.copy('repo_sources', 'repo_id', any ? affectedIdsSql(again) : NO_IDS, 'known_provisional');
  await tables.copy('repo_name_uses', 'name', NAMES, 'known_uses');
  await staging.run(CANDIDATES);
  await staging.run(changedSql(again));
  await tables.merge(repoNameUses, GATHERED_NAME_USES);
  await staging.run(STAGED_TARGETS);
  await resolveStaged(staging, 'staged_targets');
  await tables.copy('github_events', 'provisional_repo_id', 'SELECT repo_id FROM changed_provisional', 'stored_events');
  await staging.run(RESOLVE_STORED);
  await staging.run(MOVED);
  await staging.run(RESOLVE_SOURCES);
  await staging.run(CHANGED_REPOSITORIES);
  await staging.run(RESOLVING_TABLES.map((table) => `DROP TABLE ${table}`).join('; '));
}

/** The temporary tables that are dropped at the end of `resolveRepositories`. */
const RESOLVING_TABLES = [
  'staged_provisional',
  'known_provisional',
  'known_uses',
  'candidate_uses',
  'changed_provisional',
  'stored_events',
];

const STAGED_PROVISIONAL = `
  CREATE OR REPLACE TEMP TABLE staged_provisional AS
  SELECT row_id, repo_id, lower(repo_name) AS name, created_at FROM ${STAGED_EVENTS} WHERE repo_id < 0`;

const NO_IDS = 'SELECT NULL::BIGINT WHERE FALSE';

const affectedIdsSql = (again: readonly string[]) => `
  SELECT ${provisionalIdSql('name')} FROM ${GATHERED_NAME_USES}
  UNION SELECT repo_id FROM staged_provisional
  UNION ${listIdsSql(again)}`;

const NAMES = 'SELECT name FROM staged_provisional UNION SELECT lower(repo_name) FROM known_provisional';

const CANDIDATES = `
  CREATE OR REPLACE TEMP TABLE candidate_uses AS
  SELECT name, repo_id, MIN(first_used_at) AS first_used_at, MAX(last_used_at) AS last_used_at
  FROM (SELECT * FROM ${GATHERED_NAME_USES} UNION ALL BY NAME SELECT * FROM known_uses)
  WHERE name IN (${NAMES})
  GROUP BY name, repo_id`;

/**
 * Selects the provisional ids to resolve again. If the time span of a name grows, the result changes only for events
 * outside of the old span.
 */
const changedSql = (again: readonly string[]) => `
  CREATE OR REPLACE TEMP TABLE changed_provisional AS
  SELECT DISTINCT p.repo_id
  FROM known_provisional p
  JOIN ${GATHERED_NAME_USES} t ON t.name = lower(p.repo_name)
  LEFT JOIN known_uses k ON k.name = t.name AND k.repo_id = t.repo_id
  WHERE k.repo_id IS NULL
    OR t.first_used_at < k.first_used_at
    OR (t.last_used_at > k.last_used_at AND p.last_event_at > k.last_used_at)
  UNION
  ${listIdsSql(again)}`;

const STAGED_TARGETS = `
  CREATE OR REPLACE TEMP TABLE staged_targets AS
  ${nearestUsesSql('FROM staged_provisional', 'row_id', 'candidate_uses')}`;

const RESOLVE_STORED = `
  CREATE OR REPLACE TEMP TABLE ${STORED_TARGETS} AS
  ${nearestUsesSql(
    'SELECT provisional_repo_id AS repo_id, lower(repo_name) AS name, created_at FROM stored_events',
    'repo_id, created_at',
    'candidate_uses',
  )}`;

const MOVED = `
  CREATE OR REPLACE TEMP TABLE ${MOVED_EVENTS} AS
  SELECT e.* REPLACE (t.target_id AS repo_id), e.repo_id AS old_repo_id
  FROM stored_events e
  JOIN ${STORED_TARGETS} t ON t.repo_id = e.provisional_repo_id AND t.created_at = e.created_at
  WHERE e.repo_id <> t.target_id`;

/** All facts of a provisional id, such as a description, go to the repository of its newest event. */
const RESOLVE_SOURCES = `
  CREATE OR REPLACE TEMP TABLE ${SOURCE_TARGETS} AS
  WITH newest AS (
    SELECT repo_id, any_value(name) AS name, MAX(created_at) AS created_at
    FROM (
      SELECT repo_id, name, created_at FROM staged_provisional
      UNION ALL
      SELECT repo_id, lower(repo_name), last_event_at FROM known_provisional
    )
    WHERE repo_id IN (SELECT repo_id FROM staged_provisional UNION SELECT repo_id FROM changed_provisional)
    GROUP BY repo_id
  )
  SELECT n.repo_id, COALESCE(t.target_id, n.repo_id) AS target_id
  FROM newest n
  LEFT JOIN (${nearestUsesSql('FROM newest', 'repo_id', 'candidate_uses')}) t USING (repo_id)`;

const CHANGED_REPOSITORIES = `
  CREATE OR REPLACE TEMP TABLE ${CHANGED_REPOS} AS
  SELECT repo_id FROM ${SOURCE_TARGETS}
  UNION SELECT target_id FROM ${SOURCE_TARGETS}
  UNION SELECT target_id FROM staged_targets
  UNION SELECT unnest([repo_id, old_repo_id]) FROM ${MOVED_EVENTS}`;

function listIdsSql(ids: readonly string[]): string {
  return `SELECT unnest([${ids.join(', ')}]::BIGINT[]) AS repo_id`;
}
