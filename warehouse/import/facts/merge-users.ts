import { hasRows } from '../../../engine/databases/duckdb/connection/read-rows.js';
import { defineOrganizations, organizationSql } from '../../derived/organizations.js';
import { PEOPLE_FACTS, updatePeople } from '../../derived/people.js';
import { isBotSql } from '../../rules/bots.js';
import type { Tables } from '../../store/store.js';
import { userNames } from '../../tables/tables.js';
import { ACCOUNTS, tablesOf } from '../staging/named-kind.js';
import { GATHERED_USERS, TYPE_LIST } from './gather-users.js';
import { readSources, sourceTablesOf, writeSources } from './provisional-sources.js';

const { concerned: CONCERNED, known: KNOWN } = sourceTablesOf(ACCOUNTS);
const { sourceTargets: SOURCE_TARGETS } = tablesOf(ACCOUNTS);

/** The temporary tables of `mergeUsers`. */
export const USER_MERGING_TABLES: readonly string[] = [CONCERNED, KNOWN, 'user_parts', 'merged_users', 'changed_users'];

/**
 * Merges the gathered accounts into github_users. A row combines the facts of its id and of the provisional ids that are merged into
 * it; user_sources stores the facts of each id separately. Also loads the accounts of `others`, a SELECT of ids on the staging
 * database, for later steps of the transaction.
 */
export async function mergeUsers(tables: Tables, others: string): Promise<void> {
  const { staging } = tables;
  await readSources(tables, ACCOUNTS, `SELECT id FROM ${GATHERED_USERS}`);
  await tables.loadRows('github_users', 'id', `SELECT id FROM ${CONCERNED} UNION ${others}`);
  await tables.loadRowsWhere('country_names', ['TRUE']);
  await staging.run(PARTS);
  await writeSources(tables, ACCOUNTS, SOURCES);
  const hasOrganizations = await hasRows(staging, "user_parts WHERE details.organization <> ''");
  if (hasOrganizations) await defineOrganizations(staging);
  await staging.run(mergedSql(hasOrganizations));
  await staging.run(CHANGED);
  await staging.run(REPLACE);
  await tables.writeBack('github_users');
  await tables.remove('github_users', 'id', MERGED_IDS);
  await tables.recompute(userNames, `SELECT id FROM changed_users UNION ${MERGED_IDS}`);
  await updatePeople(tables, 'SELECT id FROM changed_users');
}

const DETAILS = '{ name: name, email: email, organization: organization, address: address }';
const FACTS = `login, list_position(${TYPE_LIST}, type) AS type_rank, updated_at, refreshed_at, ${DETAILS} AS details`;

/** Collects all known facts, one row per id in the events: facts of this import, of earlier imports, and of accounts without merged ids. */
const PARTS = `
  CREATE OR REPLACE TEMP TABLE user_parts AS
  SELECT d.id, COALESCE(t.target_id, s.target_id, d.id) AS target_id,
    d.login, d.type_rank, d.updated_at, d.refreshed_at, d.details
  FROM ${GATHERED_USERS} d
  LEFT JOIN ${SOURCE_TARGETS} t ON t.id = d.id
  LEFT JOIN ${KNOWN} s ON s.id = d.id
  UNION ALL
  SELECT id, target_id, ${FACTS} FROM ${KNOWN}
  UNION ALL
  SELECT id, id, ${FACTS}
  FROM github_users
  WHERE id IN (SELECT id FROM ${CONCERNED}) AND id NOT IN (SELECT id FROM ${KNOWN})`;

/** Combines facts: the newest login and profile, and the highest type. The order for equal times is arbitrary but fixed. */
function combineSql(key: 'id' | 'target_id'): string {
  const never = "TIMESTAMP '0001-01-01'";
  return `
    SELECT
      ${key},
      arg_max(login, (COALESCE(updated_at, ${never}), login)) AS login,
      ${TYPE_LIST}[GREATEST(MAX(type_rank), 1)] AS type,
      arg_max(details, (COALESCE(refreshed_at, ${never}), details::VARCHAR)) AS details,
      MAX(updated_at) AS updated_at,
      MAX(refreshed_at) AS refreshed_at
    FROM user_parts
    GROUP BY ${key}`;
}

/** The columns of user_sources. All except `target_id` are also columns of github_users. */
export const USER_SOURCE_COLUMNS: readonly string[] = [
  'id',
  'target_id',
  'login',
  'type',
  'name',
  'email',
  'organization',
  'address',
  'updated_at',
  'refreshed_at',
];

const detail = (column: string) => `COALESCE(details.${column}, '') AS ${column}`;
const DETAIL_COLUMNS = ['name', 'email', 'organization', 'address'].map(detail).join(', ');

const SOURCES = `
  SELECT id, target_id, login, type, ${DETAIL_COLUMNS}, updated_at, refreshed_at
  FROM (${combineSql('id')})
  JOIN (SELECT DISTINCT id, target_id FROM user_parts) USING (id)`;

/**
 * The new rows of github_users. The country and the organization are only computed again if the profile texts change from which they are
 * derived. Most imports contain no organization; for these, the slow rule for organizations is not compiled.
 */
const mergedSql = (hasOrganizations: boolean) => `
  CREATE OR REPLACE TEMP TABLE merged_users AS
  WITH both_known AS (
    SELECT c.target_id AS id, c.* EXCLUDE (target_id), u AS known, u.id IS NULL OR c.details IS DISTINCT FROM u.details AS is_new
    FROM (${combineSql('target_id')}) c
    LEFT JOIN (
      SELECT id, login, type, is_bot, organization_formatted, address, country_code, ${DETAILS} AS details
      FROM github_users
      WHERE id IN (SELECT id FROM ${CONCERNED})
    ) u ON u.id = c.target_id
  ),
  organizations AS MATERIALIZED (
    SELECT name, ${hasOrganizations ? organizationSql('name') : "''"} AS formatted
    FROM (SELECT DISTINCT details.organization AS name FROM both_known WHERE is_new)
  )
  SELECT
    b.id,
    b.login,
    b.type,
    CASE
      WHEN b.login = known.login AND b.type = known.type THEN known.is_bot
      ELSE ${isBotSql('b.login', 'b.type')}::TINYINT
    END AS is_bot,
    ${DETAIL_COLUMNS},
    CASE WHEN is_new THEN COALESCE(o.formatted, '') ELSE known.organization_formatted END AS organization_formatted,
    CASE
      WHEN is_new AND known.address IS DISTINCT FROM b.details.address
      THEN COALESCE(whole.country_code, last_part.country_code, 'N/A')
      ELSE COALESCE(known.country_code, 'N/A')
    END AS country_code,
    b.updated_at,
    b.refreshed_at
  FROM both_known b
  LEFT JOIN organizations o ON o.name IS NOT DISTINCT FROM b.details.organization
  LEFT JOIN country_names whole ON whole.name = ${normalizePlace('b.details.address')}
  LEFT JOIN country_names last_part ON last_part.name = ${normalizePlace("regexp_extract(b.details.address, '[^,/|]*$')")}`;

/** The provisional accounts that are merged into others. */
const MERGED_IDS = `SELECT id FROM ${CONCERNED} WHERE id NOT IN (SELECT id FROM merged_users)`;

/** New accounts, and accounts with changes in columns that mv_user_names or mv_repo_people contain. */
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

/** Updates accounts. Most events have no new facts about a known account, so usually only `updated_at` changes. */
const REPLACE = `
  MERGE INTO github_users t USING merged_users m ON t.id = m.id
  WHEN MATCHED AND ${RARELY_CHANGING.map((column) => `t.${column} IS NOT DISTINCT FROM m.${column}`).join(' AND ')}
    THEN UPDATE SET updated_at = m.updated_at
  WHEN MATCHED THEN UPDATE SET ${[...RARELY_CHANGING, 'updated_at'].map((column) => `${column} = m.${column}`).join(', ')}
  WHEN NOT MATCHED THEN INSERT BY NAME`;

/** Normalizes a location in the same way as the names in country_names: lower case, without dots and outer spaces. */
function normalizePlace(text: string): string {
  return `lower(trim(replace(${text}, '.', '')))`;
}
