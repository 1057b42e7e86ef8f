import { mkdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createOwnFolder } from '../../databases/own-folder.js';
import type { Cell } from '../../engine/index.js';
import { writeChunks } from '../../warehouse/import/files/chunks.js';
import { IMPORT } from '../../warehouse/import/import-sources.js';
import { loadFeeds } from '../../warehouse/import/load.js';
import { type SourceChunk, StagingTable } from '../../warehouse/import/staging/staging-table.js';
import { AlreadyRunningError, type Store, type Tables } from '../../warehouse/store/store.js';
import type { FeedPoll } from './source.js';

/** The pages of feeds that one transaction loads. They have up to 100 events each. */
export const PAGES_PER_LOAD = 50;

/** What was loaded. */
export interface LoadedFeeds {
  /** The events that no other source had. */
  readonly events: number;
  /** Whether pages are left, because an import runs: both need the staging tables. */
  readonly isPostponed: boolean;
}

/** Stores pages until they are loaded. */
export async function queuePages(
  tables: Tables,
  pages: readonly { readonly repoId: number; readonly poll: FeedPoll }[],
): Promise<void> {
  if (pages.length === 0) return;
  const [[last = 0] = []] = await tables.rows('SELECT COALESCE(MAX(position), 0) FROM sys_repo_feed_pages');
  // Servers limit the length of a statement, so each page has its own.
  for (const [index, { repoId, poll }] of pages.entries()) {
    const times = [poll.range?.firstAt ?? null, poll.range?.lastAt ?? null];
    await tables.insertRows('sys_repo_feed_pages', [
      [Number(last) + 1 + index, repoId, poll.lines.join('\n'), ...times],
    ]);
  }
}

/**
 * Loads the pages of feeds that wait, and the times for which they are complete, and removes them, in one transaction for several pages. If
 * the database or the importer rejects events of a page, its source has failed, and it is read again from the start later.
 */
export async function loadFeedPages(
  store: Store,
  { stagingDirectory, signal }: { readonly stagingDirectory: string; readonly signal: AbortSignal },
): Promise<LoadedFeeds> {
  let [events, isPostponed] = [0, false];
  while (!signal.aborted && !isPostponed && (await store.write(hasPages))) {
    try {
      // Imports that wait can begin between two transactions.
      events += await store.runExclusively(IMPORT, 0, () => loadSome(store, stagingDirectory));
    } catch (error) {
      if (!(error instanceof AlreadyRunningError)) throw error;
      isPostponed = true;
    }
  }
  if (events > 0) await store.optimize();
  return { events, isPostponed };
}

async function loadSome(store: Store, stagingDirectory: string): Promise<number> {
  const pages = await store.write(readPages);
  await mkdir(stagingDirectory, { recursive: true });
  const folder = await createOwnFolder(stagingDirectory, 'import');
  try {
    return await loadPages(store, pages, folder.path, new Set());
  } finally {
    await folder.remove().catch(() => undefined);
  }
}

/** `rejected` has the repositories with a rejected page, whose later pages complete no range. */
async function loadPages(store: Store, pages: readonly Page[], folder: string, rejected: Set<number>): Promise<number> {
  try {
    return await loadTogether(store, pages, folder, rejected);
  } catch (error) {
    const [page] = pages;
    if (page === undefined) return 0;
    if (pages.length === 1) {
      await store.write((tables) => rejectPage(tables, page, (error as Error).message));
      rejected.add(page.repoId);
      return 0;
    }
    let events = 0;
    for (const each of pages) events += await loadPages(store, [each], folder, rejected);
    return events;
  }
}

async function loadTogether(
  store: Store,
  pages: readonly Page[],
  folder: string,
  rejected: Set<number>,
): Promise<number> {
  const staging = new StagingTable(store, folder);
  const files = pages.flatMap(({ lines }, file) => (lines === '' ? [] : [file]));
  const chunks: SourceChunk[] = [];
  for (const file of files) {
    const text = Readable.from([Buffer.from(`${pages[file]?.lines}\n`)]);
    for await (const chunk of writeChunks(text, folder, `page-${file}`)) chunks.push({ ...chunk, file });
  }
  await staging.clear();
  try {
    const { rows, broken } = files.length === 0 ? NOTHING : await staging.add(chunks);
    const reasons = new Map(broken.map(({ file, reason }) => [pages[file], reason]));
    return await store.write(async (tables) => {
      const staged = [...rows.values()].reduce((sum, count) => sum + count, 0);
      const added = staged === 0 ? 0 : await loadFeeds(tables, files);
      for (const page of pages) {
        const reason = reasons.get(page);
        if (reason !== undefined) await rejectPage(tables, page, reason);
        if (reason !== undefined) rejected.add(page.repoId);
        else await endPage(tables, page, !rejected.has(page.repoId));
      }
      return added;
    });
  } finally {
    await staging.clear();
  }
}

const NOTHING: Awaited<ReturnType<StagingTable['add']>> = { rows: new Map(), broken: [] };

interface Page {
  readonly position: number;
  readonly repoId: number;
  readonly lines: string;
  /** The range that the page completes. The end is empty if the poll continues, and the start if the range does. */
  readonly firstAt: string;
  readonly lastAt: string;
}

const SELECT = `
  SELECT position, repo_id, events, first_at, last_at
  FROM sys_repo_feed_pages
  ORDER BY position
  LIMIT ${PAGES_PER_LOAD}`;

async function hasPages(tables: Tables): Promise<boolean> {
  return (await tables.rows('SELECT position FROM sys_repo_feed_pages LIMIT 1')).length > 0;
}

async function readPages(tables: Tables): Promise<Page[]> {
  return (await tables.rows(SELECT)).map(([position, repoId, lines, firstAt, lastAt]) => ({
    position: Number(position),
    repoId: Number(repoId),
    lines: String(lines),
    firstAt: String(firstAt ?? ''),
    lastAt: String(lastAt ?? ''),
  }));
}

/** Removes a page that was loaded, and stores its range. */
async function endPage(tables: Tables, { position, repoId, firstAt, lastAt }: Page, hasRange: boolean): Promise<void> {
  await tables.run('DELETE FROM sys_repo_feed_pages WHERE position = :p1', [position]);
  if (lastAt === '' || !hasRange) return;
  // Later ranges can only come from a wrong clock.
  if (firstAt !== '')
    await tables.run('DELETE FROM repo_feed_ranges WHERE repo_id = :p1 AND first_at >= :p2', [repoId, firstAt]);
  const newest = 'SELECT first_at, last_at FROM repo_feed_ranges WHERE repo_id = :p1 ORDER BY first_at DESC LIMIT 1';
  const [[start = null, end = null] = []] = await tables.rows(newest, [repoId]);
  const range = joinRanges({ start, end, firstAt, lastAt });
  if (range === undefined) return;
  await tables.run('DELETE FROM repo_feed_ranges WHERE repo_id = :p1 AND first_at = :p2', [repoId, range.first]);
  const period = `from ${range.first.slice(0, 16)} to ${range.last.slice(0, 16)} UTC`;
  await tables.insertRows('repo_feed_ranges', [[repoId, range.first, range.last, period]]);
}

/** The range after a poll: the newest one, which continues, or a new one. Undefined if there is no range to continue. */
function joinRanges({
  start,
  end,
  firstAt,
  lastAt,
}: {
  readonly start: Cell;
  readonly end: Cell;
  readonly firstAt: string;
  readonly lastAt: string;
}): { readonly first: string; readonly last: string } | undefined {
  const later = (a: string, b: string) => (a > b ? a : b);
  if (firstAt === '') return start === null ? undefined : { first: String(start), last: later(String(end), lastAt) };
  const isJoined = start !== null && firstAt <= String(end);
  return { first: isJoined ? String(start) : firstAt, last: later(firstAt, lastAt) };
}

/**
 * Removes a page with events that cannot be stored. No range of its repository ends after it, until a poll has none of these events: the
 * source is read from its start again.
 */
async function rejectPage(tables: Tables, { position, repoId }: Page, reason: string): Promise<void> {
  await tables.run('DELETE FROM sys_repo_feed_pages WHERE position = :p1', [position]);
  await tables.run('UPDATE sys_repo_feed_pages SET first_at = NULL, last_at = NULL WHERE repo_id = :p1', [repoId]);
  const error = `An event in the feed cannot be stored: ${reason}`.slice(0, 255);
  await tables.run(
    `UPDATE sys_repo_sources SET checked_at = NULL, updated_since = NULL, etag = NULL, failures = failures + 1, error = :p2
     WHERE repo_id = :p1 AND source = 'events'`,
    [repoId, error],
  );
}
