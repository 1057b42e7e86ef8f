import { appendRow } from '../../databases/duckdb/connection/append-row.js';
import { sqlTime } from '../../engine/index.js';
import { refreshListed, refreshRelisted } from '../../warehouse/derived/refresh.js';
import { addAccounts, type ListedAccount } from '../../warehouse/import/users/add-accounts.js';
import { isoTime } from '../../warehouse/rules/times.js';
import type { PlainValue, Tables } from '../../warehouse/store/store.js';
import { type IssuePage, type ListedIssue, readIssuePage, requestIssuePage } from './issue-list.js';
import { FRESH_MS, isOlder, mayTryAgain, type Source, type SourceState, succeeded } from './source.js';

/**
 * The issues and pull requests, with their creators and merges. Answers contain them when the list was read to its end for the first
 * time. An issue that GitHub deletes later stays, like one in the events.
 */
export const ISSUE_SOURCE: Source = {
  name: 'issues',
  start: (state) => state,
  isDue: (state, now) => (state.failures > 0 ? mayTryAgain(state, now) : isOlder(state.checkedAt, FRESH_MS, now)),
  request: (client, repoId, state, call) => requestIssuePage(client, repoId, state, call),
  read: (reply, state) => {
    const page = readIssuePage(reply, state);
    return {
      store: async (tables, repoId, requestedAt) => {
        const after = advance(state, page, requestedAt);
        await writeIssues(tables, repoId, page.issues, after);
        return after;
      },
    };
  },
  unchanged: (state, requestedAt) => complete(state, requestedAt),
  restart: (state) => ({ ...state, nextPage: 1, etag: undefined }),
  record: recordList,
  // What was listed stays true.
  remove: async () => undefined,
};

/**
 * The state after a page. The last page is the next one to read again, from an hour before its newest update, because GitHub may list an
 * update with a delay.
 */
function advance(state: SourceState, { issues, isLast, etag }: IssuePage, requestedAt: Date): SourceState {
  const newest = issues.at(-1)?.updatedAt;
  if (isLast) {
    const updatedSince = newest === undefined ? state.updatedSince : before(newest, OVERLAP_MS);
    const isSame = updatedSince === state.updatedSince && state.nextPage === 1;
    return complete({ ...state, updatedSince, nextPage: 1, etag: isSame ? etag : undefined }, requestedAt);
  }
  // The next page begins with the newest update. Many issues can have the same time.
  const isLater = newest !== undefined && newest !== state.updatedSince;
  const next = isLater ? { updatedSince: newest, nextPage: 1 } : { nextPage: state.nextPage + 1 };
  return { ...succeeded(state, requestedAt), ...next, etag: undefined };
}

const OVERLAP_MS = 3_600_000;

function before(time: string, ms: number): string {
  return sqlTime(new Date(Date.parse(isoTime(time)) - ms));
}

function complete(state: SourceState, requestedAt: Date): SourceState {
  const time = sqlTime(requestedAt);
  return { ...succeeded(state, requestedAt), checkedAt: time, completedAt: time };
}

/** Writes what is new on a page. Derived tables have the issues of a list when it was read to its end for the first time. */
async function writeIssues(
  tables: Tables,
  repoId: number,
  issues: readonly ListedIssue[],
  { completedAt, triedAt = '' }: SourceState,
): Promise<void> {
  const changes = await writeRows(tables, repoId, issues);
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
  /** Whether the creator or the time of a stored issue has changed. */
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
    isReplaced ||= before !== undefined && !isSame.slice(0, 3).every(Boolean);
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

/** The accounts that github_users does not have, or has with another login. */
async function findNewAccounts(tables: Tables, issues: readonly ListedIssue[]): Promise<ListedAccount[]> {
  const accounts = new Map(issues.flatMap(({ user }) => (user === undefined ? [] : [[user.id, user] as const])));
  if (accounts.size === 0) return [];
  const rows = await tables.rows(`SELECT id, login FROM github_users WHERE id IN (${[...accounts.keys()].join(', ')})`);
  const logins = new Map(rows.map(([id, login]) => [Number(id), String(login)]));
  return [...accounts.values()].filter(({ id, login }) => logins.get(id) !== login.slice(0, MAX_LOGIN));
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
}
