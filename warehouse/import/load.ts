import type { DuckDBConnection } from '@duckdb/node-api';
import { refreshGaps } from '../derived/feed-gaps.js';
import { markRefreshDue, refreshChanged } from '../derived/refresh.js';
import type { Tables } from '../store/store.js';
import { noteImportedHours } from './imported-hours.js';
import { type LedgerFile, writeLedger } from './ledger.js';
import { gatherRepositories } from './repositories/gather-repositories.js';
import { MERGING_TABLES, mergeRepositories } from './repositories/merge-repositories.js';
import { moveEvents } from './repositories/move-events.js';
import { gatherNameUses, TOLD_NAME_USES } from './repositories/repo-name-uses.js';
import {
  CHANGED_REPOS,
  MOVED_EVENTS,
  resolveRepositories,
  SOURCE_TARGETS,
  STORED_TARGETS,
} from './repositories/resolve-repositories.js';
import { type FileSpan, removeDuplicates } from './staging/duplicates.js';
import { clearStaged, STAGED_EVENTS } from './staging/staging.js';
import { gatherUsers, mergeUsers } from './users.js';

/** A source whose rows are staged as number `file`. */
export interface StagedFile {
  readonly file: number;
  readonly digest: string;
  readonly name: string;
  readonly source: string;
  readonly bytes: number;
  readonly broken: number;
}

export interface LoadOptions {
  /** `YYYY-MM-DD HH:MM:SS`, for the ledger. */
  readonly importedAt: string;
  /** The rows of files that were imported before are replaced. */
  readonly again: boolean;
  /** The files have every event of their days. */
  readonly complete: boolean;
}

/**
 * Moves the staged rows into every table that depends on events, and the files into the ledger. The caller's transaction
 * makes it all or nothing.
 */
export async function loadStaged(
  tables: Tables,
  files: readonly StagedFile[],
  options: LoadOptions,
): Promise<LedgerFile[]> {
  const { staging } = tables;
  const contents = await stagedContents(staging);
  // Before duplicates go: the same event may carry later details in another copy of the feed.
  await gatherRepositories(staging);
  await gatherNameUses(staging);
  await gatherUsers(staging);
  const spans = [...contents].map(([file, content]): FileSpan => ({ file, first: content.first, last: content.last }));
  const duplicates = await removeDuplicates(tables, spans, options.again);
  if (options.again) await markRefreshDue(tables);
  await resolveRepositories(tables);
  await moveEvents(tables);
  await tables.append('github_events', selectEvents(files));
  await refreshChanged(tables, STAGED_EVENTS, MOVED_EVENTS);
  await mergeRepositories(tables);
  await mergeUsers(tables);
  const ledger = files.map(({ file, ...rest }): LedgerFile => {
    const content = contents.get(file);
    return {
      ...rest,
      events: Object.values(content?.byType ?? {}).reduce((sum, events) => sum + events, 0),
      alreadyThere: duplicates.get(file) ?? 0,
      firstEventAt: content?.first ?? null,
      lastEventAt: content?.last ?? null,
      byType: content?.byType ?? {},
    };
  });
  await writeLedger(tables, ledger, options.importedAt);
  await noteImportedHours(tables, ledger, options);
  await refreshGaps(tables);
  await staging.run(GATHERED_TABLES.map((table) => `DROP TABLE ${table}`).join('; '));
  return ledger;
}

/** Merges stored provisional repositories, by their ids, into the real ones that are known by their names. */
export async function mergeStored(tables: Tables, ids: readonly string[]): Promise<void> {
  const { staging } = tables;
  await clearStaged(staging);
  await gatherRepositories(staging);
  await gatherNameUses(staging);
  await resolveRepositories(tables, ids);
  await moveEvents(tables);
  await refreshChanged(tables, STAGED_EVENTS, MOVED_EVENTS);
  await mergeRepositories(tables);
  await staging.run(REPOSITORY_TABLES.map((table) => `DROP TABLE ${table}`).join('; '));
}

/**
 * The join has no effect on the rows. It frees DuckDB from keeping their order, for which it would set so much memory
 * aside, by the column, that it would work on one thread alone.
 */
function selectEvents(files: readonly StagedFile[]): string {
  const numbers = files.map(({ file }) => `(${file})`).join(', ');
  return `
    SELECT * EXCLUDE (row_id, file, creator_type, repository, profile, began_at, released_at, fork)
    FROM ${STAGED_EVENTS}
    SEMI JOIN (VALUES ${numbers}) files(file) USING (file)`;
}

/** Temporary tables of this load; what they hold would stay in memory. */
const REPOSITORY_TABLES = [
  'told_repos',
  'told_owners',
  TOLD_NAME_USES,
  STORED_TARGETS,
  MOVED_EVENTS,
  SOURCE_TARGETS,
  CHANGED_REPOS,
  ...MERGING_TABLES,
];
const GATHERED_TABLES = [...REPOSITORY_TABLES, 'told_users', 'merged_users', 'renamed_users'];

interface Content {
  first: string;
  last: string;
  readonly byType: Record<string, number>;
}

async function stagedContents(staging: DuckDBConnection): Promise<Map<number, Content>> {
  const reader = await staging.runAndReadAll(`
    SELECT file, type, COUNT(*), MIN(created_at)::VARCHAR, MAX(created_at)::VARCHAR
    FROM ${STAGED_EVENTS}
    GROUP BY file, type
    ORDER BY file, type`);
  const contents = new Map<number, Content>();
  for (const [file, type, events, first, last] of reader.getRowsJS() as [number, string, bigint, string, string][]) {
    const content = contents.get(file) ?? { first, last, byType: {} };
    contents.set(file, content);
    content.byType[type] = Number(events);
    if (first < content.first) content.first = first;
    if (last > content.last) content.last = last;
  }
  return contents;
}
