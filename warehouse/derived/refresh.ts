import type { DuckDBConnection } from '@duckdb/node-api';
import type { EmbeddedDatabase } from '../../databases/duckdb/embedded.js';
import { isBotSql } from '../bots.js';
import { type ClusteredTable, countRows, noteAdded } from './clustering.js';
import type { Merge, MergedTable, RecomputedTable } from './derived-table.js';
import { eventCoverage } from './event-coverage.js';
import { FEED_GAPS } from './feed-gaps.js';
import { repoDailyEngagements } from './repo-daily-engagements.js';
import { repoDailyNewcomers } from './repo-daily-newcomers.js';
import { repoForks } from './repo-forks.js';
import { repoIssueCreators } from './repo-issue-creators.js';
import { repoIssues } from './repo-issues.js';
import { repoParticipants } from './repo-participants.js';
import { repoPullRequestCreators } from './repo-pull-request-creators.js';
import { repoPullRequests } from './repo-pull-requests.js';
import { repoStars } from './repo-stars.js';
import { repoTotals } from './repo-totals.js';

/** In the order of computing: merged from events, then computed from those. */
export const MERGED_TABLES: readonly MergedTable[] = [
  repoIssues,
  repoPullRequests,
  repoStars,
  repoForks,
  repoDailyEngagements,
  repoParticipants,
  eventCoverage,
];

const MERGED_NAMES = MERGED_TABLES.map(({ name }) => name);

export const RECOMPUTED_TABLES: readonly RecomputedTable[] = [
  repoIssueCreators,
  repoPullRequestCreators,
  repoDailyNewcomers,
  repoTotals,
];

/**
 * Tables that DuckDB keeps without keys: the importer merges rows by key, so that a key is never there twice, and an index
 * over every row would cost more than all the rest of an import. Row order makes reading them fast (see `clustering.ts`).
 */
export const UNKEYED_TABLES: ReadonlySet<string> = new Set([
  ...MERGED_TABLES.map((table) => table.name),
  ...RECOMPUTED_TABLES.map((table) => table.name),
  'mv_feed_gaps',
  'mv_trending_repos',
  'github_repos',
  'github_users',
  'repo_owners',
]);

/** Tables that operations read by the first columns of their key. Nothing reads engagements and participants so. */
export const CLUSTERED_TABLES: readonly ClusteredTable[] = [
  ...[repoIssues, repoPullRequests, repoStars].map(({ name, keys }) => ({ name, order: keys })),
  ...RECOMPUTED_TABLES.map(({ name, columns }) => ({ name, order: columns.slice(0, 3) })),
  { name: 'github_users', order: ['id'] },
];

/** Brings the derived tables up to date after the rows of the table `events` were added to github_events. */
export async function refreshWith(connection: DuckDBConnection, events: string): Promise<void> {
  const before = await countRows(connection, MERGED_NAMES);
  for (const table of MERGED_TABLES) {
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${delta(table)} AS ${table.select(events)}`);
    await connection.run(mergeSql(table));
  }
  const added = new Map<string, number>();
  for (const table of RECOMPUTED_TABLES) {
    const among = `repo_id IN (${table.from.map((source) => `SELECT repo_id FROM ${delta(source)}`).join(' UNION ')})`;
    await connection.run(`DELETE FROM ${table.name} WHERE ${among}`);
    const { rowsChanged } = await connection.run(insertSql(table, among));
    added.set(table.name, rowsChanged);
  }
  await findGaps(connection);
  await connection.run(MERGED_TABLES.map((table) => `DROP TABLE ${delta(table)}`).join('; '));
  for (const [name, rows] of await countRows(connection, MERGED_NAMES)) added.set(name, rows - (before.get(name) ?? 0));
  await noteAdded(connection, added);
}

/**
 * Computes every derived table anew from github_events, and who is a bot from the rule of this version. After any imports
 * by the same version it changes nothing.
 */
export function refreshFull(database: EmbeddedDatabase): Promise<void> {
  return database.write(async (connection) => {
    for (const { name, keys, measures, select } of MERGED_TABLES) {
      const columns = [...keys, ...Object.keys(measures)].join(', ');
      await connection.run(`DELETE FROM ${name}`);
      await connection.run(`INSERT INTO ${name} (${columns}) ${select('github_events')}`);
    }
    for (const table of RECOMPUTED_TABLES) {
      await connection.run(`DELETE FROM ${table.name}`);
      await connection.run(insertSql(table, 'TRUE'));
    }
    await connection.run(`UPDATE github_users SET is_bot = ${isBotSql('login')}::TINYINT`);
    await findGaps(connection);
    // None of these rows stands where its key wants it.
    const names = [...MERGED_TABLES, ...RECOMPUTED_TABLES].map(({ name }) => name);
    await noteAdded(connection, await countRows(connection, names));
  });
}

async function findGaps(connection: DuckDBConnection): Promise<void> {
  await connection.run('DELETE FROM mv_feed_gaps');
  await connection.run(`INSERT INTO mv_feed_gaps (type, first_day, last_day) ${FEED_GAPS}`);
}

function delta(table: MergedTable): string {
  return `delta_${table.name}`;
}

function insertSql(table: RecomputedTable, among: string): string {
  return `INSERT INTO ${table.name} (${table.columns.join(', ')}) ${table.select(among)}`;
}

function mergeSql(table: MergedTable): string {
  const columns = [...table.keys, ...Object.keys(table.measures)];
  const sameKey = table.keys.map((key) => `t.${key} = d.${key}`).join(' AND ');
  const changes = Object.entries(table.measures).map(([name, merge]) => `${name} = ${merged(merge, name)}`);
  return `
    MERGE INTO ${table.name} t USING ${delta(table)} d ON ${sameKey}
    ${changes.length === 0 ? '' : `WHEN MATCHED THEN UPDATE SET ${changes.join(', ')}`}
    WHEN NOT MATCHED THEN INSERT (${columns.join(', ')}) VALUES (${columns.map((column) => `d.${column}`).join(', ')})`;
}

/** DuckDB's LEAST and GREATEST leave NULL out, as MIN and MAX do. */
function merged(merge: Merge, column: string): string {
  if (merge === 'sum') return `t.${column} + d.${column}`;
  return `${merge === 'min' ? 'LEAST' : 'GREATEST'}(t.${column}, d.${column})`;
}
