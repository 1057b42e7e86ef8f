import { appendRow } from '../../engine/databases/duckdb/connection/append-row.js';
import { sqlTime } from '../../engine/index.js';
import { refreshListed, refreshRelisted } from '../../warehouse/derived/refresh.js';
import { markOutdated } from '../../warehouse/derived/refresh-as-of.js';
import { addAccounts, type ListedAccount } from '../../warehouse/import/facts/add-accounts.js';
import { isoTime } from '../../warehouse/rules/times.js';
import type { PlainValue, Tables } from '../../warehouse/store/store.js';
import type { CallOptions, GitHubClient, GitHubReply } from '../client/github-client.js';
import { GitHubError } from '../client/github-error.js';
import { isId } from '../lookups/github-records.js';
import {
  completed,
  type FoundReply,
  FRESH_MS,
  idsOf,
  isOlder,
  newestPages,
  type Source,
  type SourcePage,
  type SourceState,
  secondsBefore,
  selectIds,
  succeeded,
} from './source.js';

/**
 * The issues and pull requests, with their creators and merges. Answers contain them after the list was read to its end for the first time.
 * An issue that is later deleted on GitHub is kept, as are issues in the events.
 */
export const ISSUE_SOURCE: Source<IssuePage> = {
  name: 'issues',
  start: (state) => state,
  isOutdated: ({ checkedAt }, now) => isOlder(checkedAt, FRESH_MS, now),
  request: (client, repoId, state, call) => requestIssuePage(client, repoId, state, call),
  read: (reply, _, state, requestedAt) => {
    const page = readIssuePage(reply, state);
    return { page, after: advance(state, page, requestedAt) };
  },
  unchanged: (state, requestedAt) => {
    // The request contained no etag, so the response "not modified" is invalid.
    if (state.etag === undefined) throw unreadable();
    return completed(state, requestedAt);
  },
  restart: (state) => ({ ...state, nextPage: 1, etag: undefined }),
  store: async (tables, pages) => {
    const changes = await writeRows(tables, pages);
    await updateTables(tables, pages, changes);
    await recordLists(tables, newestPages(pages));
  },
  // The stored issues of a removed repository are still true, so nothing is removed.
  remove: async () => undefined,
};

/**
 * Returns the state after a page. After the last page, the next run reads from an hour before the newest update, because GitHub may list
 * updates with a delay.
 */
function advance(state: SourceState, { issues, isLast, etag }: IssuePage, requestedAt: Date): SourceState {
  const newest = issues.at(-1)?.updatedAt;
  const isLater = newest !== undefined && newest !== state.updatedSince;
  const isFirst = state.nextPage === 1;
  const { before, now = [], passes = 0 } = state.sameTime ?? {};
  const sameTime = { before, passes, now: [...(isFirst ? [] : now), ...factsOf(issues, state.updatedSince)] };
  // Many issues can have the same update time; then only page numbers separate the pages. If an issue is updated and leaves an earlier
  // page, another issue moves to that page and is missed. So these pages are read again until two passes return the same issues.
  if (!isFirst && (isLast || isLater) && textOf(sameTime.now) !== textOf(before)) {
    if (passes >= MAX_PASSES) throw unreadable();
    const next = { before: sameTime.now, now: [], passes: passes + 1 };
    return { ...succeeded(state, requestedAt), nextPage: 1, sameTime: next, etag: undefined };
  }
  if (isLast) {
    const time = sqlTime(requestedAt);
    const known = newest !== undefined && newest > time ? time : newest;
    const updatedSince = known === undefined ? state.updatedSince : secondsBefore(known, OVERLAP_SECONDS);
    const isSame = updatedSince === state.updatedSince && isFirst;
    return completed({ ...state, updatedSince, nextPage: 1, etag: isSame ? etag : undefined }, requestedAt);
  }
  // The next request starts at the newest update.
  const next = isLater
    ? { updatedSince: newest, nextPage: 1, sameTime: undefined }
    : { nextPage: state.nextPage + 1, sameTime };
  return { ...succeeded(state, requestedAt), ...next, etag: undefined };
}

const OVERLAP_SECONDS = 3_600;
/** The maximum number of passes. If the pages still change after that, they are read later. */
const MAX_PASSES = 5;

/** Returns the stored facts of the issues with this update time, as texts. */
function factsOf(issues: readonly ListedIssue[], time: string | undefined): string[] {
  return issues
    .filter(({ updatedAt }) => updatedAt === time)
    .map(({ number, isPullRequest, user, openedAt, mergedAt }) =>
      [number, isPullRequest, user?.id, openedAt, mergedAt].join(' '),
    );
}

/** Joins the facts in sorted order, because GitHub may send issues with the same time in any order. */
function textOf(facts: readonly string[] | undefined): string | undefined {
  return facts && [...new Set(facts)].sort().join();
}

/**
 * Updates the derived tables. The tables contain the issues of a list after the list was read to its end for the first time; after that,
 * each page adds its new issues.
 */
async function updateTables(
  tables: Tables,
  pages: readonly SourcePage<IssuePage>[],
  { rows, replaced }: Changes,
): Promise<void> {
  const accounts = await findNewAccounts(
    tables,
    pages.flatMap(({ page }) => page?.issues ?? []),
  );
  const listed = new Set(
    (await tables.rows(`SELECT repo_id FROM github_issue_lists WHERE repo_id IN (${idsOf(pages)})`)).map(([id]) =>
      Number(id),
    ),
  );
  const first = newestPages(pages).flatMap(({ repoId, after }) =>
    !listed.has(repoId) && after.completedAt !== undefined ? [repoId] : [],
  );
  const changed = rows.filter(([id]) => listed.has(Number(id)));
  const relisted = [...replaced].filter((id) => listed.has(id));
  if (accounts.length + first.length + changed.length === 0) return;
  await tables.copy('github_issues', 'repo_id', selectIds(first), LISTED);
  const appender = await tables.staging.createAppender(LISTED);
  for (const row of changed) appendRow(appender, row);
  appender.closeSync();
  const seenAt = pages[0]?.after.triedAt ?? '';
  await addAccounts(tables, accounts, seenAt, `SELECT user_id FROM ${LISTED} WHERE user_id <> 0`);
  if (relisted.length > 0) await tables.staging.run(`DELETE FROM ${LISTED} WHERE repo_id IN (${relisted.join(', ')})`);
  if (first.length + changed.length > 0) await refreshListed(tables, LISTED);
  if (relisted.length > 0) await refreshRelisted(tables, selectIds(relisted));
  await tables.staging.run(`DROP TABLE ${LISTED}`);
}

/** The temporary table of the issues that change the derived tables. */
const LISTED = 'listed_issues';

interface Changes {
  /** The new or changed rows, with the columns of github_issues. */
  readonly rows: readonly (readonly PlainValue[])[];
  /** The repositories with a changed issue that was already stored. Their rows in the derived tables must be recomputed. */
  readonly replaced: ReadonlySet<number>;
}

/** Writes the new or changed issues of the pages. If several pages contain the same issue, the last one is used. */
async function writeRows(tables: Tables, pages: readonly SourcePage<IssuePage>[]): Promise<Changes> {
  const issues = pages.flatMap(({ repoId, page }) => page?.issues.map((issue) => ({ repoId, issue })) ?? []);
  if (issues.length === 0) return { rows: [], replaced: new Set() };
  const stored = await readStored(tables, issues);
  const known = new Set(stored.keys());
  const rows = new Map<string, [id: number, number: number, ...facts: PlainValue[]]>();
  const replaced = new Set<number>();
  for (const { repoId, issue } of issues) {
    const { number, isPullRequest, user, openedAt, mergedAt = null } = issue;
    const key = `${repoId} ${number}`;
    const before = stored.get(key);
    // For a deleted account, GitHub returns no name, so the stored account is kept.
    const facts = [isPullRequest ? 1 : 0, user?.id ?? Number(before?.[1] ?? 0), openedAt, mergedAt];
    const isSame = facts.map((fact, index) => String(fact) === before?.[index]);
    if (isSame.every(Boolean)) continue;
    rows.set(key, [repoId, number, ...facts]);
    stored.set(key, facts.map(String));
    const wasMerged = before?.[3] !== String(null);
    if (before !== undefined && !(wasMerged ? isSame : isSame.slice(0, 3)).every(Boolean)) replaced.add(repoId);
  }
  const changed = [...rows.values()];
  const existing = changed.filter(([id, number]) => known.has(`${id} ${number}`));
  for (const [id, numbers] of numbersByRepo(existing.map(([repoId, number]) => ({ repoId, number }))))
    await tables.run(`DELETE FROM github_issues WHERE repo_id = ${id} AND number IN (${numbers})`);
  if (changed.length > 0) await tables.insertRows('github_issues', changed);
  return { rows: changed, replaced };
}

/** Returns the facts of those issues that are already stored, by repository and number. */
async function readStored(
  tables: Tables,
  issues: readonly { readonly repoId: number; readonly issue: ListedIssue }[],
): Promise<Map<string, string[]>> {
  const stored = new Map<string, string[]>();
  const columns = 'number, is_pull_request, user_id, opened_at, merged_at';
  // There is one statement per repository. A single statement would contain a list for each repository, and DuckDB needs several megabytes
  // of memory per list.
  for (const [id, numbers] of numbersByRepo(issues.map(({ repoId, issue: { number } }) => ({ repoId, number })))) {
    const condition = `repo_id = ${id} AND number IN (${numbers})`;
    for (const [number, ...facts] of await tables.rows(`SELECT ${columns} FROM github_issues WHERE ${condition}`))
      stored.set(`${id} ${number}`, facts.map(String));
  }
  return stored;
}

/** Returns the issue numbers of each repository, as an SQL list. */
function numbersByRepo(issues: readonly { readonly repoId: number; readonly number: number }[]): [number, string][] {
  const numbers = new Map<number, Set<number>>();
  for (const { repoId, number } of issues) numbers.set(repoId, (numbers.get(repoId) ?? new Set()).add(number));
  return [...numbers].map(([id, some]) => [id, [...some].join(', ')]);
}

/** Returns the accounts that are missing in github_users, or that have another login or no type there. */
async function findNewAccounts(tables: Tables, issues: readonly ListedIssue[]): Promise<ListedAccount[]> {
  const accounts = new Map(issues.flatMap(({ user }) => (user === undefined ? [] : [[user.id, user] as const])));
  if (accounts.size === 0) return [];
  const ids = [...accounts.keys()].join(', ');
  const rows = await tables.rows(`SELECT id, login, type FROM github_users WHERE id IN (${ids})`);
  const known = new Map(rows.map(([id, ...facts]) => [Number(id), facts.map(String)]));
  return [...accounts.values()].filter(({ id, login, type }) => {
    const [storedLogin, storedType] = known.get(id) ?? [];
    return storedLogin !== login.slice(0, MAX_LOGIN) || (storedType === 'N/A' && type !== '');
  });
}

/** The length of the column `login`. The logins of apps can be longer. */
const MAX_LOGIN = 40;

/** Records the days until which lists contain all issues. */
async function recordLists(tables: Tables, pages: readonly SourcePage<IssuePage>[]): Promise<void> {
  const select = `SELECT repo_id, listed_on FROM github_issue_lists WHERE repo_id IN (${idsOf(pages)})`;
  const stored = new Map((await tables.rows(select)).map(([id, day]) => [Number(id), String(day)]));
  const changed = pages.flatMap(({ repoId, after: { checkedAt } }): [number, string][] => {
    const day = checkedAt?.slice(0, 10);
    return day === undefined || stored.get(repoId) === day ? [] : [[repoId, day]];
  });
  if (changed.length === 0) return;
  await tables.run(`DELETE FROM github_issue_lists WHERE repo_id IN (${changed.map(([id]) => id).join(', ')})`);
  await tables.insertRows('github_issue_lists', changed);
  await markOutdated(tables);
}

/** An issue or pull request. Times are `YYYY-MM-DD HH:MM:SS`. */
interface ListedIssue {
  readonly number: number;
  readonly isPullRequest: boolean;
  /** The account that opened it; undefined if GitHub does not return it. */
  readonly user: ListedAccount | undefined;
  readonly openedAt: string;
  readonly mergedAt: string | undefined;
  readonly updatedAt: string;
}

/** A page of up to 100 issues and pull requests, sorted by update time, oldest first. */
interface IssuePage {
  readonly issues: readonly ListedIssue[];
  readonly isLast: boolean;
  readonly etag: string | undefined;
}

type Position = Pick<SourceState, 'updatedSince' | 'nextPage' | 'etag'>;

/**
 * Requests a page of a repository's list, with the issues that were updated at `updatedSince` or later. The reply is `absent` if the
 * repository does not exist, is not visible, or has issues disabled. Rejects with `GitHubError`.
 */
function requestIssuePage(
  client: GitHubClient,
  repoId: number,
  { updatedSince, nextPage, etag }: Position,
  options: CallOptions,
): Promise<GitHubReply> {
  // One second is subtracted, because GitHub may exclude the time itself.
  const since = updatedSince && isoTime(secondsBefore(updatedSince, 1));
  const position = { page: nextPage, ...(since !== undefined && { since }) };
  return client.get(ROUTE, { ...ALL, id: repoId, ...position }, { ...options, etag });
}

/**
 * Reads a page. Throws `GitHubError` if the page has an unknown form or is not in the expected order, so that a missing issue causes an
 * error and not a wrong count.
 */
function readIssuePage({ data, hasNext, etag }: FoundReply, { updatedSince, nextPage }: Position): IssuePage {
  if (!Array.isArray(data)) throw unreadable();
  const issues = data.map(readIssue);
  const first = updatedSince === undefined ? '' : secondsBefore(updatedSince, 1);
  const isSorted = issues.every(({ updatedAt }, index) => updatedAt >= (issues[index - 1]?.updatedAt ?? first));
  const isMissing = hasNext && issues.length === 0;
  if (!isSorted || isMissing || nextPage > MAX_PAGE || new Set(issues.map(({ number }) => number)).size < issues.length)
    throw unreadable();
  // A full page without a link may have lost the link, so it is not treated as the last page.
  return { issues, isLast: !hasNext && issues.length < PER_PAGE, etag };
}

const ROUTE = 'GET /repositories/{id}/issues';
const PER_PAGE = 100;
/**
 * There are never more pages of issues with the same update time. The limit ends the loop if a server ignores `page` and always sends the
 * first page.
 */
const MAX_PAGE = 200;
const ALL = { state: 'all', sort: 'updated', direction: 'asc', per_page: PER_PAGE } as const;

function readIssue(data: unknown): ListedIssue {
  const { number, user, created_at, updated_at, pull_request } = objectOf(data);
  const isPullRequest = pull_request !== undefined && pull_request !== null;
  const mergedAt = isPullRequest ? objectOf(pull_request).merged_at : undefined;
  if (!isId(number)) throw unreadable();
  return {
    number,
    isPullRequest,
    user: user === null || user === undefined ? undefined : readUser(objectOf(user)),
    openedAt: timeOf(created_at),
    mergedAt: mergedAt === null || mergedAt === undefined ? undefined : timeOf(mergedAt),
    updatedAt: timeOf(updated_at),
  };
}

function readUser({ id, login, type }: Readonly<Record<string, unknown>>): ListedIssue['user'] {
  if (!isId(id) || typeof login !== 'string' || login === '') throw unreadable();
  return id === GHOST ? undefined : { id, login, type: TYPES.find((known) => known === type) ?? '' };
}

/** The account types that the tables can store. */
const TYPES = ['User', 'Bot', 'Organization'];
/** The id of the account that GitHub shows for all deleted accounts. */
const GHOST = 10_137;

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw unreadable();
  return value as Record<string, unknown>;
}

function timeOf(value: unknown): string {
  if (typeof value !== 'string' || !TIME.test(value) || Number.isNaN(Date.parse(value))) throw unreadable();
  return sqlTime(new Date(value));
}

const TIME = /^[1-9]\d{3}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\dZ$/;

function unreadable(): GitHubError {
  return new GitHubError('unreadable', 'GitHub sent a list of issues in an unknown form.');
}
