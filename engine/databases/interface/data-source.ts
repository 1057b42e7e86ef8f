/**
 * A source of the numbers of an answer, or a time range in which a source has only a part of the facts. In a range
 * without an entry, the facts count as complete.
 */
export interface DataSource {
  /** The kind of the facts, for example `WatchEvent`. */
  readonly type: string;
  /** The name of the source, for example `events`. */
  readonly source: string;
  /** The name of the subject that the entry describes; null for all subjects. */
  readonly subject: string | null;
  /** The range, including `starts` and excluding `ends`, as ISO 8601 in UTC; null means no limit. */
  readonly starts: string | null;
  readonly ends: string | null;
  /** The share of the facts that the source has: 1 for all, 0 for none, null if unknown. */
  readonly share: number | null;
}
