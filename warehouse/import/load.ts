import type { DuckDBConnection } from '@duckdb/node-api';
import { refreshGaps } from '../derived/feed-gaps.js';
import { refreshChanged, refreshReplaced } from '../derived/refresh.js';
import { markOutdated } from '../derived/refresh-as-of.js';
import { daysBetween } from '../rules/times.js';
import type { Tables } from '../store/store.js';
import { gatherFacts } from './gather-facts.js';
import { addImportedHours } from './imported-hours.js';
import { type LedgerFile, writeLedger } from './ledger.js';
import { ACCOUNTS, KINDS, type NamedKind, REPOSITORIES, tablesOf } from './names/named-kind.js';
import { resolve } from './provisional/resolve.js';
import { mergeRepositories, REPO_MERGING_TABLES } from './repositories/merge-repositories.js';
import { type FileSpan, REPLACED_REPOS, removeDuplicates } from './staging/duplicates.js';
import { takeReplacedFiles } from './staging/replaced-files.js';
import { clearStaged, resolveStaged, STAGED_EVENTS } from './staging/staging-table.js';
import { GATHERED_USERS, SEEN_USERS } from './users/gather-users.js';
import { mergeUsers, USER_MERGING_TABLES } from './users/merge-users.js';

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
  await gatherFacts(staging);
  const spans = [...contents].map(([file, content]): FileSpan => ({ file, first: content.first, last: content.last }));
  const replaced = options.again ? await takeReplacedFiles(tables, files, options.isReadNow) : undefined;
  const duplicates = await removeDuplicates(tables, spans, replaced);
  await resolveNames(tables);
  await tables.append('github_events', selectEvents(files));
  // The derived tables contain facts of accounts.
  await mergeUsers(tables, MOVED_ACTORS);
  await refreshChanged(tables, STAGED_EVENTS, MOVED);
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
  const temporary = [...TEMPORARY_TABLES, ...(replaced === undefined ? [] : [REPLACED_REPOS])];
  await staging.run(temporary.map((table) => `DROP TABLE ${table}`).join('; '));
  return ledger;
}

function daysOf(times: readonly { readonly first: string; readonly last: string }[]): string[] {
  return [...new Set(times.flatMap(({ first, last }) => daysBetween(first, last)))];
}

/** Merges the stored provisional repositories or accounts with these ids into the real ones of their names. */
export async function mergeStored(tables: Tables, kind: NamedKind, ids: readonly string[]): Promise<void> {
  const { staging } = tables;
  await clearStaged(staging);
  await gatherFacts(staging);
  await resolveNames(tables, new Map([[kind, ids]]));
  await mergeUsers(tables, MOVED_ACTORS);
  await refreshChanged(tables, STAGED_EVENTS, MOVED);
  await mergeRepositories(tables);
  await markOutdated(tables);
  await staging.run(TEMPORARY_TABLES.map((table) => `DROP TABLE ${table}`).join('; '));
}

/** Finds the real ids of provisional accounts and repositories, and sets them in the staged and the stored events. */
async function resolveNames(tables: Tables, again?: ReadonlyMap<NamedKind, readonly string[]>): Promise<void> {
  // Accounts are first, so that events that move to another repository already have their account.
  const users = await resolve(tables, ACCOUNTS, again?.get(ACCOUNTS));
  const repos = await resolve(tables, REPOSITORIES, again?.get(REPOSITORIES));
  await resolveStaged(tables.staging, repos, users);
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

const MOVED = { repos: tablesOf(REPOSITORIES).moved, users: tablesOf(ACCOUNTS).moved };
const MOVED_ACTORS = `SELECT actor_id FROM ${MOVED.repos} WHERE actor_id <> 0 UNION SELECT actor_id FROM ${MOVED.users}`;

/** The temporary tables of a load. They are dropped, because otherwise their rows stay in memory. */
const TEMPORARY_TABLES = [
  ...['gathered_repos', 'gathered_owners', SEEN_USERS, GATHERED_USERS],
  ...KINDS.flatMap((kind) => Object.values(tablesOf(kind))),
  ...REPO_MERGING_TABLES,
  ...USER_MERGING_TABLES,
];

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
