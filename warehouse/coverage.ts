import type { EmbeddedDatabase } from '../databases/duckdb/embedded.js';

/** What the data hold. Days are `YYYY-MM-DD`, times `YYYY-MM-DD HH:MM:SS`, in UTC. */
export interface Coverage {
  readonly events: number;
  readonly files: number;
  readonly repositories: number;
  readonly users: number;
  /** NULL while there is no event. */
  readonly newestEventAt: string | null;
  readonly types: readonly TypeCoverage[];
  readonly gaps: readonly FeedGap[];
}

export interface TypeCoverage {
  readonly type: string;
  readonly events: number;
  readonly firstDay: string;
  readonly lastDay: string;
  /** Days with at least one event, of the days from the first to the last. */
  readonly days: number;
  readonly newestAt: string;
}

/** Days in a row without one event of a type, although the data hold days before and after. */
export interface FeedGap {
  readonly type: string;
  readonly firstDay: string;
  readonly lastDay: string;
}

/** What `data status` shows. */
export function coverage(database: EmbeddedDatabase): Promise<Coverage> {
  return database.maintain(async (connection) => {
    const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJS();
    const [totals = []] = await rows(TOTALS);
    const types = await rows(TYPES);
    const gaps = await rows(GAPS);
    const [events, files, repositories, users, newest] = totals;
    return {
      events: Number(events),
      files: Number(files),
      repositories: Number(repositories),
      users: Number(users),
      newestEventAt: newest === null ? null : String(newest),
      types: types.map(([type, count, firstDay, lastDay, days, newestAt]) => ({
        type: String(type),
        events: Number(count),
        firstDay: String(firstDay),
        lastDay: String(lastDay),
        days: Number(days),
        newestAt: String(newestAt),
      })),
      gaps: gaps.map(([type, first, last]) => ({ type: String(type), firstDay: String(first), lastDay: String(last) })),
    };
  });
}

/** Events of one type on one day. */
export interface DayCoverage {
  readonly day: string;
  readonly type: string;
  readonly events: number;
}

/** The events of each type on the last `days` days up to the newest, in the order of days and types. */
export function coverageByDay(database: EmbeddedDatabase, days: number): Promise<DayCoverage[]> {
  return database.maintain(async (connection) => {
    const reader = await connection.runAndReadAll(BY_DAY, [days]);
    return reader
      .getRowsJS()
      .map(([day, type, events]) => ({ day: String(day), type: String(type), events: Number(events) }));
  });
}

const BY_DAY = `
  SELECT c.day::VARCHAR, c.type, c.events
  FROM mv_event_coverage c
  WHERE c.day > (SELECT MAX(day) FROM mv_event_coverage) - $1::INTEGER
  ORDER BY c.day, c.type`;

const TOTALS = `
  SELECT
    COALESCE((SELECT SUM(events) FROM mv_event_coverage), 0),
    (SELECT COUNT(*) FROM import_files),
    (SELECT COUNT(*) FROM github_repos),
    (SELECT COUNT(*) FROM github_users),
    (SELECT MAX(newest_at) FROM mv_event_coverage)::VARCHAR`;

const TYPES = `
  SELECT type, SUM(events), MIN(day)::VARCHAR, MAX(day)::VARCHAR, COUNT(*), MAX(newest_at)::VARCHAR
  FROM mv_event_coverage
  GROUP BY type
  ORDER BY type`;

const GAPS = 'SELECT type, first_day::VARCHAR, last_day::VARCHAR FROM mv_feed_gaps ORDER BY first_day, type';
