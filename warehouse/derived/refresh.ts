import { hasRows } from '../../engine/databases/duckdb/connection/read-rows.js';
import { isBotSql } from '../rules/bots.js';
import { columnsOf, type MergedTable } from '../schema/derived-table.js';
import { archivedEventsSql } from '../schema/repo-feed-events.js';
import type { Store, Tables } from '../store/store.js';
import { LISTED_TABLES, listedEventsSql, selectWithLists } from '../tables/listed-issues.js';
import { eventCoverage, MERGED_TABLES, NAME_TABLES, RECOMPUTED_TABLES } from '../tables/tables.js';
import { refreshGaps } from './feed-gaps.js';
import { rewriteOrganizations } from './organizations.js';
import { markOutdated } from './refresh-as-of.js';

/**
 * The names of the staging tables with the stored events whose repository or account has changed. A row contains the new id, and the
 * previous id as `old_id`.
 */
export interface MovedEvents {
  readonly repos: string;
  readonly users: string;
}

/**
 * Updates the derived tables after a change of github_events. `events` is a staging table with the new events. `archived` contains the
 * events that are new to the coverage of the data. The feed gaps are not updated, because they also depend on the ledger: see
 * `refreshGaps`.
 */
export async function refreshChanged(
  tables: Tables,
  events: string,
  archived: string | undefined,
  moved: MovedEvents,
): Promise<void> {
  const { staging } = tables;
  const hasRepos = await hasRows(staging, moved.repos);
  const hasUsers = await hasRows(staging, moved.users);
  if (hasUsers) await removeOldAccounts(tables, moved.users);
  const changed: MergedTable[] = [];
  for (const table of TABLES_OF_REPOSITORIES) {
    const others = [...(hasRepos ? [moved.repos] : []), ...(hasUsers && isByAccount(table) ? [moved.users] : [])];
    if (await mergeDelta(tables, table, withMovedSql(events, others))) changed.push(table);
  }
  if (archived !== undefined) {
    await mergeDelta(tables, eventCoverage, archived);
    await staging.run(`DROP TABLE ${delta(eventCoverage)}`);
  }
  // The usual case: provisional accounts become real accounts, and no repository loses events.
  const oldRepos = `SELECT old_id FROM ${moved.repos} UNION SELECT repo_id FROM ${moved.users} WHERE old_id > 0`;
  const losesEvents = (hasRepos || hasUsers) && (await hasRows(staging, `(${oldRepos})`));
  if (losesEvents) await recomputeRepositories(tables, oldRepos);
  for (const table of RECOMPUTED_TABLES) {
    const from = table.from.filter((source) => changed.includes(source));
    const ids = [...from.map((source) => `SELECT repo_id FROM ${delta(source)}`), ...(losesEvents ? [oldRepos] : [])];
    if (ids.length > 0) await tables.recompute(table, ids.join(' UNION '));
  }
  await staging.run(TABLES_OF_REPOSITORIES.map((table) => `DROP TABLE ${delta(table)}`).join('; '));
}

/**
 * Merges the groups of events into a derived table. Returns whether there are such groups. The temporary table of the groups is not
 * dropped.
 */
async function mergeDelta(tables: Tables, table: MergedTable, events: string): Promise<boolean> {
  await tables.staging.run(`CREATE OR REPLACE TEMP TABLE ${delta(table)} AS ${table.select(events)}`);
  const hasGroups = await hasRows(tables.staging, delta(table));
  if (hasGroups) await tables.merge(table, delta(table));
  return hasGroups;
}

/**
 * Updates the derived tables after rows were added to github_issues for repositories whose list is complete, or after a list became
 * complete. `issues` is a table of the staging database with the rows. The staging database must contain the accounts of these rows.
 */
export async function refreshListed(tables: Tables, issues: string): Promise<void> {
  for (const table of LISTED_TABLES) await mergeDelta(tables, table, listedEventsSql(issues, 'TRUE'));
  const ids = `SELECT repo_id FROM ${issues}`;
  for (const table of RECOMPUTED_TABLES) await tables.recompute(table, ids);
  await tables.staging.run(LISTED_TABLES.map((table) => `DROP TABLE ${delta(table)}`).join('; '));
}

/** Computes the derived tables of repositories again after rows of github_issues were changed. `ids` is a SELECT on the staging database. */
export async function refreshRelisted(tables: Tables, ids: string): Promise<void> {
  await recomputeRepositories(tables, ids, LISTED_TABLES);
  for (const table of RECOMPUTED_TABLES) await tables.recompute(table, ids);
}

/**
 * Removes the rows of provisional accounts whose events have moved: when such an account is resolved, all its events move. A real account
 * that loses events can still have other events, so all rows of the repository are computed again.
 */
async function removeOldAccounts(tables: Tables, moved: string): Promise<void> {
  const old = `(SELECT * REPLACE (old_id AS actor_id) FROM ${moved} WHERE old_id < 0)`;
  for (const table of MERGED_TABLES.filter(isByAccount)) {
    await tables.staging.run(
      `CREATE OR REPLACE TEMP TABLE old_groups AS SELECT * FROM (${table.select(old)}) WHERE user_id < 0`,
    );
    await tables.removeGroups(table, 'old_groups');
  }
  await tables.staging.run('DROP TABLE old_groups');
}

function withMovedSql(events: string, moved: readonly string[]): string {
  if (moved.length === 0) return events;
  const selects = moved.map((table) => `SELECT * EXCLUDE (old_id) FROM ${table}`);
  return `(${[`SELECT * FROM ${events}`, ...selects].join(' UNION ALL BY NAME ')})`;
}

/**
 * Computes the derived tables again after stored events were replaced or deleted. Must run after `refreshChanged`. `repos` is a staging
 * table with the repository ids of these events. `days` are the days of these events, as `YYYY-MM-DD`.
 */
export async function refreshReplaced(tables: Tables, repos: string, days: readonly string[]): Promise<void> {
  if (days.length === 0) return;
  const ids = `SELECT repo_id FROM ${repos}`;
  await recomputeRepositories(tables, ids);
  const isOfDays = `IN (${days.map((day) => `'${day}'`).join(', ')})`;
  await tables.run(`DELETE FROM ${eventCoverage.name} WHERE day ${isOfDays}`);
  const archived = archivedEventsSql(`e.event_day ${isOfDays}`);
  await tables.insert(eventCoverage.name, columnsOf(eventCoverage), eventCoverage.select(archived));
  for (const table of RECOMPUTED_TABLES) await tables.recompute(table, ids);
}

/**
 * Computes the rows of merged tables again for repositories that have lost events, because one event cannot be subtracted from
 * a sum, minimum or maximum. `repoIds` is a SELECT of their ids on the staging database.
 */
export async function recomputeRepositories(
  tables: Tables,
  repoIds: string,
  some: readonly MergedTable[] = TABLES_OF_REPOSITORIES,
): Promise<void> {
  const hasLists = await anyList(tables);
  for (const table of some) {
    const select = (among: string) => selectStored(table, eventsAmong(among), among, hasLists);
    await tables.recompute({ name: table.name, columns: columnsOf(table), key: 'repo_id', select }, repoIds);
  }
}

/**
 * Returns the SELECT of a merged table from the stored events, and from the complete lists of issues if there are any. `among` is a
 * condition for both.
 */
function selectStored(table: MergedTable, events: string, among: string, hasLists: boolean): string {
  return hasLists && LISTED_TABLES.includes(table) ? selectWithLists(table, events, among) : table.select(events);
}

/** A FROM clause with the stored events that match the condition `among`. */
function eventsAmong(among: string): string {
  return `(SELECT * FROM github_events WHERE ${among}) events`;
}

/** Whether at least one list of issues is complete. Without one, the derived tables have a shorter SELECT. */
async function anyList(tables: Tables): Promise<boolean> {
  return (await tables.rows('SELECT repo_id FROM github_issue_lists LIMIT 1')).length > 0;
}

/** The merged tables with rows per repository: all except the coverage. */
const TABLES_OF_REPOSITORIES = MERGED_TABLES.filter((table) => table !== eventCoverage);

function isByAccount(table: MergedTable): boolean {
  return table.keys.includes('user_id');
}

/**
 * Computes all derived tables again from github_events and github_issues. Also applies the rules for bots and organizations again to
 * github_users. If this program version made all imports, nothing changes.
 */
export function refreshFull(store: Store): Promise<void> {
  return store.write(async (tables) => {
    // This must run first, because the derived tables contain columns of accounts.
    const isBot = `CASE WHEN ${isBotSql('login', 'type')} THEN 1 ELSE 0 END`;
    await tables.run(`UPDATE github_users SET is_bot = ${isBot} WHERE is_bot <> ${isBot}`);
    await rewriteOrganizations(tables);
    const hasLists = await anyList(tables);
    for (const table of MERGED_TABLES) {
      const events = table === eventCoverage ? archivedEventsSql('TRUE') : 'github_events';
      await tables.refill(table.name, columnsOf(table), selectStored(table, events, 'TRUE', hasLists));
    }
    for (const { name, columns, select } of [...RECOMPUTED_TABLES, ...NAME_TABLES]) {
      await tables.refill(name, columns, select('TRUE'));
    }
    await refreshGaps(tables);
    await markOutdated(tables);
  });
}

function delta(table: MergedTable): string {
  return `delta_${table.name}`;
}
