import type { Cell, Database } from '../engine/index.js';
import { type PartialMonth, SELECT_PARTIAL_MONTHS, toMonthShare } from './coverage.js';
import { FIRST_HOUR, LAST_HOUR } from './derived/hours.js';
import { isoTime } from './rules/times.js';

/** The newest imports and gaps, for operators. Times are ISO 8601 in UTC. */
export interface ImportStatus {
  readonly files: number;
  /** The last imported files, newest first. */
  readonly newestFiles: readonly ImportedFile[];
  /** Null if there are no events. */
  readonly newestEventAt: string | null;
  /** The number of periods without an event of a type, within the period of the data. */
  readonly gaps: number;
  /** The last gaps, newest first. */
  readonly newestGaps: readonly { readonly type: string; readonly period: string; readonly hours: number }[];
  /** The newest months for which the data contain only a part of the events of a type, newest first. */
  readonly newestPartialMonths: readonly PartialMonth[];
}

export interface ImportedFile {
  readonly name: string;
  readonly events: number;
  readonly brokenLines: number;
  readonly importedAt: string;
}

/** Reads the newest `limit` files, gaps and partial months. The queries do not read the events, only the list of files and small tables. */
export async function readImportStatus(
  database: Database,
  { limit, timeoutMs }: { readonly limit: number; readonly timeoutMs: number },
): Promise<ImportStatus> {
  const read = async (sql: string) => {
    const { rows } = await database.query(database.prepare(sql), [], { maxRows: limit, timeoutMs });
    return rows;
  };
  const [files, gaps, partialMonths, [totals = []]] = await Promise.all([
    read(`${FILES} LIMIT ${limit}`),
    read(`${GAPS} LIMIT ${limit}`),
    read(`${SELECT_PARTIAL_MONTHS} ORDER BY month DESC, type LIMIT ${limit}`),
    read(TOTALS),
  ]);
  const [fileCount, gapCount, newest] = totals;
  return {
    files: Number(fileCount),
    newestFiles: files.map(toFile),
    newestEventAt: newest === null || newest === undefined ? null : isoTime(newest),
    gaps: Number(gapCount),
    newestGaps: gaps.map(([type, period, hours]) => ({
      type: String(type),
      period: String(period),
      hours: Number(hours),
    })),
    newestPartialMonths: partialMonths.map(toMonthShare),
  };
}

function toFile([name, events, broken, importedAt]: readonly Cell[]): ImportedFile {
  return {
    name: String(name),
    events: Number(events),
    brokenLines: Number(broken),
    importedAt: isoTime(importedAt),
  };
}

const FILES = `
  SELECT name, events, broken, imported_at
  FROM import_files
  ORDER BY imported_at DESC, last_event_at DESC, digest`;

const WITHIN_THE_DATA = `first_hour > '${FIRST_HOUR}' AND last_hour < '${LAST_HOUR}'`;

const GAPS = `
  SELECT type, period, hours
  FROM mv_feed_gaps
  WHERE ${WITHIN_THE_DATA}
  ORDER BY last_hour DESC, type`;

const TOTALS = `
  SELECT
    (SELECT COUNT(*) FROM import_files) AS files,
    (SELECT COUNT(*) FROM mv_feed_gaps WHERE ${WITHIN_THE_DATA}) AS gaps,
    (SELECT MAX(newest_at) FROM mv_event_coverage) AS newest_at`;
