import type { MergedTable } from '../schema/derived-table.js';

const BITS = Array.from({ length: 24 }, (_, hour) => `WHEN ${hour} THEN ${2 ** hour}`).join(' ');

/** The coverage of the data: by type and day, the number of events, the time of the newest one, and the hours with events as bits. */
export const eventCoverage: MergedTable = {
  name: 'mv_event_coverage',
  keys: ['type', 'day'],
  measures: { events: 'sum', newest_at: 'max', hours: 'bits' },
  select: (events) => `
    SELECT type, event_day AS day, COUNT(*) AS events, MAX(created_at) AS newest_at,
      BIT_OR(CASE HOUR(created_at) ${BITS} END) AS hours
    FROM ${events}
    GROUP BY type, event_day`,
};
