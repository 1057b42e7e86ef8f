import type { PlainValue, Tables } from '../store/store.js';
import { WATCHED_TYPES } from './feed-gaps.js';
import { ALL_HOURS } from './hours.js';

/**
 * Computes mv_event_shares. For each type and month, it contains the number of events in the data, and for tracked repositories the number
 * of stars, issues and pull requests on GitHub (`counted`) and how many of these the archive files contain (`known`). A month is partial
 * for a type if the archive files have fewer than GitHub. If nothing can be compared, it is partial if too many events of the month are
 * pushes. Writes nothing if no row changes.
 *
 * The function reads the history of only a few repositories, so its cost does not grow with the number of repositories.
 */
export async function refreshShares(tables: Tables): Promise<void> {
  const rows = await computeShares(tables);
  const stored = await tables.rows(`SELECT ${COLUMNS.join(', ')} FROM mv_event_shares`);
  const textOf = (some: readonly (readonly unknown[])[]) => some.map((row) => row.map(plainText).join(' ')).sort();
  if (textOf(rows).join('\n') === textOf(stored).join('\n')) return;
  await tables.run('DELETE FROM mv_event_shares');
  await tables.insertRows('mv_event_shares', rows);
}

const COLUMNS = ['type', 'month', 'events', 'push_share', 'repositories', 'known', 'counted', 'is_partial', 'period'];

/** The number of repositories that are compared: those with the most stars, issues or pull requests. */
const COMPARED_REPOSITORIES = 50;
/** A share is only computed for months with at least these numbers of compared repositories and counted items. */
const MIN_REPOSITORIES = 3;
const MIN_COUNTED = 100;
const MIN_DAYS = 7;
/** A month with a smaller share is partial. The share of complete months is not exactly 1, because users remove stars. */
const COMPLETE_SHARE = 0.98;
/** If pushes are a larger share of the events of a month, other events are missing. In complete months the share is 0.44 to 0.66. */
const MAX_PUSH_SHARE = 0.7;
/** Months with fewer events are not checked for their share of pushes. Since 2020, a single hour of the archive has more events. */
const MIN_EVENTS = 50_000;

const EVENTS_BY_MONTH = `
  SELECT e.type, c.month, SUM(e.events)
  FROM mv_event_coverage e
  JOIN calendar_days c ON c.day = e.day
  GROUP BY e.type, c.month`;

/** The stars that are only in feeds of repositories, and not in the archive: one row per repository, person and day. */
const FEED_STARS = `(
  SELECT DISTINCT f.repo_id, f.actor_id AS user_id, DATE(f.created_at) AS day
  FROM compared
  JOIN repo_feed_events f ON f.repo_id = compared.repo_id AND f.type = 'WatchEvent'
)`;

/**
 * Selects the days on which these people starred for the first time, among the stars that match a condition. `known` is 1 for the stars of
 * the archive, and -1 to subtract people who are in all stars.
 */
function newcomersSql(condition: string, known: -1 | 1): string {
  return `
    SELECT s.repo_id, s.user_id, MIN(s.day) AS day, ${known} AS known
    FROM (SELECT DISTINCT repo_id, user_id FROM ${FEED_STARS} days) p
    JOIN mv_repo_stars s ON s.repo_id = p.repo_id AND s.user_id = p.user_id
    LEFT JOIN ${FEED_STARS} d ON d.repo_id = s.repo_id AND d.user_id = s.user_id AND d.day = s.day
    WHERE ${condition}
    GROUP BY s.repo_id, s.user_id`;
}

/** The SQL of the comparisons with GitHub, by event type. */
const COMPARISONS: Readonly<Record<string, string>> = {
  WatchEvent: comparisonSql(
    // GitHub's days may be in another time zone than UTC.
    'SELECT repo_id, DATE_SUB(counted_on, INTERVAL 1 DAY) AS end_day FROM github_star_histories ORDER BY stars DESC, repo_id',
    `
    SELECT g.repo_id, g.day, 0 AS known, g.stars AS counted
    FROM compared
    JOIN github_star_days g ON g.repo_id = compared.repo_id AND g.day < compared.end_day
    UNION ALL
    SELECT n.repo_id, n.day, n.newcomers, 0
    FROM compared
    JOIN mv_repo_daily_newcomers n ON n.repo_id = compared.repo_id AND n.kind = 'stargazers' AND n.day < compared.end_day
    UNION ALL
    SELECT f.repo_id, f.day, f.known, 0
    FROM compared
    JOIN (${newcomersSql('TRUE', -1)} UNION ALL ${newcomersSql('d.day IS NULL', 1)}) f
      ON f.repo_id = compared.repo_id AND f.day < compared.end_day`,
  ),
  IssuesEvent: openingsSql('IssuesEvent', 'mv_repo_issues', 'issues', 0),
  PullRequestEvent: openingsSql('PullRequestEvent', 'mv_repo_pull_requests', 'pull_requests', 1),
};

/** All rules on which the result depends. A change of these rules makes the stored result outdated. */
export const SHARE_RULES: readonly unknown[] = [
  ...[MIN_REPOSITORIES, MIN_COUNTED, COMPLETE_SHARE, MAX_PUSH_SHARE, MIN_EVENTS, EVENTS_BY_MONTH],
  ...Object.values(COMPARISONS),
];

interface Comparison {
  readonly repositories: number;
  readonly known: number;
  readonly counted: number;
}

const NOTHING: Comparison = { repositories: 0, known: 0, counted: 0 };

async function computeShares(tables: Tables): Promise<PlainValue[][]> {
  const months = new Map<string, Map<string, number>>();
  for (const [type, month, events] of await tables.rows(EVENTS_BY_MONTH)) {
    const byType = months.get(String(month)) ?? new Map<string, number>();
    months.set(String(month), byType.set(String(type), Number(events)));
  }
  const compared = await compare(tables);
  return [...months].flatMap(([month, byType]) => {
    const all = [...byType.values()].reduce((sum, events) => sum + events, 0);
    const pushShare = (byType.get('PushEvent') ?? 0) / all;
    return WATCHED_TYPES.map((type) => {
      const comparison = compared.get(`${type} ${month}`) ?? NOTHING;
      const { repositories, known, counted } = comparison;
      const isPartial =
        counted > 0
          ? known < COMPLETE_SHARE * counted
          : type !== 'PushEvent' && all >= MIN_EVENTS && pushShare > MAX_PUSH_SHARE;
      const events = byType.get(type) ?? 0;
      const facts = [pushShare.toFixed(4), repositories, known, counted, Number(isPartial)];
      return [type, month, events, ...facts, formatPeriod(month, comparison)];
    });
  });
}

/**
 * Formats a month and its share: `4.1 % in 2026-06`, or only `2026-06`. The share is rounded down, so that a partial month never shows 100
 * %.
 */
function formatPeriod(month: string, { known, counted }: Comparison): string {
  const name = month.slice(0, 7);
  if (counted === 0) return name;
  const tenths = Math.floor((1000 * known) / counted);
  return `${tenths === 0 ? 'less than 0.1' : (tenths / 10).toFixed(1)} % in ${name}`;
}

/** Returns the comparisons that have enough repositories and counts, by type and month. */
async function compare(tables: Tables): Promise<Map<string, Comparison>> {
  const comparisons = new Map<string, Comparison>();
  for (const [type, sql] of Object.entries(COMPARISONS)) {
    for (const [month, ...numbers] of await tables.rows(sql)) {
      const [repositories = 0, known = 0, counted = 0] = numbers.map(Number);
      if (repositories < MIN_REPOSITORIES || counted < MIN_COUNTED) continue;
      comparisons.set(`${type} ${month}`, { repositories, known, counted });
    }
  }
  return comparisons;
}

/** Selects the issues or pull requests that GitHub lists, by the day on which they were opened, until the day before the newest request. */
function openingsSql(type: string, table: string, total: string, isPullRequest: 0 | 1): string {
  return comparisonSql(
    `
    SELECT l.repo_id, l.listed_on AS end_day
    FROM github_issue_lists l
    LEFT JOIN mv_repo_totals t ON t.repo_id = l.repo_id
    ORDER BY t.${total} DESC, l.repo_id`,
    `
    SELECT
      g.repo_id,
      DATE(g.opened_at) AS day,
      CASE WHEN o.number IS NULL OR f.number IS NOT NULL THEN 0 ELSE 1 END AS known,
      1 AS counted
    FROM compared
    JOIN github_issues g
      ON g.repo_id = compared.repo_id AND g.is_pull_request = ${isPullRequest} AND g.opened_at < compared.end_day
    LEFT JOIN (
      SELECT DISTINCT repo_id, number
      FROM ${table}
      WHERE in_events = 1 AND repo_id IN (SELECT repo_id FROM compared)
    ) o ON o.repo_id = g.repo_id AND o.number = g.number
    LEFT JOIN (
      SELECT DISTINCT repo_id, number
      FROM repo_feed_events
      WHERE type = '${type}' AND action = 'opened' AND repo_id IN (SELECT repo_id FROM compared)
    ) f ON f.repo_id = g.repo_id AND f.number = g.number`,
  );
}

/**
 * Returns a SELECT of month, repositories, known and counted. `compared` is a SELECT of repositories and the day after their last compared
 * day, ordered by priority. `days` is a SELECT of repo_id, day, known and counted.
 *
 * The query compares only days with all hours, because missing hours are already in mv_feed_gaps. The days before and after must also have
 * all hours, because GitHub's days may be in another time zone than UTC. A repository is compared from the day after its first known event,
 * because it may have been private before that.
 */
function comparisonSql(compared: string, days: string): string {
  return `
    WITH compared AS (
      SELECT repo_id, end_day FROM (${compared} LIMIT ${COMPARED_REPOSITORIES}) chosen
    ),
    whole_days AS (
      SELECT day
      FROM (
        SELECT day, BIT_OR(hours) AS hours
        FROM (
          SELECT day, hours FROM mv_event_coverage
          UNION ALL
          SELECT day, hours & ${ALL_HOURS} FROM imported_hours
        ) sources
        GROUP BY day
      ) by_day
      WHERE hours = ${ALL_HOURS}
    ),
    inner_days AS (
      SELECT c.day, c.month
      FROM whole_days w
      JOIN whole_days before_it ON before_it.day = DATE_SUB(w.day, INTERVAL 1 DAY)
      JOIN whole_days after_it ON after_it.day = DATE_ADD(w.day, INTERVAL 1 DAY)
      JOIN calendar_days c ON c.day = w.day
    ),
    months AS (
      SELECT month FROM inner_days GROUP BY month HAVING COUNT(*) >= ${MIN_DAYS}
    ),
    starts AS (
      SELECT n.repo_id, MIN(n.day) AS first_day
      FROM compared
      JOIN mv_repo_daily_newcomers n ON n.repo_id = compared.repo_id
      GROUP BY n.repo_id
    )
    SELECT d.month, COUNT(DISTINCT n.repo_id), SUM(n.known), SUM(n.counted)
    FROM (${days}) n
    JOIN inner_days d ON d.day = n.day
    JOIN months m ON m.month = d.month
    LEFT JOIN starts s ON s.repo_id = n.repo_id
    WHERE s.first_day IS NULL OR n.day > s.first_day
    GROUP BY d.month`;
}

/** Removes trailing zeros of a number, so that equal values have the same text in all databases. */
function plainText(cell: unknown): string {
  return /^\d+(\.\d+)?$/.test(String(cell)) ? String(Number(cell)) : String(cell);
}
