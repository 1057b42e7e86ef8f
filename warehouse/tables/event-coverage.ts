import type { MergedTable } from '../schema/derived-table.js';

const BITS = Array.from({ length: 24 }, (_, hour) => `WHEN ${hour} THEN ${2 ** hour}`).join(' ');

/** The coverage of the data: by type and day, the number of events, the time of the newest event, and the hours with events, as bits. */
export const eventCoverage: MergedTable = {
  name: 'mv_event_coverage',
  keys: ['type', 'day'],
  measures: { events: 'sum', newest_at: 'max', hours: 'bits' },
  // The hour is computed in the inner SELECT, so that it is computed once and not 24 times.
  select: (events) => `
    SELECT type, day, COUNT(*) AS events, MAX(created_at) AS newest_at, BIT_OR(CASE hour ${BITS} END) AS hours
    FROM (SELECT type, event_day AS day, created_at, HOUR(created_at) AS hour FROM ${events}) hours
    GROUP BY type, day`,
};
