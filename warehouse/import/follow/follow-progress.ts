import { type ArchiveHour, formatArchiveHour, HOUR_MS, parseArchiveHour } from '../files/archive-hours.js';

/** What is imported of the hours that are followed. Hours are written as in the names of archive files: `2026-01-31-5`. */
export interface HourCoverage {
  /** The first hour that is followed. */
  readonly from: string;
  /** The newest imported hour; null if no hour since `from` is imported. Earlier hours may be missing. */
  readonly newestHour: string | null;
  /**
   * Milliseconds since the end of the newest imported hour, or since the start of `from` if no hour is imported. Earlier hours that
   * are missing do not count: the archive never publishes some hours. Just before the archive publishes an hour, about 4,000,000 is
   * normal.
   */
  readonly lagMs: number;
  /** The number of hours since `from` that have ended and are not imported: not published yet, failed, or missing in the archive. */
  readonly missingHours: number;
  /** ISO 8601, by the clock of the import; null if no hour since `from` is imported. */
  readonly lastImportedAt: string | null;
}

/**
 * - `starting`: the database was not read yet.
 * - `importing`: hours are being downloaded or imported.
 * - `waiting`: waits for the next hour, or for the next attempt of an hour that the archive does not have.
 * - `standby`: another import is running on the database, of another follower or of a command, or another follower downloads.
 * - `failing`: the last attempt of an hour, or the database, failed; `lastError` says why.
 * - `stopped`: nothing is followed any more; `lastError` says why if it was not a stop of the process.
 * - `external`: this process does not follow. The coverage is that of the database, which another process follows into.
 */
export const FOLLOW_STATES = ['starting', 'importing', 'waiting', 'standby', 'failing', 'stopped', 'external'] as const;
export type FollowState = (typeof FOLLOW_STATES)[number];

/** The state of one follower. The fields of the coverage are null until the database was read. */
export interface FollowProgress {
  readonly state: FollowState;
  readonly from: HourCoverage['from'] | null;
  readonly newestHour: HourCoverage['newestHour'];
  readonly lagMs: HourCoverage['lagMs'] | null;
  readonly missingHours: HourCoverage['missingHours'] | null;
  readonly lastImportedAt: HourCoverage['lastImportedAt'];
  /** The number of hours that this follower has imported since its start. Other processes can import the same hours. */
  readonly importedHours: number;
  /** The newest problem; null when it is solved. An hour that the archive does not have is not a problem. */
  readonly lastError: string | null;
  /** ISO 8601, by the clock of the service; null while hours are being imported. */
  readonly nextAttemptAt: string | null;
}

/** The hours since a start that were imported from any archive, and the newest time of their imports. */
export interface ImportedHours {
  readonly hours: ReadonlySet<ArchiveHour>;
  /** The last of the hours; null without hours. */
  readonly newest: ArchiveHour | null;
  /** The hours that need not be read from the archive of the follower. Hours of other archives are not among them. */
  readonly ended: ReadonlySet<ArchiveHour>;
  /** The last hour that was imported from the archive of the follower; null without one. */
  readonly newestOwn: ArchiveHour | null;
  readonly lastImportedAt: string | null;
}

/** Its cost does not depend on the number of hours, because health checks and scrapes call it. */
export function coverageOf(from: ArchiveHour, imported: ImportedHours, now: Date): HourCoverage {
  const { hours, newest, lastImportedAt } = imported;
  return {
    from: formatArchiveHour(from),
    newestHour: newest === null ? null : formatArchiveHour(newest),
    lagMs: lagOf(from, newest, now),
    missingHours: Math.max(0, endedHours(now) - from - countEnded({ hours, newest }, now)),
    lastImportedAt,
  };
}

function lagOf(from: ArchiveHour, newest: ArchiveHour | null, now: Date): number {
  return Math.max(0, now.getTime() - (newest === null ? from : newest + 1) * HOUR_MS);
}

/** Returns the progress that a follower had at an earlier time, with the hours that have ended since then. */
export function progressLater(progress: FollowProgress, at: Date, now: Date): FollowProgress {
  const { from, newestHour, missingHours: missing } = progress;
  if (from === null || missing === null) return progress;
  const newest = newestHour === null ? null : hourOf(newestHour);
  return {
    ...progress,
    lagMs: lagOf(hourOf(from), newest, now),
    missingHours: missing + endedHours(now) - endedHours(at),
  };
}

function hourOf(text: string): ArchiveHour {
  const hour = parseArchiveHour(text);
  if (hour === undefined) throw new Error(`${text} is not an hour of an archive.`);
  return hour;
}

/** Counts the imported hours that are over. Later ones exist only if the clock is fixed, or was put back. */
function countEnded({ hours, newest }: Pick<ImportedHours, 'hours' | 'newest'>, now: Date): number {
  let count = hours.size;
  for (let hour = endedHours(now); newest !== null && hour <= newest; hour++) if (hours.has(hour)) count--;
  return count;
}

/** Returns the hours since `from` that have ended and are not among `hours`, oldest first. */
export function missingHours(from: ArchiveHour, hours: ReadonlySet<ArchiveHour>, now: Date): ArchiveHour[] {
  const missing: ArchiveHour[] = [];
  const ended = endedHours(now);
  for (let hour = completeUntil(from, hours); hour < ended; hour++) if (!hours.has(hour)) missing.push(hour);
  return missing;
}

/** Returns the hour that has not ended yet: all hours before it have ended. */
export function endedHours(now: Date): ArchiveHour {
  return Math.floor(now.getTime() / HOUR_MS);
}

/** Returns the first missing hour since `from`. */
function completeUntil(from: ArchiveHour, hours: ReadonlySet<ArchiveHour>): ArchiveHour {
  let hour = from;
  while (hours.has(hour)) hour++;
  return hour;
}
