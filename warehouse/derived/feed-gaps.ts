/** Types whose absence leaves an answer wrong, so that it is told. */
const WATCHED_TYPES = ['WatchEvent', 'IssuesEvent', 'PullRequestEvent', 'PushEvent', 'ForkEvent'];

/**
 * mv_feed_gaps: whole days, one or more in a row, between the first and the last day of all data, without one event of a
 * type. Each row is the space between two days that carry the type; the days just outside the data close the first and
 * the last one.
 */
export const FEED_GAPS = `
  SELECT
    type,
    CAST(previous + INTERVAL 1 DAY AS DATE) AS first_day,
    CAST(day - INTERVAL 1 DAY AS DATE) AS last_day
  FROM (
    SELECT type, day, LAG(day) OVER (PARTITION BY type ORDER BY day) AS previous
    FROM (
      SELECT type, day FROM mv_event_coverage WHERE type IN (${WATCHED_TYPES.map((type) => `'${type}'`).join(', ')})
      ${WATCHED_TYPES.map(
        (type) => `
      UNION ALL
      SELECT '${type}' AS type, CAST(MIN(day) - INTERVAL 1 DAY AS DATE) AS day FROM mv_event_coverage
      UNION ALL
      SELECT '${type}' AS type, CAST(MAX(day) + INTERVAL 1 DAY AS DATE) AS day FROM mv_event_coverage`,
      ).join('')}
    ) days
  ) spaces
  WHERE previous + INTERVAL 1 DAY < day`;
