import type { BoundValue, Cell, Database } from '../../../engine/index.js';
import { sqlTime } from '../../../engine/index.js';
import { isoTime } from '../../rules/times.js';
import type { Store } from '../../store/store.js';
import { type ArchiveHour, formatArchiveHour, HOUR_MS, hourOfFile, parseArchiveHour } from '../files/archive-hours.js';
import { filesOf } from '../files/sources.js';
import { endedHours, type ImportedHours } from './follow-progress.js';

/** The archive cannot be followed from this hour, or the start must be chosen. */
export class FollowStartError extends Error {
  override readonly name = 'FollowStartError';
}

/** Runs a SELECT in the MySQL dialect. */
export type ReadRows = (sql: string, values?: readonly BoundValue[]) => Promise<readonly (readonly Cell[])[]>;

/**
 * Finds the hour from which the archive is followed: `from`, else the stored hour of an earlier start, else the hour after the newest
 * imported one, or the last 24 hours of an empty database. It is stored, so that an hour that stays missing is also requested after
 * a restart. Throws `FollowStartError`.
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
 * Reads the imported hours since a start. With several archives, those that ended for `archive` are only the ones that came from it; files
 * from elsewhere, such as local ones, count for the first archive.
 */
export async function readImportedHours(
  read: ReadRows,
  from: ArchiveHour,
  { archive, others, isFirst }: ArchiveRole = ONLY_ARCHIVE,
): Promise<ImportedHours> {
  // The times of events of an hour are near to its name: files of 2012 to 2014 have names in Pacific time. A command also imports files
  // that a follower rejects because of their times.
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

/** An archive among those whose hours are followed. URLs are base URLs. */
export interface ArchiveRole {
  readonly archive: string;
  readonly others: readonly string[];
  /** Whether it is the first one, whose missing hours are problems. */
  readonly isFirst: boolean;
}

const ONLY_ARCHIVE: ArchiveRole = { archive: '', others: [], isFirst: true };

/** Stores that an archive has nothing more for an hour. */
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

/** The first hour that is followed, and the imported hours since then. */
export interface FollowedHours {
  readonly from: ArchiveHour;
  readonly imported: ImportedHours;
}

/** Reads what is imported of the followed hours. Undefined if the archive was never followed into this database. */
export async function readFollowed(database: Database): Promise<FollowedHours | undefined> {
  const read: ReadRows = async (sql, values = []) =>
    (await database.query(database.prepare(sql), values, { maxRows: 1_000_000, timeoutMs: 60_000 })).rows;
  const from = await readStart(read);
  return from === undefined ? undefined : { from, imported: await readImportedHours(read, from) };
}

/** The hours by which events can be before the time in the name of their file. */
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
