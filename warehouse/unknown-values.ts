import type { Store } from './store/store.js';

/**
 * Makes NULL what earlier versions stored as 0, an empty text or 1970 because the event does not carry it, as far as the rows tell the
 * two apart. A number 0 stays where events of its type and time carry it. Some days at a time, because servers limit the size of a
 * transaction; may be interrupted and repeated.
 */
export async function clearUnknownValues(store: Store): Promise<void> {
  const days = await store.write((tables) =>
    tables.rows(
      'SELECT CAST(created_at AS DATE) AS day, COUNT(*) FROM github_events GROUP BY CAST(created_at AS DATE) ORDER BY day',
    ),
  );
  for (const [first, last] of daysTogether(days.map(([day, rows]) => [String(day), Number(rows)]))) {
    await store.write((tables) => tables.run(CLEAR, [`${first} 00:00:00`, `${last} 23:59:59`]));
  }
}

/** Rows of one transaction, unless one day has more. */
const MAX_ROWS = 100_000;

/** The first and the last of days that are changed together. */
function daysTogether(days: readonly (readonly [string, number])[]): [string, string][] {
  const groups: { first: string; last: string; rows: number }[] = [];
  for (const [day, rows] of days) {
    const group = groups.at(-1);
    if (group === undefined || group.rows + rows > MAX_ROWS) groups.push({ first: day, last: day, rows });
    else Object.assign(group, { last: day, rows: group.rows + rows });
  }
  return groups.map(({ first, last }) => [first, last]);
}

/** Since then pushes have no size and pull requests no details. */
const SLIM = "'2025-10-07 00:00:00'";
/** Before it pull requests have additions and deletions as their only details, and commits are not marked as new. */
const TIMELINE = "'2012-03-01 00:00:00'";
const NEVER = "'1970-01-01 00:00:00'";

const IS_PUSH = `type = 'PushEvent' AND created_at < ${SLIM}`;
const IS_DETAILED = `type = 'PullRequestEvent' AND pr_or_issue_created_at > ${NEVER}`;
const HAS_LINES = `(${IS_DETAILED}) OR (type = 'PullRequestEvent' AND created_at < ${TIMELINE})`;
const HAS_COMMENTS = `type IN ('IssuesEvent', 'IssueCommentEvent', 'PullRequestEvent') AND pr_or_issue_created_at > ${NEVER}`;

/** A server assigns from left to right: the times, on which the numbers depend, come last. */
const ASSIGNMENTS: readonly string[] = [
  ...['id', 'repo_id', 'actor_id', 'number', 'comment_id', 'org_id', 'pr_or_issue_id', 'creator_user_id'].map(
    (column) => `${column} = NULLIF(${column}, 0)`,
  ),
  ...['repo_name', 'actor_login', 'language', 'action', 'commit_id', 'org_login', 'state', 'creator_user_login'].map(
    (column) => `${column} = NULLIF(${column}, '')`,
  ),
  `push_distinct_size = CASE
    WHEN created_at < ${TIMELINE} AND push_distinct_size = push_size THEN NULL
    WHEN push_distinct_size <> 0 OR (${IS_PUSH}) THEN push_distinct_size
  END`,
  zeroWhere('push_size', IS_PUSH),
  zeroWhere('additions', HAS_LINES),
  zeroWhere('deletions', HAS_LINES),
  zeroWhere('comments', HAS_COMMENTS),
  ...['pr_merged', 'pr_changed_files', 'pr_review_comments'].map((column) => zeroWhere(column, IS_DETAILED)),
  ...['closed_at', 'pr_merged_at', 'pr_or_issue_created_at'].map(
    (column) => `${column} = CASE WHEN ${column} > ${NEVER} THEN ${column} END`,
  ),
];

/** The values from the first to the last second of `:p1` and `:p2`. */
const CLEAR = `UPDATE github_events SET ${ASSIGNMENTS.join(', ')} WHERE created_at BETWEEN :p1 AND :p2`;

/** A 0 stays only where the condition holds. */
function zeroWhere(column: string, condition: string): string {
  return `${column} = CASE WHEN ${column} <> 0 OR (${condition}) THEN ${column} END`;
}
