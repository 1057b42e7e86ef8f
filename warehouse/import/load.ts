import type { DuckDBConnection } from '@duckdb/node-api';
import { refreshGaps } from '../derived/feed-gaps.js';
import { refreshChanged, refreshReplaced } from '../derived/refresh.js';
import { markOutdated } from '../derived/refresh-as-of.js';
import { daysBetween } from '../rules/times.js';
import { REPO_FEED_EVENTS } from '../schema/repo-feed-events.js';
import type { Tables } from '../store/store.js';
import { gatherRepositories } from './facts/gather-repositories.js';
import { GATHERED_USERS, gatherUsers, SEEN_USERS } from './facts/gather-users.js';
import { mergeRepositories, REPO_MERGING_TABLES } from './facts/merge-repositories.js';
import { mergeUsers, USER_MERGING_TABLES } from './facts/merge-users.js';
import { resolve } from './facts/resolve-provisional.js';
import { addImportedHours } from './imported-hours.js';
import { type LedgerFile, writeLedger } from './ledger.js';
import {
  ARCHIVED_FEED_EVENTS,
  type FileSpan,
  REPLACED_REPOS,
  removeDuplicates,
  removeStored,
} from './staging/duplicates.js';
import { repoNameUses } from './staging/name-uses.js';
import { ACCOUNTS, KINDS, type NamedKind, REPOSITORIES, tablesOf } from './staging/named-kind.js';
import { takeReplacedFiles } from './staging/replaced-files.js';
import { clearStaged, resolveStaged, STAGED_EVENTS } from './staging/staging-table.js';

/** A source whose rows are in the staging table, under the number `file`. */
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
  /** Whether this import has read a file with this digest. */
  readonly isReadNow: (digest: string) => boolean;
  /** Whether the files contain all events of their days. */
  readonly complete: boolean;
}

/** A row of the ledger, with a note for the user. */
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
  const { counts, hasArchived } = await removeDuplicates(tables, spans, replaced);
  await addStaged(tables, files, hasArchived ? STAGED_AND_ARCHIVED : STAGED_EVENTS);
  if (replaced !== undefined) await refreshReplaced(tables, REPLACED_REPOS, daysOf([...spans, ...replaced.windows]));
  await mergeRepositories(tables);
  const ledger = files.map(({ file, ...rest }): LoadedFile => {
    const content = contents.get(file);
    return {
      ...rest,
      events: Object.values(content?.byType ?? {}).reduce((sum, events) => sum + events, 0),
      alreadyThere: counts.get(file) ?? 0,
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
  await dropTemporary(tables, [
    ...(replaced === undefined ? [] : [REPLACED_REPOS]),
    ...(hasArchived ? [ARCHIVED_FEED_EVENTS] : []),
  ]);
  return ledger;
}

/**
 * Writes the staged rows, which are pages of feeds with the file numbers `files`. The function works like `loadStaged`, but does not change
 * the coverage of the data, because a feed contains the events of only one repository. Returns the number of new events.
 */
export async function loadFeeds(tables: Tables, files: readonly number[]): Promise<number> {
  const { staging } = tables;
  await gatherFacts(staging);
  await removeStored(tables);
  await addStaged(
    tables,
    files.map((file) => ({ file })),
    undefined,
  );
  await tables.append(
    REPO_FEED_EVENTS.name,
    `SELECT ${REPO_FEED_EVENTS.keys.join(', ')}, COALESCE(action, '') AS action, COALESCE(number, 0) AS number FROM ${STAGED_EVENTS}`,
  );
  await mergeRepositories(tables);
  await markOutdated(tables);
  await dropTemporary(tables);
  const [[events] = []] = (await staging.runAndReadAll(`SELECT COUNT(*) FROM ${STAGED_EVENTS}`)).getRowsJS();
  return Number(events);
}

/** Writes the staged rows to github_events, and updates the accounts and the derived tables. For `archived`, see `refreshChanged`. */
async function addStaged(
  tables: Tables,
  files: readonly Pick<StagedFile, 'file'>[],
  archived: string | undefined,
): Promise<void> {
  await resolveNames(tables);
  await tables.append('github_events', selectEvents(files));
  // Accounts are merged first, because the derived tables contain columns of accounts.
  await mergeUsers(tables, MOVED_ACTORS);
  await refreshChanged(tables, STAGED_EVENTS, archived, MOVED);
}

/** The events that are new to the coverage: the staged rows, and the events that were only known from a feed until now. */
const STAGED_AND_ARCHIVED = `(
  SELECT type, event_day, created_at FROM ${STAGED_EVENTS}
  UNION ALL
  SELECT type, event_day, created_at FROM ${ARCHIVED_FEED_EVENTS}
)`;

/** Drops temporary tables, because their rows would stay in memory. */
async function dropTemporary({ staging }: Tables, others: readonly string[] = []): Promise<void> {
  await staging.run([...TEMPORARY_TABLES, ...others].map((table) => `DROP TABLE ${table}`).join('; '));
}

function daysOf(times: readonly { readonly first: string; readonly last: string }[]): string[] {
  return [...new Set(times.flatMap(({ first, last }) => daysBetween(first, last)))];
}

/** Merges stored provisional repositories or accounts into the real repositories or accounts with the same name. */
export async function mergeStored(tables: Tables, kind: NamedKind, ids: readonly string[]): Promise<void> {
  const { staging } = tables;
  await clearStaged(staging);
  await gatherFacts(staging);
  await resolveNames(tables, new Map([[kind, ids]]));
  await mergeUsers(tables, MOVED_ACTORS);
  await refreshChanged(tables, STAGED_EVENTS, undefined, MOVED);
  await mergeRepositories(tables);
  await markOutdated(tables);
  await dropTemporary(tables);
}

/** Finds the real ids of provisional accounts and repositories, and writes them to the staged and stored events. */
async function resolveNames(tables: Tables, again?: ReadonlyMap<NamedKind, readonly string[]>): Promise<void> {
  // Accounts come first, so that events that move to another repository already have their final account.
  const users = await resolve(tables, ACCOUNTS, again?.get(ACCOUNTS));
  const repos = await resolve(tables, REPOSITORIES, again?.get(REPOSITORIES));
  await resolveStaged(tables.staging, repos, users);
}

/**
 * Returns the SELECT of the new events. The join does not change the result, but with it DuckDB need not keep the order of the rows. To
 * keep the order, DuckDB would reserve so much memory per column that it could only use one thread.
 */
function selectEvents(files: readonly Pick<StagedFile, 'file'>[]): string {
  const numbers = files.map(({ file }) => `(${file})`).join(', ');
  return `
    SELECT * EXCLUDE (row_id, file, creator_type, commenter, repository, profile, began_at, released_at, fork)
    FROM ${STAGED_EVENTS}
    SEMI JOIN (VALUES ${numbers}) files(file) USING (file)`;
}

const MOVED = { repos: tablesOf(REPOSITORIES).moved, users: tablesOf(ACCOUNTS).moved };
const MOVED_ACTORS = `SELECT actor_id FROM ${MOVED.repos} WHERE actor_id <> 0 UNION SELECT actor_id FROM ${MOVED.users}`;

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

/** Gathers the facts in the staged events that github_events does not store, one row per id in the events. */
async function gatherFacts(staging: DuckDBConnection): Promise<void> {
  await gatherRepositories(staging);
  await gatherUsers(staging);
  await gatherNameUses(staging);
}

/** Gathers the uses of names in the staged events. */
async function gatherNameUses(staging: DuckDBConnection): Promise<void> {
  await staging.run(`
    CREATE OR REPLACE TEMP TABLE ${tablesOf(REPOSITORIES).uses} AS
    SELECT name, repo_id, MIN(first_used_at) AS first_used_at, MAX(last_used_at) AS last_used_at
    FROM (
      ${repoNameUses.select(STAGED_EVENTS)}
      UNION ALL
      SELECT lower(fork.name), fork.id, created_at, created_at FROM ${STAGED_EVENTS} WHERE fork.id > 0 AND fork.name <> ''
    )
    GROUP BY name, repo_id`);
  await staging.run(`
    CREATE OR REPLACE TEMP TABLE ${tablesOf(ACCOUNTS).uses} AS
    SELECT lower(login) AS name, id AS user_id, MIN(first_seen_at) AS first_used_at, MAX(last_seen_at) AS last_used_at
    FROM ${SEEN_USERS}
    WHERE id > 0 AND login <> ''
    GROUP BY ALL`);
}
