import { type ArchiveHour, formatArchiveHour, HOUR_MS, parseArchiveHour } from '../files/archive-hours.js';

/** Which of the followed hours are imported. Hours are written as in the names of archive files: `2026-01-31-5`. */
export interface HourCoverage {
  /** The first hour that is followed. */
  readonly from: string;
  /** The newest imported hour; null if no hour since `from` is imported. Earlier hours may be missing. */
  readonly newestHour: string | null;
  /**
   * Milliseconds since the end of the newest imported hour, or since the start of `from` if no hour is imported. Missing earlier hours do
   * not count, because the archive never publishes some hours. A normal maximum, just before the archive publishes an hour, is about
   * 4,000,000.
   */
  readonly lagMs: number;
  /** The number of hours since `from` that have ended and are not imported: not published yet, failed, or missing in the archive. */
  readonly missingHours: number;
  /** The time of the last import, ISO 8601, by the clock of the import. Null if no hour since `from` is imported. */
  readonly lastImportedAt: string | null;
}

/**
 * - `starting`: the database was not read yet.
 * - `importing`: hours are being downloaded or imported.
 * - `waiting`: waits for the next hour, or for the next attempt of an hour that the archive does not have.
 * - `standby`: another follower or a command is importing into the database, or another follower is downloading.
 * - `failing`: the last attempt of an hour, or the database, failed; `lastError` says why.
 * - `stopped`: the follower has ended. `lastError` contains the reason, unless the process was stopped.
 * - `external`: another process follows. The coverage is read from the database.
 */
export const FOLLOW_STATES = ['starting', 'importing', 'waiting', 'standby', 'failing', 'stopped', 'external'] as const;
export type FollowState = (typeof FOLLOW_STATES)[number];

/** The state of one follower. The fields of `HourCoverage` are null until the database was read. */
export interface FollowProgress {
  readonly state: FollowState;
  readonly from: HourCoverage['from'] | null;
  readonly newestHour: HourCoverage['newestHour'];
  readonly lagMs: HourCoverage['lagMs'] | null;
  readonly missingHours: HourCoverage['missingHours'] | null;
  readonly lastImportedAt: HourCoverage['lastImportedAt'];
  /** The number of hours that this follower has imported since its start. Other processes can import the same hours. */
  readonly importedHours: number;
  /** The newest problem. Null after it is solved. A missing hour in the archive is not a problem. */
  readonly lastError: string | null;
  /** The time of the next attempt, ISO 8601, by the clock of the service. Null while hours are being imported. */
  readonly nextAttemptAt: string | null;
}

/** The hours since the first followed hour that were imported from any archive, and the time of the last import. */
export interface ImportedHours {
  readonly hours: ReadonlySet<ArchiveHour>;
  /** The newest imported hour; null if no hour is imported. */
  readonly newest: ArchiveHour | null;
  /**
   * The hours that need not be requested from the archive of the follower any more. Hours that were only imported from other archives are
   * not included.
   */
  readonly ended: ReadonlySet<ArchiveHour>;
  /** The newest hour that was imported from the archive of the follower; null if it has no imported hour. */
  readonly newestOwn: ArchiveHour | null;
  readonly lastImportedAt: string | null;
}

/** Computes the coverage. The cost must not grow with the number of hours, because health checks and scrapes call it. */
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

/** Returns the progress of a follower at an earlier time `at`, updated with the hours that have ended since then. */
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

/** Counts the imported hours that have ended. Later hours exist only if the clock is fixed or was set back. */
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
