/** How a value of an existing row and one of new events become one. */
export type Merge = 'sum' | 'min' | 'max' | 'bits';

/**
 * A table whose rows are groups of events. Rows of new events merge into rows of old ones by key, so the table is
 * refreshed at the cost of the new events alone.
 */
export interface MergedTable {
  readonly name: string;
  readonly keys: readonly string[];
  readonly measures: Readonly<Record<string, Merge>>;
  /** The one definition, in SQL that every database speaks: columns in the order of keys and measures. */
  select(events: string): string;
}

/** A table that is computed anew for some keys, from rows that the database has of them. */
export interface ComputedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** What it is computed for: the id of a repository or an account. */
  readonly key: 'repo_id' | 'id';
  /** The one definition. `among` limits the rows that it reads to the keys in question, such as `repo_id IN (…)`. */
  select(among: string): string;
}

/** A table that is computed for the repositories that had new events, from merged tables. */
export interface RecomputedTable extends ComputedTable {
  /** The merged tables it is computed from: only their repositories need to be computed again. */
  readonly from: readonly MergedTable[];
}

/** The number of an issue or pull request; where the feed left it out, the negative of its id, which is as distinct. */
export const NUMBER_OR_ID = 'CASE WHEN number <> 0 THEN number ELSE -COALESCE(pr_or_issue_id, 0) END';
