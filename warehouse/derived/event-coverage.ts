import type { MergedTable } from './derived-table.js';

/** Events by type and day, and the time of the newest: what the data cover. */
export const eventCoverage: MergedTable = {
  name: 'mv_event_coverage',
  keys: ['type', 'day'],
  measures: { events: 'sum', newest_at: 'max' },
  select: (events) => `
    SELECT type, event_day AS day, COUNT(*) AS events, MAX(created_at) AS newest_at
    FROM ${events}
    GROUP BY type, event_day`,
};
