import { isDay } from '../../rules/times.js';

/** The default base URL for hour ranges: the public archive. */
export const ARCHIVE_URL = 'https://data.gharchive.org';

/** Returns the archives in a setting: base URLs, separated by commas. All archives use the same file names. */
export function archivesOf(archiveUrl: string): string[] {
  return archiveUrl.split(',');
}

/** Returns the common start of the URLs of an archive's files. */
export function filesOf(archive: string): string {
  return `${archive.replace(/\/$/, '')}/`;
}

/**
 * An hour of the archive: the number of hours from the start of 1970 to the time in the file name. In files since 2015, this is the hour of
 * the events in UTC.
 */
export type ArchiveHour = number;

export const HOUR_MS = 3_600_000;

/** Formats an hour as in the names of archive files, such as `2015-01-01-5`. */
export function formatArchiveHour(hour: ArchiveHour): string {
  const [day, time = ''] = new Date(hour * HOUR_MS).toISOString().split('T');
  return `${day}-${Number(time.slice(0, 2))}`;
}

/** Parses an hour such as `2015-01-01-5`. The hour of a day is its first hour. Undefined if the hour does not exist. */
export function parseArchiveHour(text: string): ArchiveHour | undefined {
  const [, day = '', time = 0] = /^(\d{4}-\d\d-\d\d)(?:-(\d\d?))?$/.exec(text) ?? [];
  const hour = Number(time);
  return hour > 23 || !isDay(day) ? undefined : Date.parse(day) / HOUR_MS + hour;
}

/** Parses an hour, a day or a month such as `2015-01`. Returns its first and its last hour; undefined if it does not exist. */
export function parseArchiveHours(text: string): readonly [ArchiveHour, ArchiveHour] | undefined {
  const [, year, month] = /^(\d{4})-(\d\d)$/.exec(text) ?? [];
  const first = parseArchiveHour(month === undefined ? text : `${text}-01`);
  if (first === undefined) return undefined;
  if (month !== undefined) return [first, Date.UTC(Number(year), Number(month)) / HOUR_MS - 1];
  return [first, isDay(text) ? first + 23 : first];
}

/** Returns the hour in the name of an archive file, such as `2015-01-01-5.json.gz`; undefined for other files. */
export function hourOfFile(name: string): ArchiveHour | undefined {
  const [, hour = ''] = /(?:^|\D)(\d{4}-\d\d-\d\d-\d{1,2})(?=\.)/.exec(name) ?? [];
  return parseArchiveHour(hour);
}
