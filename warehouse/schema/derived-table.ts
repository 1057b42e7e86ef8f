/** How a stored value and a value of new events are combined. `stored` keeps the stored value: it does not depend on events. */
export type Merge = 'sum' | 'min' | 'max' | 'bits' | 'stored';

/**
 * A derived table whose rows are groups of events. The groups of new events are merged into the stored ones by key, so the cost of
 * a refresh only depends on the number of new events.
 */
export interface MergedTable {
  readonly name: string;
  readonly keys: readonly string[];
  readonly measures: Readonly<Record<string, Merge>>;
  /** The SELECT that defines the table, in SQL that has the same text in every database. Columns: the keys, then the measures. */
  select(events: string): string;
}

/** The columns of a merged table, in the order of its SELECT. */
export function columnsOf({ keys, measures }: MergedTable): string[] {
  return [...keys, ...Object.keys(measures)];
}

/** A derived table that is computed again for some keys, from stored rows with these keys. */
export interface ComputedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The column by which it is computed again: the id of a repository or of an account. */
  readonly key: 'repo_id' | 'id';
  /** The SELECT that defines the table. `among` is a condition that limits the rows that it reads, such as `repo_id IN (…)`. */
  select(among: string): string;
}

/** A derived table that is computed from merged tables, for the repositories that have new events. */
export interface RecomputedTable extends ComputedTable {
  /** The merged tables that it reads. It is computed again for the repositories that change in them. */
  readonly from: readonly MergedTable[];
}

/**
 * The condition of rows of mv_repo_issues or mv_repo_pull_requests, among some repositories, with an opening and its account. An old event
 * names its account only by login; if GitHub's list has the account of the same issue, the event does not count a second time.
 */
export function opensSql(table: string, among: string): string {
  return `
    opened_at IS NOT NULL AND user_id <> 0 AND (user_id > 0 OR NOT EXISTS (
      SELECT 1 FROM ${table} listed
      WHERE ${among} AND listed.repo_id = ${table}.repo_id AND listed.number = ${table}.number AND listed.user_id > 0
        AND listed.opened_at IS NOT NULL
    )) AND ${among}`;
}

/** The number of an issue or pull request. Some events do not have it; then it is the negative id, which is also unique. */
export const NUMBER_OR_ID = 'CASE WHEN number <> 0 THEN number ELSE -COALESCE(pr_or_issue_id, 0) END';

/**
 * Whether an event has an opening, as an aggregate of 0 or 1. Openings in the list of GitHub have the id 0, see `listedEventsSql`; the id
 * of an event can be unknown, but it is not 0.
 */
export function inEventsSql(isOpening: string): string {
  return `MAX(CASE WHEN ${isOpening} AND COALESCE(pr_or_issue_id, 1) <> 0 THEN 1 ELSE 0 END)`;
}
