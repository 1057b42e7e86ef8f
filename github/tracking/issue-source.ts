import { appendRow } from '../../databases/duckdb/connection/append-row.js';
import { sqlTime } from '../../engine/index.js';
import { refreshListed, refreshRelisted } from '../../warehouse/derived/refresh.js';
import { markOutdated } from '../../warehouse/derived/refresh-as-of.js';
import { addAccounts, type ListedAccount } from '../../warehouse/import/users/add-accounts.js';
import type { PlainValue, Tables } from '../../warehouse/store/store.js';
import { type IssuePage, type ListedIssue, readIssuePage, requestIssuePage, unreadable } from './issue-list.js';
import { completed, FRESH_MS, isOlder, type Source, type SourceState, secondsBefore, succeeded } from './source.js';

/**
 * The issues and pull requests, with their creators and merges. Answers contain them when the list was read to its end for the first
 * time. An issue that GitHub deletes later stays, like one in the events.
 */
export const ISSUE_SOURCE: Source = {
  name: 'issues',
  start: (state) => state,
  isOutdated: ({ checkedAt }, now) => isOlder(checkedAt, FRESH_MS, now),
  request: (client, repoId, state, call) => requestIssuePage(client, repoId, state, call),
  read: (reply, state) => {
    const page = readIssuePage(reply, state);
    return {
      store: async (tables, repoId, requestedAt) => {
        const changes = await writeRows(tables, repoId, page.issues);
        const after = advance(state, page, changes, requestedAt);
        await updateTables(tables, repoId, page.issues, changes, after);
        return after;
      },
    };
  },
  unchanged: (state, requestedAt) => {
    // The request had no etag, so this is not an answer to it.
    if (state.etag === undefined) throw unreadable();
    return completed(state, requestedAt);
  },
  restart: (state) => ({ ...state, nextPage: 1, etag: undefined }),
  record: recordList,
  // What was listed stays true.
  remove: async () => undefined,
};

/**
 * The state after a page. The last page is the next one to read again, from an hour before its newest update, because GitHub may list an
 * update with a delay.
 */
function advance(
  state: SourceState,
  { issues, isLast, etag }: IssuePage,
  { rows }: Changes,
  requestedAt: Date,
): SourceState {
  const newest = issues.at(-1)?.updatedAt;
  const isLater = newest !== undefined && newest !== state.updatedSince;
  const hasNews = rows.length > 0 || (state.nextPage > 1 && state.hasNews !== false);
  // Many issues can have the same time. Then pages are counted, and an issue that leaves an earlier page meanwhile moves another one
  // there. So these pages are read again until they have no news.
  if (state.nextPage > 1 && (isLast || isLater) && hasNews)
    return { ...succeeded(state, requestedAt), nextPage: 1, hasNews: false, etag: undefined };
  if (isLast) {
    const time = sqlTime(requestedAt);
    const known = newest !== undefined && newest > time ? time : newest;
    const updatedSince = known === undefined ? state.updatedSince : secondsBefore(known, OVERLAP_SECONDS);
    const isSame = updatedSince === state.updatedSince && state.nextPage === 1;
    return completed({ ...state, updatedSince, nextPage: 1, etag: isSame ? etag : undefined }, requestedAt);
  }
  // The next page begins with the newest update.
  const next = isLater ? { updatedSince: newest, nextPage: 1 } : { nextPage: state.nextPage + 1 };
  return { ...succeeded(state, requestedAt), ...next, hasNews, etag: undefined };
}

const OVERLAP_SECONDS = 3_600;

/** Derived tables have the issues of a list when it was read to its end for the first time, and then what is new on each page. */
async function updateTables(
  tables: Tables,
  repoId: number,
  issues: readonly ListedIssue[],
  changes: Changes,
  { completedAt, triedAt = '' }: SourceState,
): Promise<void> {
  const accounts = await findNewAccounts(tables, issues);
  const isListed =
    (await tables.rows('SELECT repo_id FROM github_issue_lists WHERE repo_id = :p1', [repoId])).length > 0;
  const isFirst = !isListed && completedAt !== undefined;
  if (isFirst) await tables.copy('github_issues', 'repo_id', `SELECT ${repoId}::BIGINT`, LISTED);
  else await stageRows(tables, isListed ? changes.rows : []);
  await addAccounts(tables, accounts, triedAt, `SELECT user_id FROM ${LISTED} WHERE user_id <> 0`);
  if (isListed && changes.isReplaced) await refreshRelisted(tables, `SELECT ${repoId}::BIGINT`);
  else if (isFirst || (isListed && changes.rows.length > 0)) await refreshListed(tables, LISTED);
  await tables.staging.run(`DROP TABLE ${LISTED}`);
}

/** The temporary table of the issues that change in the derived tables. */
const LISTED = 'listed_issues';

interface Changes {
  /** The rows that are new or have changed, with the columns of github_issues. */
  readonly rows: readonly (readonly PlainValue[])[];
  /** Whether a fact of a stored issue has changed, so that it must be removed from the derived tables. */
  readonly isReplaced: boolean;
}

async function writeRows(tables: Tables, repoId: number, issues: readonly ListedIssue[]): Promise<Changes> {
  if (issues.length === 0) return { rows: [], isReplaced: false };
  const isOnPage = `repo_id = :p1 AND number IN (${issues.map(({ number }) => number).join(', ')})`;
  const columns = 'number, is_pull_request, user_id, opened_at, merged_at';
  const cells = await tables.rows(`SELECT ${columns} FROM github_issues WHERE ${isOnPage}`, [repoId]);
  const stored = new Map(cells.map(([number, ...facts]) => [Number(number), facts.map(String)]));
  const rows: PlainValue[][] = [];
  let isReplaced = false;
  for (const { number, isPullRequest, user, openedAt, mergedAt = null } of issues) {
    const before = stored.get(number);
    // GitHub does not name deleted accounts.
    const facts = [isPullRequest ? 1 : 0, user?.id ?? Number(before?.[1] ?? 0), openedAt, mergedAt];
    const isSame = facts.map((fact, index) => String(fact) === before?.[index]);
    if (isSame.every(Boolean)) continue;
    rows.push([repoId, number, ...facts]);
    const wasMerged = before?.[3] !== String(null);
    isReplaced ||= before !== undefined && !(wasMerged ? isSame : isSame.slice(0, 3)).every(Boolean);
  }
  if (rows.length > 0) {
    const replaced = rows.map(([, number]) => number).join(', ');
    await tables.run(`DELETE FROM github_issues WHERE repo_id = :p1 AND number IN (${replaced})`, [repoId]);
    await tables.insertRows('github_issues', rows);
  }
  return { rows, isReplaced };
}

async function stageRows(tables: Tables, rows: Changes['rows']): Promise<void> {
  await tables.staging.run(`CREATE OR REPLACE TEMP TABLE ${LISTED} AS SELECT * FROM github_issues LIMIT 0`);
  const appender = await tables.staging.createAppender(LISTED);
  for (const row of rows) appendRow(appender, row);
  appender.closeSync();
}

/** The accounts that github_users does not have, or has with another login or no type. */
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

/** The length of the column. The logins of apps can be longer. */
const MAX_LOGIN = 40;

/** Records the day until which the list has all issues. */
async function recordList(tables: Tables, repoId: number, { checkedAt }: SourceState): Promise<void> {
  if (checkedAt === undefined) return;
  const day = checkedAt.slice(0, 10);
  const [[stored] = []] = await tables.rows('SELECT listed_on FROM github_issue_lists WHERE repo_id = :p1', [repoId]);
  if (String(stored) === day) return;
  await tables.run('DELETE FROM github_issue_lists WHERE repo_id = :p1', [repoId]);
  await tables.insertRows('github_issue_lists', [[repoId, day]]);
  await markOutdated(tables);
}
