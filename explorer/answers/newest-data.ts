import { readStateRows } from '../../accounts/state-reads.js';
import type { Database } from '../../engine/index.js';
import { isoTime } from '../../warehouse/rules/times.js';

/** Returns the time of the newest event of the data set; undefined if there are no events. */
export async function readNewestData(database: Database, signal: AbortSignal): Promise<Date | undefined> {
  const [[newest = null] = []] = await readStateRows(
    database,
    'SELECT MAX(newest_at) FROM mv_event_coverage',
    [],
    signal,
  );
  return newest === null ? undefined : new Date(isoTime(newest));
}
