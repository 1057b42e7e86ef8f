import { COMPLETE_DAY } from '../derived/feed-gaps.js';
import { daysBetween } from '../rules/times.js';
import type { Tables } from '../store/store.js';
import { HOUR_MS, hourOfFile } from './files/archive-hours.js';

/** The columns of the ledger that determine the hour of a file. Times are `YYYY-MM-DD HH:MM:SS`. */
interface ImportedFile {
  readonly name: string;
  readonly firstEventAt: string | null;
  readonly lastEventAt: string | null;
}

/**
 * Adds the hours of archive files to imported_hours. Files with other names have no hour. With `complete`, it adds all days from the
 * first to the last event of each file instead.
 */
export async function addImportedHours(
  tables: Tables,
  files: readonly ImportedFile[],
  { complete }: { readonly complete: boolean },
): Promise<void> {
  const hours = new Map<string, number>();
  const add = (day: string, bits: number) => hours.set(day, (hours.get(day) ?? 0) | bits);
  for (const file of files) {
    const { day, hour } = archiveHour(file) ?? {};
    if (complete) for (const each of daysOf(file)) add(each, COMPLETE_DAY);
    else if (day !== undefined && hour !== undefined) add(day, 1 << hour);
  }
  for (const [day, bits] of hours) {
    const [[known = 0] = []] = await tables.rows('SELECT hours FROM imported_hours WHERE day = :p1', [day]);
    await tables.run('DELETE FROM imported_hours WHERE day = :p1', [day]);
    await tables.insertRows('imported_hours', [[day, Number(known) | bits]]);
  }
}

/** Computes imported_hours again from the ledger. */
export async function fillImportedHours(tables: Tables): Promise<void> {
  const files = await tables.rows('SELECT name, first_event_at, last_event_at FROM import_files');
  await tables.run('DELETE FROM imported_hours');
  const textOf = (cell: unknown) => (cell === null ? null : String(cell));
  await addImportedHours(
    tables,
    files.map(([name, first, last]) => ({
      name: String(name),
      firstEventAt: textOf(first ?? null),
      lastEventAt: textOf(last ?? null),
    })),
    { complete: false },
  );
}

function daysOf({ firstEventAt, lastEventAt }: ImportedFile): string[] {
  return firstEventAt === null || lastEventAt === null ? [] : daysBetween(firstEventAt, lastEventAt);
}

/**
 * The hour of an archive file with a name such as `2015-01-01-15.json.gz`; undefined for other files. The hour is derived from the events
 * and not from the name, because file names of the second era are in Pacific time and their files contain events after the end of the hour.
 * If the events are from several hours, it is the hour in the name.
 */
function archiveHour({ name, firstEventAt, lastEventAt }: ImportedFile) {
  const named = hourOfFile(name);
  if (named === undefined || firstEventAt === null || lastEventAt === null) return undefined;
  const [first, last] = [firstEventAt, lastEventAt].map((time) => Date.parse(`${time.replace(' ', 'T')}Z`)) as [
    number,
    number,
  ];
  const middle = last - first < 2 * HOUR_MS ? (first + last) / 2 : (named + 0.5) * HOUR_MS;
  if (middle > last + HOUR_MS || middle < first - HOUR_MS) return undefined;
  const hour = new Date(middle).toISOString();
  return { day: hour.slice(0, 10), hour: Number(hour.slice(11, 13)) };
}
