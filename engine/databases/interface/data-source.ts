/**
 * Where the numbers of an answer come from, or a range in which a source has only a part of the facts. For ranges without an entry,
 * nothing is known to be missing.
 */
export interface DataSource {
  /** The kind of the facts, for example `WatchEvent`. */
  readonly type: string;
  /** The name of the source, for example `events`. */
  readonly source: string;
  /** The name of what the entry is about; null: all. */
  readonly subject: string | null;
  /** The range, with `starts` and without `ends`, as ISO 8601 in UTC; null: without a limit. */
  readonly starts: string | null;
  readonly ends: string | null;
  /** The part of the facts that the source has: 1 all, 0 none, null unknown. */
  readonly share: number | null;
}
