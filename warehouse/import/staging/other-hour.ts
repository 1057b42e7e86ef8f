import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlTime } from '../../../engine/index.js';
import { type ArchiveHour, HOUR_MS } from '../files/archive-hours.js';
import { STAGED_EVENTS } from './staging-table.js';

/**
 * Describes why the staged events of a file cannot be an hour of the archive; undefined if they can be. Otherwise a file with the
 * content of another time would be stored as this hour, and the events of this hour would never be imported.
 *
 * The real files that we have since 2015, and of 2011, contain only events of the hour in their name. The names of 2012 to 2014 are
 * in Pacific time, so that their events are 7 to 9 hours later, and their files run over the end of the hour. GitHub also delivers
 * single events up to 6 hours late. So 24 hours are allowed in both directions, and at least one event must be of the hour itself. A
 * tenth of the events may be outside, because a few late events must not block their hour.
 */
export async function describeOtherHour(
  staging: DuckDBConnection,
  file: number,
  hour: ArchiveHour,
): Promise<string | undefined> {
  const start = hour * HOUR_MS;
  const [first, last] = [timeOf(start - TOLERANCE_MS), timeOf(start + HOUR_MS + TOLERANCE_MS)];
  const ownEnd = timeOf(start + (start < UTC_NAMES_MS ? PACIFIC_MS : HOUR_MS));
  const events = `(SELECT id, type, repo_name, created_at AS time FROM ${STAGED_EVENTS} WHERE file = ${file})`;
  const counts = await staging.runAndReadAll(`
    SELECT
      COUNT(*),
      COUNT(*) FILTER (WHERE time < '${first}' OR time >= '${last}'),
      COUNT(*) FILTER (WHERE time >= '${timeOf(start)}' AND time < '${ownEnd}')
    FROM ${events}`);
  const [[all = 0n, outside = 0n, own = 0n] = []] = counts.getRowsJS() as bigint[][];
  const hasOthers = outside * MAX_OUTSIDE_DIVISOR > all;
  if (!hasOthers && own > 0n) return undefined;
  const farthest = await staging.runAndReadAll(`
    SELECT type || CASE WHEN id = 0 THEN '' ELSE ' ' || id END || ' of ' || repo_name || ' at ' || time
    FROM ${events}
    ORDER BY ABS(epoch(time) - ${start / 1000}) DESC, id, type, repo_name
    LIMIT 1`);
  const rule = hasOthers ? `events from ${first} to ${last} UTC` : `events from ${timeOf(start)} to ${ownEnd} UTC`;
  const found = hasOthers ? `${outside} of ${all} are outside` : `none of ${all} is`;
  return (
    `The file has events of another hour, so it was not imported: expected ${rule}, but ${found}, such as ` +
    `${farthest.getRowsJS()[0]?.[0]}.`
  );
}

/** At most one of this many events may be outside of the tolerance. */
const MAX_OUTSIDE_DIVISOR = 10n;
const TOLERANCE_MS = 24 * HOUR_MS;
/** From this time on, names of files are in UTC. */
const UTC_NAMES_MS = Date.UTC(2015, 0, 1);
/** The end of the events of a file with a name in Pacific time: up to 8 hours later, and over the end of its hour. */
const PACIFIC_MS = 10 * HOUR_MS;

function timeOf(ms: number): string {
  return sqlTime(new Date(ms));
}
