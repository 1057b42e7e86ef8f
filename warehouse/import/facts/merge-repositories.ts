import type { Cell } from '../../../engine/index.js';
import { NAME_TIERS } from '../../rules/name-tiers.js';
import type { GroupTable } from '../../schema/derived-table.js';
import type { Tables } from '../../store/store.js';
import { repoNames } from '../../tables/tables.js';
import { ACCOUNTS, REPOSITORIES, tablesOf } from '../staging/named-kind.js';
import { readSources, sourceTablesOf, writeSources } from './provisional-sources.js';

const { concerned: CONCERNED, known: KNOWN } = sourceTablesOf(REPOSITORIES);
const { sourceTargets: SOURCE_TARGETS } = tablesOf(REPOSITORIES);
/** The stored events whose actor has changed. A new actor changes the number of people of a repository. */
const { moved: MOVED_USER_EVENTS } = tablesOf(ACCOUNTS);

/** The temporary tables of `mergeRepositories`. */
export const REPO_MERGING_TABLES: readonly string[] = [
  CONCERNED,
  KNOWN,
  'stored_repos',
  'stored_totals',
  'stored_owners',
  'repo_parts',
  'merged_repos',
  'renamed_repos',
  'starred_repos',
];

/**
 * Merges the gathered facts into github_repos. Must run after the update of the derived tables. A row combines the facts of its id and of
 * the provisional ids that are merged into it. repo_sources stores the facts of each id separately.
 */
export async function mergeRepositories(tables: Tables): Promise<void> {
  const { staging } = tables;
  await readSources(
    tables,
    REPOSITORIES,
    `SELECT repo_id FROM gathered_repos UNION SELECT repo_id FROM ${MOVED_USER_EVENTS}`,
  );
  // All later steps read these copies, because in a database file, each read of these ids reads the ids of the whole table.
  await tables.copy('github_repos', 'repo_id', WRITTEN_IDS, 'stored_repos');
  await tables.copy('mv_repo_totals', 'repo_id', WRITTEN_IDS, 'stored_totals');
  await staging.run(PARTS);
  await tables.merge(REPO_OWNERS, 'gathered_owners');
  await tables.copy(REPO_OWNERS.name, 'repo_id', 'SELECT repo_id FROM repo_parts', 'stored_owners');
  await writeSources(tables, REPOSITORIES, SOURCES);
  await staging.run(MERGED);
  await staging.run(RENAMED);
  await staging.run(STARRED);
  await tables.writeRows({
    table: 'github_repos',
    key: 'repo_id',
    rows: 'merged_repos',
    stored: 'stored_repos',
    groups: COLUMN_GROUPS,
  });
  await tables.remove('github_repos', 'repo_id', MERGED_IDS);
  await tables.recompute(repoNames, `SELECT repo_id FROM renamed_repos UNION ${MERGED_IDS}`);
  await tables.setColumn(repoNames.name, 'repo_id', 'stars', 'starred_repos');
  await replaceMergedIds(tables);
}

const WRITTEN_IDS = `SELECT id FROM ${CONCERNED}`;

const DETAILS = `{
  description: description, language: primary_language, license: license, size: size, is_archived: is_archived
} AS details`;
const FACTS = [
  'repo_name',
  'refreshed_at',
  'last_event_at',
  'created_at',
  'pushed_at',
  'latest_released_at',
  'parent_repo_id',
  'is_fork',
  'stars',
  'forks',
].join(', ');

/**
 * Collects all known facts, one row per id in the events: facts of this import, of earlier imports, and of repositories without merged ids.
 */
const PARTS = `
  CREATE OR REPLACE TEMP TABLE repo_parts AS
  SELECT d.repo_id, COALESCE(t.target_id, s.target_id, d.repo_id) AS target_id, d.* EXCLUDE (repo_id)
  FROM (SELECT repo_id, ${FACTS}, details FROM gathered_repos) d
  LEFT JOIN ${SOURCE_TARGETS} t ON t.id = d.repo_id
  LEFT JOIN ${KNOWN} s ON s.repo_id = d.repo_id
  UNION ALL
  SELECT repo_id, target_id, ${FACTS}, ${DETAILS} FROM ${KNOWN}
  UNION ALL
  SELECT repo_id, repo_id, ${FACTS}, ${DETAILS}
  FROM stored_repos
  WHERE repo_id NOT IN (SELECT repo_id FROM ${KNOWN})`;

/**
 * Combines facts. The name in an event takes precedence over the name in a fork event, which has no time. The order for equal times is
 * arbitrary but fixed. Most facts have no details, so a separate SELECT combines the details.
 */
function combineSql(key: 'repo_id' | 'target_id'): string {
  return `
    SELECT facts.*, details.details
    FROM (${combineFactsSql(key)}) facts
    LEFT JOIN (
      SELECT ${key}, arg_max(details, (refreshed_at, details::VARCHAR)) AS details
      FROM repo_parts
      WHERE refreshed_at IS NOT NULL
      GROUP BY ${key}
    ) details USING (${key})`;
}

function combineFactsSql(key: 'repo_id' | 'target_id'): string {
  return `
    SELECT
      ${key},
      arg_max(repo_name, (COALESCE(last_event_at, TIMESTAMP '0001-01-01'), repo_name)) AS repo_name,
      MAX(refreshed_at) AS refreshed_at,
      MAX(last_event_at) AS last_event_at,
      MIN(created_at) AS created_at,
      MAX(pushed_at) AS pushed_at,
      MAX(latest_released_at) AS latest_released_at,
      MAX(parent_repo_id) AS parent_repo_id,
      MAX(COALESCE(is_fork, 0)) AS is_fork,
      MAX(COALESCE(stars, 0)) AS stars,
      MAX(COALESCE(forks, 0)) AS forks
    FROM repo_parts
    GROUP BY ${key}`;
}

const DETAIL_COLUMNS = `
  COALESCE(details.description, '') AS description,
  COALESCE(details.language, '') AS primary_language,
  COALESCE(details.license, '') AS license,
  COALESCE(details.size, 0) AS size,
  COALESCE(details.is_archived, 0) AS is_archived`;

/** The columns of repo_sources. All except `target_id` are also columns of github_repos. */
export const REPO_SOURCE_COLUMNS = [
  'repo_id',
  'target_id',
  'repo_name',
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
  'last_event_at',
  'refreshed_at',
];

const SOURCES = `
  SELECT * EXCLUDE (details), ${DETAIL_COLUMNS}
  FROM (${combineSql('repo_id')})
  JOIN (SELECT DISTINCT repo_id, target_id FROM repo_parts) USING (repo_id)`;

/** The known owners of each repository, by login. */
const REPO_OWNERS: GroupTable = {
  name: 'repo_owners',
  keys: ['repo_id', 'owner_login'],
  measures: { owner_id: 'max', owner_is_org: 'max' },
};

/** The new rows of github_repos, with all its columns. */
const MERGED = `
  CREATE OR REPLACE TEMP TABLE merged_repos AS
  WITH owners AS (
    SELECT p.target_id, o.owner_login, MAX(o.owner_id) AS owner_id, MAX(o.owner_is_org) AS owner_is_org
    FROM (SELECT DISTINCT repo_id, target_id FROM repo_parts) p
    JOIN stored_owners o ON o.repo_id = p.repo_id
    GROUP BY p.target_id, o.owner_login
  )
  SELECT
    b.target_id AS repo_id,
    b.repo_name,
    lower(b.repo_name) AS repo_name_lower,
    split_part(b.repo_name, '/', 1) AS owner_login,
    COALESCE(o.owner_id, 0) AS owner_id,
    COALESCE(o.owner_is_org, 0) AS owner_is_org,
    ${DETAIL_COLUMNS},
    GREATEST(b.stars, COALESCE(n.stars, 0)) AS stars,
    GREATEST(b.forks, COALESCE(n.forks, 0)) AS forks,
    b.parent_repo_id,
    b.is_fork,
    COALESCE(r.is_deleted, 0) AS is_deleted,
    b.latest_released_at,
    b.pushed_at,
    b.created_at,
    b.last_event_at AS updated_at,
    b.last_event_at,
    b.refreshed_at
  FROM (${combineSql('target_id')}) b
  LEFT JOIN stored_repos r ON r.repo_id = b.target_id
  LEFT JOIN owners o ON o.target_id = b.target_id AND o.owner_login = lower(split_part(b.repo_name, '/', 1))
  LEFT JOIN stored_totals n ON n.repo_id = b.target_id`;

/** The provisional repositories that are merged into others. */
const MERGED_IDS = `${WRITTEN_IDS} WHERE id NOT IN (SELECT repo_id FROM merged_repos)`;

/** The repositories whose rows in mv_repo_names must be computed again: their name or tiers changed. */
const RENAMED = `
  CREATE OR REPLACE TEMP TABLE renamed_repos AS
  SELECT m.repo_id
  FROM merged_repos m
  LEFT JOIN stored_repos r ON r.repo_id = m.repo_id
  WHERE r.repo_id IS NULL OR r.repo_name <> m.repo_name OR ${NAME_TIERS.map(
    (tier) => `(r.stars >= ${tier}) <> (m.stars >= ${tier})`,
  ).join(' OR ')}`;

/** The other repositories whose number of stars changed. */
const STARRED = `
  CREATE OR REPLACE TEMP TABLE starred_repos AS
  SELECT m.repo_id, m.stars
  FROM merged_repos m
  JOIN stored_repos r ON r.repo_id = m.repo_id
  WHERE r.stars <> m.stars AND m.repo_id NOT IN (SELECT repo_id FROM renamed_repos)`;

/** Columns of github_repos that often change together. Most events only change the times. */
const OFTEN_TOGETHER = [
  ['updated_at', 'last_event_at', 'pushed_at'],
  ['stars', 'forks'],
  ['owner_id', 'owner_login', 'owner_is_org'],
  ['repo_name', 'repo_name_lower'],
  ['latest_released_at'],
  ['created_at'],
];
/** The columns of github_repos that imports write. */
const COLUMN_GROUPS = [
  ...OFTEN_TOGETHER,
  REPO_SOURCE_COLUMNS.filter((column) => !['repo_id', 'target_id', ...OFTEN_TOGETHER.flat()].includes(column)),
];

/** Replaces the ids of merged provisional repositories in other tables by the real ids. */
async function replaceMergedIds(tables: Tables): Promise<void> {
  const items = await findMerged(tables, 'collection_items');
  for (const [old, target] of items) {
    await tables.run('UPDATE collection_items SET repo_id = :p2 WHERE repo_id = :p1', [old, target]);
  }
  await moveSubscriptions(tables, await findMerged(tables, 'sys_subscribed_repos'));
  // The rows of merged ids are only deleted, because this table is computed again after an import.
  for (const [old] of await findMerged(tables, 'mv_trending_repos')) {
    await tables.run('DELETE FROM mv_trending_repos WHERE repo_id = :p1', [old]);
  }
}

/** Returns the provisional ids in a table that were merged, with their real ids. */
async function findMerged(tables: Tables, table: string): Promise<ReadonlyMap<string, string>> {
  const rows = await tables.rows(
    `SELECT repo_id, target_id FROM repo_sources
     WHERE target_id > 0 AND repo_id IN (SELECT repo_id FROM ${table} WHERE repo_id < 0)`,
  );
  return new Map(rows.map(([id, target]) => [String(id), String(target)]));
}

/**
 * Moves subscriptions to the real repositories. If a user has subscriptions to both repositories, only the subscription to the real
 * repository is kept. The kept subscription is active if one of the two was active.
 */
async function moveSubscriptions(tables: Tables, merged: ReadonlyMap<string, string>): Promise<void> {
  if (merged.size === 0) return;
  const rows = await tables.rows(`
    SELECT user_id, repo_id, subscribed, subscribed_at FROM sys_subscribed_repos
    WHERE repo_id < 0 OR repo_id IN (
      SELECT m.target_id FROM repo_sources m JOIN sys_subscribed_repos s ON s.repo_id = m.repo_id WHERE m.repo_id < 0
    )`);
  const key = (user: Cell | undefined, repository: string | undefined) => `${user} ${repository}`;
  const stored = new Map(rows.map(([user, repository, subscribed]) => [key(user, String(repository)), subscribed]));
  for (const [user = null, repository = null, subscribed = null, at = null] of rows) {
    const target = merged.get(String(repository));
    if (target === undefined) continue;
    const isActive = stored.get(key(user, target));
    await tables.run('DELETE FROM sys_subscribed_repos WHERE user_id = :p1 AND repo_id = :p2', [user, repository]);
    if (isActive === undefined) {
      stored.set(key(user, target), subscribed);
      await tables.run(
        'INSERT INTO sys_subscribed_repos (user_id, repo_id, subscribed, subscribed_at) VALUES (:p1, :p2, :p3, :p4)',
        [user, target, subscribed, at],
      );
    } else if (Number(subscribed) === 1 && Number(isActive) === 0) {
      await tables.run(
        'UPDATE sys_subscribed_repos SET subscribed = 1, subscribed_at = :p3 WHERE user_id = :p1 AND repo_id = :p2',
        [user, target, at],
      );
    }
  }
}
