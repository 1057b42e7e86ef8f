import { mkdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createOwnFolder } from '../../engine/databases/own-folder.js';
import { writeChunks } from '../../warehouse/import/files/chunks.js';
import { IMPORT } from '../../warehouse/import/import-sources.js';
import { loadFeeds } from '../../warehouse/import/load.js';
import { type BrokenLine, type SourceChunk, StagingTable } from '../../warehouse/import/staging/staging-table.js';
import { AlreadyRunningError, type Store, type Tables } from '../../warehouse/store/store.js';
import type { FeedPoll } from './source.js';

/** The number of feed pages per transaction. A page has up to 100 events. */
export const PAGES_PER_LOAD = 50;

/** The result of a load. */
export interface LoadedFeeds {
  /** The number of events that no other source had. */
  readonly events: number;
  /** Whether pages are left because an import is running, which uses the same staging tables. */
  readonly isPostponed: boolean;
}

/** Adds pages to the queue in the database. */
export async function queuePages(
  tables: Tables,
  pages: readonly { readonly repoId: number; readonly poll: FeedPoll }[],
): Promise<void> {
  if (pages.length === 0) return;
  const [[last = 0] = []] = await tables.rows('SELECT COALESCE(MAX(position), 0) FROM sys_repo_feed_pages');
  // Servers limit the length of a statement, so each page has its own statement.
  for (const [index, { repoId, poll }] of pages.entries()) {
    const times = [poll.range?.firstAt ?? null, poll.range?.lastAt ?? null];
    await tables.insertRows('sys_repo_feed_pages', [
      [Number(last) + 1 + index, repoId, poll.lines.join('\n'), ...times],
    ]);
  }
}

/**
 * Loads the queued feed pages and the time ranges that they complete, and removes them from the queue. One transaction loads several pages.
 * If the database or the importer rejects events of a page, the source counts as failed, and is later read again from the start.
 */
export async function loadFeedPages(
  store: Store,
  { stagingDirectory, signal }: { readonly stagingDirectory: string; readonly signal: AbortSignal },
): Promise<LoadedFeeds> {
  let [events, isPostponed] = [0, false];
  while (!signal.aborted && !isPostponed && (await store.write(hasPages))) {
    try {
      // The lock is released after each transaction, so that a waiting import can begin.
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

/**
 * Loads pages. If loading fails, loads the pages one by one, to find the invalid page. `rejected` collects the repositories with a rejected
 * page; their later pages complete no range.
 */
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
  const withLines = pages.filter(({ lines }) => lines !== '');
  // All pages are written to one file, because DuckDB needs about the same time for one page as for fifty pages.
  const text = Readable.from(withLines.map(({ lines }) => Buffer.from(`${lines}\n`)));
  const chunks: SourceChunk[] = [];
  for await (const chunk of writeChunks(text, folder, 'pages')) chunks.push({ ...chunk, file: FILE });
  await staging.clear();
  try {
    const { rows, broken } = chunks.length === 0 ? NOTHING : await staging.add(chunks);
    const reasons = reasonsOf(withLines, broken);
    return await store.write(async (tables) => {
      const added = (rows.get(FILE) ?? 0) === 0 ? 0 : await loadFeeds(tables, [FILE]);
      const loaded: Page[] = [];
      for (const page of pages) {
        const reason = reasons.get(page);
        if (reason === undefined) loaded.push(rejected.has(page.repoId) ? { ...page, lastAt: '' } : page);
        else {
          await rejectPage(tables, page, reason);
          rejected.add(page.repoId);
        }
      }
      await endPages(tables, loaded);
      return added;
    });
  } finally {
    await staging.clear();
  }
}

/** The number of the only source file. */
const FILE = 0;

/** Returns the pages with lines that are not events, and the reasons. Throws if a line cannot be assigned to one page. */
function reasonsOf(pages: readonly Page[], broken: readonly BrokenLine[]): ReadonlyMap<Page, string> {
  const reasons = new Map<Page, string>();
  for (const { line, reason } of broken) {
    const page = pages.length === 1 ? pages[0] : pageOfLine(pages, line);
    if (page === undefined) throw new Error(reason);
    reasons.set(page, reason);
  }
  return reasons;
}

/** Returns the page of a line. Lines are numbered from 1. Undefined if the number is not known. */
function pageOfLine(pages: readonly Page[], line: number): Page | undefined {
  let last = 0;
  return pages.find(({ lines }) => {
    last += lines.split('\n').length;
    return line > 0 && line <= last;
  });
}

const NOTHING: Awaited<ReturnType<StagingTable['add']>> = { rows: new Map(), broken: [] };

interface Page {
  readonly position: number;
  readonly repoId: number;
  readonly lines: string;
  /**
   * The time range that the page completes. `lastAt` is empty if the poll continues. `firstAt` is empty if the previous range continues.
   */
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

/** Removes loaded pages from the queue, and stores the ranges that they complete. */
async function endPages(tables: Tables, pages: readonly Page[]): Promise<void> {
  if (pages.length === 0) return;
  await tables.run(`DELETE FROM sys_repo_feed_pages WHERE position IN (${pages.map(({ position }) => position)})`);
  let left = pages.filter(({ lastAt }) => lastAt !== '');
  // Several polls of one repository must be stored in order, so each round takes one poll per repository.
  while (left.length > 0) {
    const first = new Map(left.toReversed().map((page) => [page.repoId, page]));
    await storeRanges(tables, [...first.values()]);
    left = left.filter((page) => first.get(page.repoId) !== page);
  }
}

/** Stores the ranges of polls of different repositories, at most one per repository. */
async function storeRanges(tables: Tables, pages: readonly Page[]): Promise<void> {
  // Ranges that start later than the new range were stored while the clock was wrong.
  for (const { repoId, firstAt } of pages.filter((page) => page.firstAt !== ''))
    await tables.run('DELETE FROM repo_feed_ranges WHERE repo_id = :p1 AND first_at >= :p2', [repoId, firstAt]);
  const newest = await newestRanges(
    tables,
    pages.map(({ repoId }) => repoId),
  );
  const ranges = pages.flatMap((page) => joinRanges(newest.get(page.repoId), page) ?? []);
  const replaced = ranges.filter(({ repoId, first }) => newest.get(repoId)?.first === first);
  if (replaced.length > 0) {
    const keys = replaced.map((_, index) => `(repo_id = :p${2 * index + 1} AND first_at = :p${2 * index + 2})`);
    const values = replaced.flatMap(({ repoId, first }) => [repoId, first]);
    await tables.run(`DELETE FROM repo_feed_ranges WHERE ${keys.join(' OR ')}`, values);
  }
  const rows = ranges.map(({ repoId, first, last }) => {
    const period = `from ${first.slice(0, 16)} to ${last.slice(0, 16)} UTC`;
    return [repoId, first, last, period];
  });
  if (rows.length > 0) await tables.insertRows('repo_feed_ranges', rows);
}

interface FeedRange {
  readonly repoId: number;
  readonly first: string;
  readonly last: string;
}

async function newestRanges(tables: Tables, repoIds: readonly number[]): Promise<ReadonlyMap<number, FeedRange>> {
  const rows = await tables.rows(
    `SELECT r.repo_id, r.first_at, r.last_at
     FROM (SELECT repo_id, MAX(first_at) AS first_at FROM repo_feed_ranges WHERE repo_id IN (${repoIds}) GROUP BY repo_id) newest
     JOIN repo_feed_ranges r ON r.repo_id = newest.repo_id AND r.first_at = newest.first_at`,
  );
  return new Map(
    rows.map(([repoId, first, last]) => [
      Number(repoId),
      { repoId: Number(repoId), first: String(first), last: String(last) },
    ]),
  );
}

/**
 * Returns the range after a poll: the newest range, extended, or a new range. Undefined if the poll continues a range that does not exist.
 */
function joinRanges(newest: FeedRange | undefined, { repoId, firstAt, lastAt }: Page): FeedRange | undefined {
  const later = (a: string, b: string) => (a > b ? a : b);
  if (firstAt === '') return newest && { repoId, first: newest.first, last: later(newest.last, lastAt) };
  const isJoined = newest !== undefined && firstAt <= newest.last;
  return { repoId, first: isJoined ? newest.first : firstAt, last: later(firstAt, lastAt) };
}

/**
 * Removes a page with events that cannot be stored from the queue. The ranges of other queued pages of the repository are dropped too, and
 * the source is read again from its start.
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
