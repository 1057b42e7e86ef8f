import type { Store } from './store/store.js';

/**
 * Sets values to NULL that earlier program versions stored as 0, an empty text or 1970 because they were missing in the event. A number 0
 * is kept if events of its type and time can contain it. Each transaction changes some days, because servers limit the size of a
 * transaction. After an interruption, it can be called again.
 */
export async function clearUnknownValues(store: Store): Promise<void> {
  const days = await store.write((tables) =>
    tables.rows(
      'SELECT CAST(created_at AS DATE) AS day, COUNT(*) FROM github_events GROUP BY CAST(created_at AS DATE) ORDER BY day',
    ),
  );
  for (const [first, last] of groupDays(days.map(([day, rows]) => [String(day), Number(rows)]))) {
    await store.write((tables) => tables.run(CLEAR, [`${first} 00:00:00`, `${last} 23:59:59`]));
  }
}

/** The maximum number of rows per transaction. A single day can have more. */
const MAX_ROWS = 100_000;

/** Groups consecutive days by their number of rows. Returns the first and the last day of each group. */
function groupDays(days: readonly (readonly [string, number])[]): [string, string][] {
  const groups: { first: string; last: string; rows: number }[] = [];
  for (const [day, rows] of days) {
    const group = groups.at(-1);
    if (group === undefined || group.rows + rows > MAX_ROWS) groups.push({ first: day, last: day, rows });
    else Object.assign(group, { last: day, rows: group.rows + rows });
  }
  return groups.map(({ first, last }) => [first, last]);
}

const TEXTS = [
  'repo_name',
  'actor_login',
  'language',
  'action',
  'commit_id',
  'org_login',
  'state',
  'creator_user_login',
];

/** The text columns that are NULL, and never empty, if the value is missing in the event. */
export const NULL_TEXTS: ReadonlyMap<string, readonly string[]> = new Map([['github_events', TEXTS]]);

/** From this time on, push events have no size and pull requests have no details. */
const SLIM = "'2025-10-07 00:00:00'";
/** Before this time, additions and deletions are the only details of pull requests, and commits are not marked as new. */
const TIMELINE = "'2012-03-01 00:00:00'";
const NEVER = "'1970-01-01 00:00:00'";

const IS_PUSH = `type = 'PushEvent' AND created_at < ${SLIM}`;
const IS_DETAILED = `type = 'PullRequestEvent' AND pr_or_issue_created_at > ${NEVER}`;
const HAS_LINES = `(${IS_DETAILED}) OR (type = 'PullRequestEvent' AND created_at < ${TIMELINE})`;
const HAS_COMMENTS = `type IN ('IssuesEvent', 'IssueCommentEvent', 'PullRequestEvent') AND pr_or_issue_created_at > ${NEVER}`;

/**
 * The assignments of the UPDATE. A server evaluates assignments from left to right. The times come last, because the conditions for the
 * numbers use the old times.
 */
const ASSIGNMENTS: readonly string[] = [
  ...['id', 'repo_id', 'actor_id', 'number', 'comment_id', 'org_id', 'pr_or_issue_id', 'creator_user_id'].map(
    (column) => `${column} = NULLIF(${column}, 0)`,
  ),
  ...TEXTS.map((column) => `${column} = NULLIF(${column}, '')`),
  `push_distinct_size = CASE
    WHEN created_at < ${TIMELINE} AND push_distinct_size = push_size THEN NULL
    WHEN push_distinct_size <> 0 OR (${IS_PUSH}) THEN push_distinct_size
  END`,
  keepZeroWhere('push_size', IS_PUSH),
  keepZeroWhere('additions', HAS_LINES),
  keepZeroWhere('deletions', HAS_LINES),
  keepZeroWhere('comments', HAS_COMMENTS),
  ...['pr_merged', 'pr_changed_files', 'pr_review_comments'].map((column) => keepZeroWhere(column, IS_DETAILED)),
  ...['closed_at', 'pr_merged_at', 'pr_or_issue_created_at'].map(
    (column) => `${column} = CASE WHEN ${column} > ${NEVER} THEN ${column} END`,
  ),
];

/** Changes the rows between the times `:p1` and `:p2`. */
const CLEAR = `UPDATE github_events SET ${ASSIGNMENTS.join(', ')} WHERE created_at BETWEEN :p1 AND :p2`;

/** Returns an assignment that replaces 0 by NULL unless the condition is true. */
function keepZeroWhere(column: string, condition: string): string {
  return `${column} = CASE WHEN ${column} <> 0 OR (${condition}) THEN ${column} END`;
}
