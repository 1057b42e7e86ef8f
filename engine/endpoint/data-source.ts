import type { ResultSet } from '../interface/database.js';

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

/** The columns of a notice that are also an entry of `sources`, after the column `notice`. */
export const SOURCE_COLUMNS = ['type', 'source', 'subject', 'starts', 'ends', 'share'] as const;

/** Reads the rows of a notice that have a type. */
export function readSources({ columns, rows }: ResultSet): DataSource[] {
  if (columns.length <= SOURCE_COLUMNS.length) return [];
  return rows.flatMap(([, type = null, source = null, subject = null, starts = null, ends = null, share = null]) => {
    if (type === null) return [];
    const isShare = share !== null && Number.isFinite(Number(share));
    return [
      {
        type: String(type),
        source: String(source),
        subject: subject === null ? null : String(subject),
        starts: isoTimeOf(starts),
        ends: isoTimeOf(ends),
        share: isShare ? Number(share) : null,
      },
    ];
  });
}

/** `2026-01-01` and `2026-01-01 12:00:00` become ISO 8601. */
function isoTimeOf(cell: unknown): string | null {
  const [, day, time = '00:00:00'] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d))?/.exec(String(cell)) ?? [];
  return day === undefined ? null : `${day}T${time}Z`;
}
