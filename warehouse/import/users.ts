import type { DuckDBConnection } from '@duckdb/node-api';
import { defineOrganizations, organizationSql } from '../derived/organizations.js';
import { PEOPLE_FACTS, updatePeople } from '../derived/people.js';
import { isBotSql } from '../rules/bots.js';
import type { Tables } from '../store/store.js';
import { userNames } from '../tables/names/user-names.js';
import { replaceRowsSql } from './staging/replace-rows.js';
import { STAGED_EVENTS } from './staging/staging-table.js';

/**
 * Gathers the accounts in the staged events: actors, creators of issues and pull requests, authors of comments and reviews,
 * organizations and owners. The result does not depend on the order of the files.
 */
export async function gatherUsers(staging: DuckDBConnection): Promise<void> {
  await staging.run(GATHER);
}

/**
 * Merges the gathered accounts into github_users. Also loads the accounts of `others`, a SELECT of ids on the staging database,
 * for later steps of the transaction.
 */
export async function mergeUsers(tables: Tables, others: string): Promise<void> {
  await tables.loadRows('github_users', 'id', `SELECT id FROM gathered_users UNION ${others}`);
  await tables.loadRowsWhere('country_names', 'TRUE');
  await defineOrganizations(tables.staging);
  await tables.staging.run(MERGED);
  await tables.staging.run(CHANGED);
  await tables.staging.run(REPLACE);
  await tables.writeBack('github_users');
  await tables.recompute(userNames, 'SELECT id FROM changed_users');
  await updatePeople(tables, 'SELECT id FROM changed_users');
}

/** The account types by rank. An account keeps the highest type of all its events. */
const TYPES = ['N/A', 'User', 'Bot', 'Organization'];
const TYPE_LIST = `[${TYPES.map((type) => `'${type}'`).join(', ')}]`;

const GATHER = `
  CREATE OR REPLACE TEMP TABLE gathered_users AS
  WITH seen AS (
    SELECT actor_id AS id, actor_login AS login, COALESCE(profile.type, '') AS type, MAX(created_at) AS updated_at
    FROM ${STAGED_EVENTS} WHERE actor_id <> 0 GROUP BY ALL
    UNION ALL
    SELECT creator_user_id, creator_user_login, creator_type, MAX(created_at)
    FROM ${STAGED_EVENTS} WHERE creator_user_id <> 0 GROUP BY ALL
    UNION ALL
    SELECT commenter.id, commenter.login, COALESCE(commenter.type, ''), MAX(created_at)
    FROM ${STAGED_EVENTS} WHERE commenter.id <> 0 GROUP BY ALL
    UNION ALL
    SELECT org_id, org_login, 'Organization', MAX(created_at)
    FROM ${STAGED_EVENTS} WHERE org_id <> 0 GROUP BY ALL
    UNION ALL
    SELECT repository.owner.id, repository.owner.login, COALESCE(repository.owner.type, ''), MAX(created_at)
    FROM ${STAGED_EVENTS} WHERE repository.owner.id <> 0 GROUP BY ALL
  ),
  profiles AS (
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
    COALESCE(substr(MAX(updated_at::VARCHAR || login), 20), '') AS login,
    MAX(updated_at) AS updated_at,
    MAX(list_position(${TYPE_LIST}, type)) AS type_rank,
    ANY_VALUE(refreshed_at) AS refreshed_at,
    ANY_VALUE(details) AS details
  FROM seen
  LEFT JOIN profiles USING (id)
  GROUP BY id`;

const MERGED = `
  CREATE OR REPLACE TEMP TABLE merged_users AS
  WITH both_known AS (
    SELECT
      d.id,
      CASE
        WHEN u.id IS NULL OR d.updated_at > u.updated_at OR (d.updated_at = u.updated_at AND d.login > u.login)
        THEN d.login ELSE u.login
      END AS login,
      ${TYPE_LIST}[GREATEST(d.type_rank, list_position(${TYPE_LIST}, u.type), 1)] AS type,
      d.details,
      u AS known,
      d.refreshed_at IS NOT NULL AND (
        u.refreshed_at IS NULL OR d.refreshed_at > u.refreshed_at
        OR (d.refreshed_at = u.refreshed_at AND d.details::VARCHAR > u.details::VARCHAR)
      ) AS is_newer,
      GREATEST(d.updated_at, u.updated_at) AS updated_at,
      GREATEST(d.refreshed_at, u.refreshed_at) AS refreshed_at
    FROM gathered_users d
    LEFT JOIN (
      SELECT id, login, type, is_bot, updated_at, refreshed_at, organization_formatted, country_code,
        { name: name, email: email, organization: organization, address: address } AS details
      FROM github_users
      WHERE id IN (SELECT id FROM gathered_users)
    ) u ON u.id = d.id
  ),
  organizations AS MATERIALIZED (
    SELECT name, ${organizationSql('name')} AS formatted
    FROM (SELECT DISTINCT details.organization AS name FROM both_known WHERE is_newer)
  )
  SELECT
    b.id,
    b.login,
    b.type,
    CASE
      WHEN b.login = known.login AND b.type = known.type THEN known.is_bot
      ELSE ${isBotSql('b.login', 'b.type')}::TINYINT
    END AS is_bot,
    ${newest('name')},
    ${newest('email')},
    ${newest('organization')},
    CASE
      WHEN is_newer THEN o.formatted
      ELSE COALESCE(known.organization_formatted, '')
    END AS organization_formatted,
    ${newest('address')},
    CASE
      WHEN is_newer THEN COALESCE(whole.country_code, last_part.country_code, 'N/A')
      ELSE COALESCE(known.country_code, 'N/A')
    END AS country_code,
    b.updated_at,
    b.refreshed_at
  FROM both_known b
  LEFT JOIN organizations o ON o.name IS NOT DISTINCT FROM b.details.organization
  LEFT JOIN country_names whole ON whole.name = ${normalizePlace('b.details.address')}
  LEFT JOIN country_names last_part ON last_part.name = ${normalizePlace("regexp_extract(b.details.address, '[^,/|]*$')")}`;

/** New accounts, and accounts with new facts that mv_user_names or mv_repo_people contain. */
const CHANGED = `
  CREATE OR REPLACE TEMP TABLE changed_users AS
  SELECT m.id
  FROM merged_users m
  LEFT JOIN github_users u ON u.id = m.id
  WHERE u.id IS NULL OR ${['type', ...PEOPLE_FACTS].map((column) => `u.${column} <> m.${column}`).join(' OR ')}`;

const RARELY_CHANGING = [
  'login',
  'type',
  'is_bot',
  'name',
  'email',
  'organization',
  'organization_formatted',
  'address',
  'country_code',
  'refreshed_at',
];

/** Updates accounts. Most events have no new facts about a known account, so only `updated_at` changes. */
const REPLACE = replaceRowsSql({
  table: 'github_users',
  rows: 'merged_users',
  key: 'id',
  changing: [...RARELY_CHANGING, 'updated_at'],
  rarelyChanging: RARELY_CHANGING,
});

function newest(detail: string): string {
  return `COALESCE(CASE WHEN is_newer THEN b.details.${detail} ELSE known.details.${detail} END, '') AS ${detail}`;
}

/** Normalizes a place like the names in country_names: lower case, without dots and outer spaces. */
function normalizePlace(text: string): string {
  return `lower(trim(replace(${text}, '.', '')))`;
}
