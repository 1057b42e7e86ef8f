import { refreshShares } from './derived/event-shares.js';
import { refreshGaps } from './derived/feed-gaps.js';
import { rewriteOrganizations } from './derived/organizations.js';
import { fillPeople } from './derived/people.js';
import { recomputeRepositories } from './derived/refresh.js';
import { REPO_SOURCE_COLUMNS } from './import/facts/merge-repositories.js';
import { USER_SOURCE_COLUMNS } from './import/facts/merge-users.js';
import { fillImportedHours } from './import/imported-hours.js';
import { repoNameUses, userNameUses } from './import/staging/name-uses.js';
import { ACCOUNTS, type NamedKind, REPOSITORIES } from './import/staging/named-kind.js';
import { readTabSeparated } from './rules/data-files.js';
import { columnsOf } from './schema/derived-table.js';
import type { Store, Tables } from './store/store.js';
import {
  eventCoverage,
  NAME_TABLES,
  repoDailyCounts,
  repoForks,
  repoIssues,
  repoNames,
  repoPullRequests,
  repoTotals,
} from './tables/tables.js';
import { clearUnknownValues } from './unknown-values.js';

/** The functions that insert or change rows after the statements of a migration, by its version number. */
export const SEEDS: Readonly<Record<number, (tables: Tables) => Promise<void>>> = {
  1: seedCalendar,
  3: seedCountryNames,
  4: (tables) => tables.run('UPDATE github_repos SET repo_name_lower = LOWER(repo_name)'),
  7: fillNames,
  9: reseedCountryNames,
  11: seedProvisionalRepositories,
  12: seedCoverage,
  14: seedExplorerTags,
  21: correctBots,
  22: seedProvisionalAccounts,
  25: fillTotals,
  27: markOpenings,
  // `refreshShares` fills a table of version 27, but reads a table of version 28.
  28: refreshShares,
  33: fillDailyCounts,
  34: sortRepositories,
  35: scheduleDigests,
  36: (tables) => tables.run('UPDATE sys_digests SET begun_at = sent_at'),
};

/**
 * The functions that change stored rows between the first statement of a migration and its other statements, by version number. The
 * functions use separate transactions. After an interruption, the first statement and the function run again.
 */
export const CORRECTIONS: Readonly<Record<number, (store: Store) => Promise<void>>> = {
  12: clearUnknownValues,
  16: fillPeople,
};

/** Schedules the first digest of each user who enabled updates earlier: on Monday of the next week at 8 o'clock in UTC. */
function scheduleDigests(tables: Tables): Promise<void> {
  const due = `'${formatDay(mondayOf(Date.now() + 7 * DAY_MS))} 08:00:00'`;
  return tables.run(
    `INSERT INTO sys_digests (user_id, time_zone, due_at, attempt_at, attempts, state)
     SELECT id, 'UTC', ${due}, ${due}, 0, 'waiting' FROM sys_users WHERE email_get_updates = 1`,
  );
}

/**
 * Inserts the days of a century, each with its Monday and the first day of its month. The parameters `from` and `to`
 * can be any of these days.
 */
function seedCalendar(tables: Tables): Promise<void> {
  const rows: string[][] = [];
  for (let time = Date.UTC(2000, 0, 1); time < Date.UTC(2100, 0, 1); time += DAY_MS) {
    const day = formatDay(time);
    rows.push([day, formatDay(mondayOf(time)), `${day.slice(0, 7)}-01`]);
  }
  return tables.insertRows('calendar_days', rows);
}

const DAY_MS = 86_400_000;

/** Returns the Monday of the week of a time, at the same time of the day. */
function mondayOf(time: number): number {
  const daysSinceMonday = (new Date(time).getUTCDay() + 6) % 7;
  return time - daysSinceMonday * DAY_MS;
}

function formatDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The tags of questions of the explorer, with the ids 1, 2, … The ids are permanent, so new tags must be appended. */
const EXPLORER_TAGS = [
  'Repositories',
  'Developers',
  'Organizations',
  'Countries',
  'Languages',
  'Stars',
  'Issues',
  'Pull requests',
  'Commits',
  'Trends',
  'Collections',
];

function seedExplorerTags(tables: Tables): Promise<void> {
  return tables.insertRows(
    'explorer_tags',
    EXPLORER_TAGS.map((name, index) => [index + 1, name]),
  );
}

async function reseedCountryNames(tables: Tables): Promise<void> {
  await tables.run('DELETE FROM country_names');
  await seedCountryNames(tables);
  await rewriteOrganizations(tables);
}

/** Fills the columns and tables of provisional repositories. Earlier program versions only stored negative ids for these repositories. */
async function seedProvisionalRepositories(tables: Tables): Promise<void> {
  await tables.run('UPDATE github_repos SET parent_repo_id = NULL WHERE parent_repo_id < 0');
  await seedProvisional(tables, REPOSITORIES, 'github_repos', REPO_SOURCE_COLUMNS);
  await tables.insert(repoNameUses.name, columnsOf(repoNameUses), FORKS_WITHOUT_EVENTS);
}

/** Fills the columns and tables of provisional accounts, as for provisional repositories. */
async function seedProvisionalAccounts(tables: Tables): Promise<void> {
  await tables.run('UPDATE repo_owners SET owner_id = 0 WHERE owner_id < 0');
  await tables.run('UPDATE github_repos SET owner_id = 0 WHERE owner_id < 0');
  await seedProvisional(tables, ACCOUNTS, 'github_users', USER_SOURCE_COLUMNS);
  await tables.insert(userNameUses.name, columnsOf(userNameUses), ACCOUNTS_WITHOUT_EVENTS);
}

async function seedProvisional(
  tables: Tables,
  { id, provisionalId, uses, sources: { table, key } }: NamedKind,
  records: string,
  sourceColumns: readonly string[],
): Promise<void> {
  await tables.run(`UPDATE github_events SET ${provisionalId} = ${id} WHERE ${id} < 0`);
  await tables.insert(uses.name, columnsOf(uses), uses.select('github_events'));
  const rest = sourceColumns.filter((column) => column !== key && column !== 'target_id').join(', ');
  const columns = [key, 'target_id', ...rest.split(', ')];
  await tables.insert(table, columns, `SELECT ${key}, ${key} AS target_id, ${rest} FROM ${records} WHERE ${key} < 0`);
}

/**
 * A SELECT of the name uses of forks without events. The fork event contained the name and the id at the time of the creation.
 * `last_event_at` cannot be used, because other programs may not fill this column.
 */
const FORKS_WITHOUT_EVENTS = `
  SELECT LOWER(repo_name) AS name, repo_id, created_at AS first_used_at, created_at AS last_used_at
  FROM github_repos
  WHERE repo_id > 0 AND last_event_at IS NULL AND created_at IS NOT NULL AND repo_name <> ''
    AND repo_id NOT IN (SELECT repo_id FROM repo_name_uses)`;

/** A SELECT of the logins of accounts that github_events does not have, such as authors of comments. */
const ACCOUNTS_WITHOUT_EVENTS = `
  SELECT LOWER(login) AS name, id AS user_id, updated_at AS first_used_at, updated_at AS last_used_at
  FROM github_users
  WHERE id > 0 AND login <> '' AND updated_at IS NOT NULL AND id NOT IN (SELECT user_id FROM user_name_uses)`;

/** Fills columns that several migrations add. */
async function fillTotals(tables: Tables): Promise<void> {
  await tables.run(`DELETE FROM ${repoTotals.name}`);
  await tables.insert(repoTotals.name, repoTotals.columns, repoTotals.select('TRUE'));
}

/** Marks the rows whose opening is in an event. Rows of listed repositories are computed again; all other openings are from events. */
async function markOpenings(tables: Tables): Promise<void> {
  const openings = [repoIssues, repoPullRequests];
  for (const { name } of openings) await tables.run(`UPDATE ${name} SET in_events = 0 WHERE opened_at IS NULL`);
  const ids = (await tables.rows('SELECT repo_id FROM github_issue_lists')).flat();
  if (ids.length > 0) await recomputeRepositories(tables, `SELECT unnest([${ids.join(', ')}]::BIGINT[])`, openings);
}

async function fillDailyCounts(tables: Tables): Promise<void> {
  for (const table of [repoDailyCounts, repoForks]) {
    await tables.run(`DELETE FROM ${table.name}`);
    await tables.insert(table.name, columnsOf(table), table.select('github_events'));
  }
}

/**
 * Removes the indexes of github_repos from a DuckDB file, because they would have to fit into memory. Instead, the next import sorts the
 * table. Names of deleted repositories are added.
 */
async function sortRepositories(tables: Tables): Promise<void> {
  for (const index of ['by_name', 'by_name_lower', 'by_id']) {
    await tables.staging.run(`DROP INDEX IF EXISTS github_repos_${index}`);
  }
  await tables.insert(repoNames.name, repoNames.columns, repoNames.select('is_deleted <> 0'));
  await tables.run("DELETE FROM table_order WHERE name = 'github_repos'");
  await tables.insert('table_order', ['name', 'added'], "SELECT 'github_repos', COUNT(*) FROM github_repos");
}

/** Computes the coverage by hour. */
async function seedCoverage(tables: Tables): Promise<void> {
  await tables.run('UPDATE mv_repo_pull_requests SET creator_id = NULL WHERE creator_id = 0');
  await tables.run(`DELETE FROM ${eventCoverage.name}`);
  await tables.insert(eventCoverage.name, columnsOf(eventCoverage), eventCoverage.select('github_events'));
  await fillImportedHours(tables);
  await refreshGaps(tables);
}

async function correctBots(tables: Tables): Promise<void> {
  await tables.run("UPDATE github_users SET is_bot = 1 WHERE type = 'Bot' AND is_bot = 0");
  await tables.run(
    "UPDATE mv_repo_people SET is_bot = 1 WHERE is_bot = 0 AND user_id IN (SELECT id FROM github_users WHERE type = 'Bot')",
  );
}

/** Fills the tables for the search of names. */
export async function fillNames(tables: Tables): Promise<void> {
  for (const { name, columns, select } of NAME_TABLES) await tables.insert(name, columns, select('TRUE'));
}

/** Inserts the country names. A line of the file has a code and the names of one country in many languages, separated by tabs. */
async function seedCountryNames(tables: Tables): Promise<void> {
  const rows = await readTabSeparated('warehouse/country-names.tsv');
  await tables.insertRows(
    'country_names',
    rows.flatMap(([code = '', ...names]) => names.map((name) => [name, code])),
  );
}
