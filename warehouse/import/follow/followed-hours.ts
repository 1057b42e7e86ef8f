import type { BoundValue, Cell, Database } from '../../../engine/index.js';
import { sqlTime } from '../../../engine/index.js';
import { isoTime } from '../../rules/times.js';
import type { Store } from '../../store/store.js';
import {
  type ArchiveHour,
  filesOf,
  formatArchiveHour,
  HOUR_MS,
  hourOfFile,
  parseArchiveHour,
} from '../files/archive-hours.js';
import { endedHours, type ImportedHours } from './follow-progress.js';

/** Thrown if the archive cannot be followed from this hour, or if the operator must choose the first hour. */
export class FollowStartError extends Error {
  override readonly name = 'FollowStartError';
}

/** Runs a SELECT in the MySQL dialect. */
export type ReadRows = (sql: string, values?: readonly BoundValue[]) => Promise<readonly (readonly Cell[])[]>;

/**
 * Finds the hour from which the archive is followed: `from`, else the stored first hour of an earlier start, else the hour after the newest
 * imported hour. For an empty database, it is 24 hours ago. The hour is stored, so that after a restart, hours that are still missing are
 * requested again. Throws `FollowStartError`.
 */
export async function startFollowing(store: Store, from: ArchiveHour | undefined, now: Date): Promise<ArchiveHour> {
  if (from !== undefined) requireFollowable(from, now);
  return store.write(async (tables) => {
    const read: ReadRows = (sql, values) => tables.rows(sql, values);
    const stored = await readStart(read);
    const start = from ?? stored ?? (await defaultStart(read, now));
    if (start === stored) return start;
    await tables.run('DELETE FROM sys_archive_follow');
    await tables.insertRows('sys_archive_follow', [[1, sqlTime(new Date(start * HOUR_MS))]]);
    return start;
  });
}

/**
 * Reads the imported hours since the first followed hour. With several archives, `ended` contains only the hours from `archive`. Files from
 * other sources, such as local files, count for the first archive.
 */
export async function readImportedHours(
  read: ReadRows,
  from: ArchiveHour,
  { archive, others, isFirst }: ArchiveRole = ONLY_ARCHIVE,
): Promise<ImportedHours> {
  // Two conditions are needed: the events of files of 2012 to 2014 are some hours from the time in the file name, which is in Pacific time,
  // and a command can import files with any event times, which a follower rejects.
  const rows = await read(
    'SELECT name, imported_at, source FROM import_files WHERE events > 0 AND (last_event_at >= :p1 OR imported_at >= :p2)',
    [sqlTime(new Date((from - ZONE_HOURS) * HOUR_MS)), sqlTime(new Date(from * HOUR_MS))],
  );
  const isOwn = (source: string, name: string) => {
    const isFrom = (url: string) => source === filesOf(url) + name;
    return isFirst ? !others.some(isFrom) : isFrom(archive);
  };
  const hours = new Set<ArchiveHour>();
  const ended = new Set<ArchiveHour>();
  let newest: ArchiveHour | null = null;
  let newestOwn: ArchiveHour | null = null;
  let last = '';
  for (const [name, importedAt, source] of rows) {
    const hour = hourOfFile(String(name));
    if (hour === undefined || hour < from) continue;
    hours.add(hour);
    newest = Math.max(newest ?? hour, hour);
    if (isOwn(String(source), String(name))) {
      ended.add(hour);
      newestOwn = Math.max(newestOwn ?? hour, hour);
    }
    if (String(importedAt) > last) last = String(importedAt);
  }
  const stored =
    others.length === 0 ? [] : await read('SELECT hour FROM sys_archive_hours WHERE archive = :p1', [archive]);
  for (const [hour] of stored) ended.add(hourAt(hour));
  return { hours, newest, ended, newestOwn, lastImportedAt: last === '' ? null : isoTime(last) };
}

/** One of the followed archives. URLs are base URLs. */
export interface ArchiveRole {
  readonly archive: string;
  readonly others: readonly string[];
  /** Whether it is the first archive in the setting. Only missing hours of the first archive are problems. */
  readonly isFirst: boolean;
}

const ONLY_ARCHIVE: ArchiveRole = { archive: '', others: [], isFirst: true };

/** Stores that an hour is complete for an archive, so that it is not requested again. */
export async function endArchiveHour(store: Store, archive: string, hour: ArchiveHour): Promise<void> {
  const key = [archive, sqlTime(new Date(hour * HOUR_MS))];
  await store.write(async (tables) => {
    await tables.run('DELETE FROM sys_archive_hours WHERE archive = :p1 AND hour = :p2', key);
    await tables.insertRows('sys_archive_hours', [key]);
  });
}

function hourAt(time: Cell | undefined): ArchiveHour {
  return Date.parse(isoTime(time)) / HOUR_MS;
}

/** The first followed hour, and the imported hours since then. */
export interface FollowedHours {
  readonly from: ArchiveHour;
  readonly imported: ImportedHours;
}

/** Reads which of the followed hours are imported. Undefined if the archive was never followed into this database. */
export async function readFollowed(database: Database): Promise<FollowedHours | undefined> {
  const read: ReadRows = async (sql, values = []) =>
    (await database.query(database.prepare(sql), values, { maxRows: 1_000_000, timeoutMs: 60_000 })).rows;
  const from = await readStart(read);
  return from === undefined ? undefined : { from, imported: await readImportedHours(read, from) };
}

/** The maximum number of hours by which events can precede the time in their file name. */
const ZONE_HOURS = 24;
/** Without an explicit start, at most this many hours are imported: 31 days. */
const MAX_DEFAULT_HOURS = 31 * 24;
const EMPTY_HOURS = 24;
const FIRST_HOUR = parseArchiveHour('2011-02-12') ?? 0;

function requireFollowable(from: ArchiveHour, now: Date): void {
  if (from >= FIRST_HOUR && from <= endedHours(now)) return;
  throw new FollowStartError(
    `The archive cannot be followed from ${formatArchiveHour(from)}: expected an hour from ` +
      `${formatArchiveHour(FIRST_HOUR)} to ${formatArchiveHour(endedHours(now))}.`,
  );
}

async function readStart(read: ReadRows): Promise<ArchiveHour | undefined> {
  const [[from] = []] = await read('SELECT from_hour FROM sys_archive_follow');
  return from === undefined ? undefined : hourAt(from);
}

async function defaultStart(read: ReadRows, now: Date): Promise<ArchiveHour> {
  const names = await read('SELECT name FROM import_files WHERE events > 0');
  const hours = names.map(([name]) => hourOfFile(String(name))).filter((hour) => hour !== undefined);
  const ended = endedHours(now);
  if (hours.length === 0) {
    const [[events] = []] = await read('SELECT COALESCE(SUM(events), 0) FROM mv_event_coverage');
    if (Number(events) === 0) return ended - EMPTY_HOURS;
    throw new FollowStartError(
      `The database has events, but none of an hour of the archive, such as demo data. ${HOW_TO_START}`,
    );
  }
  const newest = hours.reduce((a, b) => Math.max(a, b));
  const missing = ended - newest - 1;
  if (missing <= MAX_DEFAULT_HOURS) return newest + 1;
  throw new FollowStartError(
    `The newest imported hour is ${formatArchiveHour(newest)}, so ${missing} hours would be imported. ${HOW_TO_START}`,
  );
}

const HOW_TO_START =
  'State the first hour to follow, such as 2026-01-31-0, with --from or in the setting FOLLOW_ARCHIVE.';
