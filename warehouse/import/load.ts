import type { DuckDBConnection } from '@duckdb/node-api';
import { refreshGaps } from '../derived/feed-gaps.js';
import { refreshChanged, refreshReplaced } from '../derived/refresh.js';
import { markOutdated } from '../derived/refresh-as-of.js';
import { daysBetween } from '../rules/times.js';
import type { Tables } from '../store/store.js';
import { addImportedHours } from './imported-hours.js';
import { type LedgerFile, writeLedger } from './ledger.js';
import { gatherRepositories } from './repositories/gather-repositories.js';
import { MERGING_TABLES, mergeRepositories } from './repositories/merge-repositories.js';
import { moveEvents } from './repositories/move-events.js';
import { GATHERED_NAME_USES, gatherNameUses } from './repositories/repo-name-uses.js';
import {
  CHANGED_REPOS,
  MOVED_EVENTS,
  resolveRepositories,
  SOURCE_TARGETS,
  STORED_TARGETS,
} from './repositories/resolve-repositories.js';
import { type FileSpan, REPLACED_REPOS, removeDuplicates } from './staging/duplicates.js';
import { takeReplacedFiles } from './staging/replaced-files.js';
import { clearStaged, STAGED_EVENTS } from './staging/staging-table.js';
import { gatherUsers, mergeUsers } from './users.js';

/** A source whose rows are in the staging table, with the number `file`. */
export interface StagedFile {
  readonly file: number;
  readonly digest: string;
  readonly name: string;
  readonly source: string;
  readonly bytes: number;
  readonly broken: number;
}

export interface LoadOptions {
  /** The time for the ledger, `YYYY-MM-DD HH:MM:SS`. */
  readonly importedAt: string;
  /** Whether to replace the rows of earlier imports of the files and of their hours. */
  readonly again: boolean;
  /** Whether this import has read the file with a digest. */
  readonly isReadNow: (digest: string) => boolean;
  /** Whether the files have all events of their days. */
  readonly complete: boolean;
}

/** A row of the ledger, and what else the user should know about the file. */
export interface LoadedFile extends LedgerFile {
  readonly note: string | undefined;
}

/** Writes the staged rows to all tables that depend on events, and the files to the ledger. Runs in the caller's transaction. */
export async function loadStaged(
  tables: Tables,
  files: readonly StagedFile[],
  options: LoadOptions,
): Promise<LoadedFile[]> {
  const { staging } = tables;
  const contents = await readContents(staging);
  // This step must run before duplicates are removed, because another copy of the same event may have newer details.
  await gatherRepositories(staging);
  await gatherNameUses(staging);
  await gatherUsers(staging);
  const spans = [...contents].map(([file, content]): FileSpan => ({ file, first: content.first, last: content.last }));
  const replaced = options.again ? await takeReplacedFiles(tables, files, options.isReadNow) : undefined;
  const duplicates = await removeDuplicates(tables, spans, replaced);
  await resolveRepositories(tables);
  await moveEvents(tables);
  await tables.append('github_events', selectEvents(files));
  // The derived tables contain facts of accounts.
  await mergeUsers(tables, MOVED_ACTORS);
  await refreshChanged(tables, STAGED_EVENTS, MOVED_EVENTS);
  if (replaced !== undefined) await refreshReplaced(tables, REPLACED_REPOS, daysOf([...spans, ...replaced.windows]));
  await mergeRepositories(tables);
  const ledger = files.map(({ file, ...rest }): LoadedFile => {
    const content = contents.get(file);
    return {
      ...rest,
      events: Object.values(content?.byType ?? {}).reduce((sum, events) => sum + events, 0),
      alreadyThere: duplicates.get(file) ?? 0,
      firstEventAt: content?.first ?? null,
      lastEventAt: content?.last ?? null,
      byType: content?.byType ?? {},
      note: replaced?.notes.get(file),
    };
  });
  await writeLedger(tables, ledger, options.importedAt);
  await addImportedHours(tables, ledger, options);
  await refreshGaps(tables);
  await markOutdated(tables);
  const temporary = [...GATHERED_TABLES, ...(replaced === undefined ? [] : [REPLACED_REPOS])];
  await staging.run(temporary.map((table) => `DROP TABLE ${table}`).join('; '));
  return ledger;
}

function daysOf(times: readonly { readonly first: string; readonly last: string }[]): string[] {
  return [...new Set(times.flatMap(({ first, last }) => daysBetween(first, last)))];
}

/** Merges the stored provisional repositories with these ids into the real repositories of their names. */
export async function mergeStored(tables: Tables, ids: readonly string[]): Promise<void> {
  const { staging } = tables;
  await clearStaged(staging);
  await gatherRepositories(staging);
  await gatherNameUses(staging);
  await resolveRepositories(tables, ids);
  await moveEvents(tables);
  await tables.loadRows('github_users', 'id', MOVED_ACTORS);
  await refreshChanged(tables, STAGED_EVENTS, MOVED_EVENTS);
  await mergeRepositories(tables);
  await markOutdated(tables);
  await staging.run(REPOSITORY_TABLES.map((table) => `DROP TABLE ${table}`).join('; '));
}

/**
 * Returns the SELECT of the new events. The join does not change the rows, but it allows DuckDB to ignore their order.
 * To keep the order, DuckDB would reserve so much memory for each column that it could only use one thread.
 */
function selectEvents(files: readonly StagedFile[]): string {
  const numbers = files.map(({ file }) => `(${file})`).join(', ');
  return `
    SELECT * EXCLUDE (row_id, file, creator_type, commenter, repository, profile, began_at, released_at, fork)
    FROM ${STAGED_EVENTS}
    SEMI JOIN (VALUES ${numbers}) files(file) USING (file)`;
}

const MOVED_ACTORS = `SELECT actor_id FROM ${MOVED_EVENTS} WHERE actor_id <> 0`;

/** The temporary tables of a load. They are dropped, because otherwise their rows stay in memory. */
const REPOSITORY_TABLES = [
  'gathered_repos',
  'gathered_owners',
  GATHERED_NAME_USES,
  STORED_TARGETS,
  MOVED_EVENTS,
  SOURCE_TARGETS,
  CHANGED_REPOS,
  ...MERGING_TABLES,
];
const GATHERED_TABLES = [...REPOSITORY_TABLES, 'gathered_users', 'merged_users', 'changed_users'];

interface Content {
  first: string;
  last: string;
  readonly byType: Record<string, number>;
}

async function readContents(staging: DuckDBConnection): Promise<Map<number, Content>> {
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
