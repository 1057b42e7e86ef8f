import type { BoundValue, Cell, Database } from '../engine/index.js';
import { FIRST_HOUR, LAST_HOUR } from './derived/hours.js';
import { ACCOUNTS, type NamedKind, REPOSITORIES } from './import/staging/named-kind.js';

/** A summary of the stored data. Days are `YYYY-MM-DD`, times are `YYYY-MM-DD HH:MM:SS`, both in UTC. */
export interface Coverage {
  readonly events: number;
  readonly files: number;
  /** The number of events that are only in feeds of repositories. `events` does not include these events. */
  readonly feedEvents: number;
  /** The archives from which files were downloaded, sorted by URL. */
  readonly archives: readonly ArchiveCoverage[];
  readonly repositories: number;
  readonly users: number;
  /** Repositories and accounts without a real id, because the import found no id for their name. */
  readonly provisional: { readonly repositories: ProvisionalCoverage; readonly accounts: ProvisionalCoverage };
  /** Null if there are no events. */
  readonly newestEventAt: string | null;
  readonly types: readonly TypeCoverage[];
  readonly gaps: readonly FeedGap[];
  /** Sorted by month and type. */
  readonly partialMonths: readonly PartialMonth[];
}

/** The data from one archive. */
export interface ArchiveCoverage {
  /** The base URL, with a slash at its end. */
  readonly archive: string;
  readonly files: number;
  readonly events: number;
  /** The number of events that no file imported before had. */
  readonly added: number;
}

export interface ProvisionalCoverage {
  /** The number of provisional repositories or accounts. */
  readonly count: number;
  readonly events: number;
}

export interface TypeCoverage {
  readonly type: string;
  readonly events: number;
  readonly firstDay: string;
  readonly lastDay: string;
  /** The number of days with at least one event, between the first and the last day. */
  readonly days: number;
  readonly newestAt: string;
}

/** Consecutive hours without an event of a type, within the period of the data. */
export interface FeedGap {
  readonly type: string;
  /** `YYYY-MM-DD HH:00:00`; both hours are part of the gap. */
  readonly firstHour: string;
  readonly lastHour: string;
  readonly hours: number;
  /** The hours as text, such as `from 2015-01-01 04:00 to 2015-01-02 22:59 UTC`. */
  readonly period: string;
}

/** A month for which the data contain only a part of the events of a type. */
export interface PartialMonth {
  readonly type: string;
  /** `YYYY-MM`. */
  readonly month: string;
  readonly events: number;
  /** The estimated share of all events, from 0 to 1; null if no tracked repository was compared with GitHub. */
  readonly share: number | null;
  /** The number of tracked repositories that were compared. */
  readonly repositories: number;
}

/** Reads the summary for `data status`. */
export async function readCoverage(database: Database): Promise<Coverage> {
  const [totals = []] = await readRows(database, TOTALS);
  const types = await readTypes(database);
  const gaps = await readRows(database, GAPS);
  const partialMonths = await readRows(database, `${SELECT_PARTIAL_MONTHS} ORDER BY month, type`);
  const provisional = async (kind: NamedKind) => {
    const [[count, own] = []] = await readRows(database, provisionalSql(kind));
    return { count: Number(count), events: Number(own) };
  };
  const archives = await readRows(database, ARCHIVES);
  const [events, files, feedEvents, repositories, users, newest = null] = totals;
  return {
    events: Number(events),
    files: Number(files),
    feedEvents: Number(feedEvents),
    archives: archives.map(([archive, count, total, added]) => ({
      archive: String(archive),
      files: Number(count),
      events: Number(total),
      added: Number(added),
    })),
    repositories: Number(repositories),
    users: Number(users),
    provisional: { repositories: await provisional(REPOSITORIES), accounts: await provisional(ACCOUNTS) },
    newestEventAt: newest === null ? null : String(newest),
    types,
    gaps: gaps.map(([type, firstHour, lastHour, hours, period]) => ({
      type: String(type),
      firstHour: String(firstHour),
      lastHour: String(lastHour),
      hours: Number(hours),
      period: String(period),
    })),
    partialMonths: partialMonths.map(toMonthShare),
  };
}

/** Reads the coverage of each event type, sorted by type. The query is much cheaper than `readCoverage`. */
export async function readTypes(database: Database): Promise<TypeCoverage[]> {
  const types = await readRows(database, TYPES);
  return types.map(([type, count, firstDay, lastDay, days, newestAt]) => ({
    type: String(type),
    events: Number(count),
    firstDay: String(firstDay),
    lastDay: String(lastDay),
    days: Number(days),
    newestAt: String(newestAt),
  }));
}

/** The number of events of one type on one day. */
export interface DayCoverage {
  readonly day: string;
  readonly type: string;
  readonly events: number;
}

/** Reads the number of events by day and type, for the last `days` days up to the newest one, sorted by day and type. */
export async function readCoverageByDay(database: Database, days: number): Promise<DayCoverage[]> {
  const rows = await readRows(database, BY_DAY, [days]);
  return rows.map(([day, type, events]) => ({ day: String(day), type: String(type), events: Number(events) }));
}

/** Limits of the summary queries. The results always have fewer rows than `maxRows`. */
const LIMITS = { maxRows: 1_000_000, timeoutMs: 60_000 };

/** Reads rows for a report. */
export async function readRows(
  database: Database,
  sql: string,
  values: readonly BoundValue[] = [],
): Promise<readonly (readonly Cell[])[]> {
  return (await database.query(database.prepare(sql), values, LIMITS)).rows;
}

const BY_DAY = `
  SELECT c.day, c.type, c.events
  FROM mv_event_coverage c
  WHERE c.day > (SELECT DATE_SUB(MAX(day), INTERVAL :p1 DAY) FROM mv_event_coverage)
  ORDER BY c.day, c.type`;

const TOTALS = `
  SELECT
    (SELECT COALESCE(SUM(events), 0) FROM mv_event_coverage) AS events,
    (SELECT COUNT(*) FROM import_files) AS files,
    (SELECT COUNT(*) FROM repo_feed_events) AS feed_events,
    (SELECT COUNT(*) FROM github_repos) AS repositories,
    (SELECT COUNT(*) FROM github_users) AS users,
    (SELECT MAX(newest_at) FROM mv_event_coverage) AS newest_at`;

const ARCHIVES = `
  SELECT LEFT(source, CHAR_LENGTH(source) - CHAR_LENGTH(name)), COUNT(*), SUM(events), SUM(events - already_there)
  FROM import_files
  WHERE source LIKE 'http%'
  GROUP BY LEFT(source, CHAR_LENGTH(source) - CHAR_LENGTH(name))
  ORDER BY 1`;

/** If no real id was found for a name, all events without an id and with this name keep the provisional id of the name. */
const provisionalSql = ({ provisionalId, sources: { table, key } }: NamedKind) => `
  SELECT
    (SELECT COUNT(*) FROM ${table} WHERE ${key} < 0 AND target_id = ${key}) AS records,
    (
      SELECT COUNT(*)
      FROM ${table} s
      JOIN github_events e ON e.${provisionalId} = s.${key}
      WHERE s.${key} < 0 AND s.target_id = s.${key}
    ) AS events`;

const TYPES = `
  SELECT type, SUM(events), MIN(day), MAX(day), COUNT(*), MAX(newest_at)
  FROM mv_event_coverage
  GROUP BY type
  ORDER BY type`;

const GAPS = `
  SELECT type, first_hour, last_hour, hours, period
  FROM mv_feed_gaps
  WHERE first_hour > '${FIRST_HOUR}' AND last_hour < '${LAST_HOUR}'
  ORDER BY first_hour, type`;

/** Selects the columns that `toMonthShare` needs. A condition and an order can be appended. */
export const SELECT_SHARES = 'SELECT type, month, events, repositories, known, counted FROM mv_event_shares';
export const SELECT_PARTIAL_MONTHS = `${SELECT_SHARES} WHERE is_partial = 1`;

export function toMonthShare(row: readonly Cell[]): PartialMonth {
  const [type, month, events, repositories, known, counted] = row;
  return {
    type: String(type),
    month: String(month).slice(0, 7),
    events: Number(events),
    share: Number(repositories) === 0 ? null : Number(known) / Number(counted),
    repositories: Number(repositories),
  };
}
