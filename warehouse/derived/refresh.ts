import type { DuckDBConnection } from '@duckdb/node-api';
import { isBotSql } from '../rules/bots.js';
import type { Store, Tables } from '../store/store.js';
import type { MergedTable } from '../tables/derived-table.js';
import { MERGED_TABLES, NAME_TABLES, RECOMPUTED_TABLES } from '../tables/tables.js';
import { refreshGaps } from './feed-gaps.js';
import { rewriteOrganizations } from './organizations.js';

/**
 * Brings the derived tables up to date after the rows that the workbench has in `events` were added to github_events, and those in
 * `moved` have got another repository, `repo_id`, in place of `old_repo_id`. The gaps of the feed depend on the ledger too:
 * `refreshGaps` follows it.
 */
export async function refreshWith(tables: Tables, events: string, moved: string): Promise<void> {
  const { staging } = tables;
  const left = `SELECT old_repo_id FROM ${moved}`;
  const isMoved = await hasRows(staging, left);
  if (isMoved) await staging.run(changedEvents(events, moved));
  for (const table of MERGED_TABLES) {
    const changed = isMoved && isByRepository(table) ? CHANGED_EVENTS : events;
    await staging.run(`CREATE OR REPLACE TEMP TABLE ${delta(table)} AS ${table.select(changed)}`);
    await tables.merge(table, delta(table));
  }
  if (isMoved) await leaveRepositories(tables, left);
  for (const table of RECOMPUTED_TABLES) {
    const concerned = table.from.map((source) => `SELECT repo_id FROM ${delta(source)}`);
    await tables.recompute(table, [...concerned, left].join(' UNION '));
  }
  await staging.run(MERGED_TABLES.map((table) => `DROP TABLE ${delta(table)}`).join('; '));
}

/** New events, and those that are new to their repository. */
const CHANGED_EVENTS = 'changed_events';

function changedEvents(events: string, moved: string): string {
  return `
    CREATE OR REPLACE TEMP VIEW ${CHANGED_EVENTS} AS
    SELECT * EXCLUDE (old_repo_id) FROM ${moved} UNION ALL BY NAME SELECT * FROM ${events}`;
}

/** Computes the merged tables again for the repositories that lost events: sums and extremes do not tell what one event gave. */
async function leaveRepositories(tables: Tables, left: string): Promise<void> {
  const reader = await tables.staging.runAndReadAll(
    `SELECT DISTINCT id::VARCHAR FROM (${left}) ids(id) WHERE id > 0 ORDER BY ALL`,
  );
  // A provisional repository loses all its events.
  const ids = reader.getRowsJS().flat().join(', ');
  for (const table of MERGED_TABLES.filter(isByRepository)) {
    await tables.remove(table.name, 'repo_id', left);
    if (ids === '') continue;
    const events = `(SELECT * FROM github_events WHERE repo_id IN (${ids})) events`;
    await tables.insert(table.name, [...table.keys, ...Object.keys(table.measures)], table.select(events));
  }
}

function isByRepository(table: MergedTable): boolean {
  return table.keys.includes('repo_id');
}

async function hasRows(staging: DuckDBConnection, select: string): Promise<boolean> {
  const reader = await staging.runAndReadAll(`${select} LIMIT 1`);
  return reader.currentRowCount > 0;
}

/**
 * Computes every derived table anew from github_events, and who is a bot and which organisations people name from
 * the rules of this version. After any imports
 * by the same version it changes nothing.
 */
export function refreshFull(store: Store): Promise<void> {
  return store.write(async (tables) => {
    for (const { name, keys, measures, select } of MERGED_TABLES) {
      await tables.run(`DELETE FROM ${name}`);
      await tables.insert(name, [...keys, ...Object.keys(measures)], select('github_events'));
    }
    for (const { name, columns, select } of [...RECOMPUTED_TABLES, ...NAME_TABLES]) {
      await tables.run(`DELETE FROM ${name}`);
      await tables.insert(name, columns, select('TRUE'));
    }
    await tables.run(`UPDATE github_users SET is_bot = CASE WHEN ${isBotSql('login')} THEN 1 ELSE 0 END`);
    await rewriteOrganizations(tables);
    await refreshGaps(tables);
    await tables.run('DELETE FROM table_refreshes WHERE name = :p1', [DUE]);
  });
}

/** Notes that stored events were replaced, so that the derived tables are to be computed again, also if this import is interrupted. */
export async function noteRefreshDue(tables: Tables): Promise<void> {
  await tables.run('DELETE FROM table_refreshes WHERE name = :p1', [DUE]);
  await tables.insertRows('table_refreshes', [[DUE, '1970-01-01 00:00:00']]);
}

/** `refreshFull` where it is due. */
export async function refreshIfDue(store: Store): Promise<void> {
  const due = await store.write((tables) =>
    tables.rows('SELECT refreshed_at FROM table_refreshes WHERE name = :p1', [DUE]),
  );
  if (due.length > 0) await refreshFull(store);
}

const DUE = 'full-refresh-due';

function delta(table: MergedTable): string {
  return `delta_${table.name}`;
}
