/** How a stored value and a value of new events are combined. `stored` keeps the stored value, which does not depend on events. */
export type Merge = 'sum' | 'min' | 'max' | 'bits' | 'stored';

/** A table whose rows are groups. New groups are merged into the stored groups by key. */
export interface GroupTable {
  readonly name: string;
  readonly keys: readonly string[];
  readonly measures: Readonly<Record<string, Merge>>;
}

/** A derived table whose rows are groups of events. The cost of a refresh only depends on the number of new events. */
export interface MergedTable extends GroupTable {
  /** The SELECT that defines the table, in SQL that has the same text in every database. Columns: the keys, then the measures. */
  select(events: string): string;
}

/** The columns of a table of groups: the keys, then the measures. */
export function columnsOf({ keys, measures }: GroupTable): string[] {
  return [...keys, ...Object.keys(measures)];
}

/** A derived table whose rows for some keys are computed again from stored rows with these keys. */
export interface ComputedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The key column: the id of a repository or of an account. */
  readonly key: 'repo_id' | 'id';
  /** The SELECT that defines the table. `among` is a condition that limits the rows that it reads, such as `repo_id IN (…)`. */
  select(among: string): string;
}

/** A derived table that is computed from merged tables, for the repositories that have new events. */
export interface RecomputedTable extends ComputedTable {
  /** The merged tables that the SELECT reads. When repositories change in them, their rows are computed again. */
  readonly from: readonly MergedTable[];
}

/**
 * A condition for the rows of mv_repo_issues or mv_repo_pull_requests that represent an opening by a known account. `among` limits the
 * repositories. Old events contain only the login of the account. If GitHub's list contains the same issue with its account, the event is
 * not counted a second time.
 */
export function opensSql(table: string, among: string): string {
  return `
    opened_at IS NOT NULL AND user_id <> 0 AND (user_id > 0 OR (repo_id, number) NOT IN (
      SELECT repo_id, number FROM ${table} WHERE user_id > 0 AND opened_at IS NOT NULL AND ${among}
    )) AND ${among}`;
}

/** The number of an issue or pull request. Events without a number get the negative id instead, which is also unique. */
export const NUMBER_OR_ID = 'CASE WHEN number <> 0 THEN number ELSE -COALESCE(pr_or_issue_id, 0) END';

/**
 * An aggregate that is 1 if an event contains the opening, and 0 if only GitHub's list does. Openings from the list have the id 0, see
 * `listedEventsSql`. The id of an event can be NULL, but is never 0.
 */
export function inEventsSql(isOpening: string): string {
  return `MAX(CASE WHEN ${isOpening} AND COALESCE(pr_or_issue_id, 1) <> 0 THEN 1 ELSE 0 END)`;
}
