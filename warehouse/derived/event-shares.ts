import type { PlainValue, Tables } from '../store/store.js';
import { WATCHED_TYPES } from './feed-gaps.js';
import { ALL_HOURS } from './hours.js';

/**
 * Computes mv_event_shares: by type and month, the events of the data, and for tracked repositories how many stars, issues and pull
 * requests the events have, and how many GitHub has. A month is partial for a type if the events have less of it than GitHub, or, if
 * nothing is compared, if most events of the month are pushes. Writes nothing if no row changes.
 *
 * It compares few repositories, so that its cost does not grow with their number, and only days with all hours: hours that are missing
 * are in mv_feed_gaps.
 */
export async function refreshShares(tables: Tables): Promise<void> {
  const rows = await computeShares(tables);
  const stored = await tables.rows(`SELECT ${COLUMNS.join(', ')} FROM mv_event_shares`);
  const textOf = (some: readonly (readonly unknown[])[]) => some.map((row) => row.map(plainText).join(' ')).sort();
  if (textOf(rows).join('\n') === textOf(stored).join('\n')) return;
  await tables.run('DELETE FROM mv_event_shares');
  await tables.insertRows('mv_event_shares', rows);
}

const COLUMNS = ['type', 'month', 'events', 'push_share', 'repositories', 'known', 'counted', 'is_partial'];

/** The number of repositories that are compared: those with the most stars, issues or pull requests. */
const COMPARED_REPOSITORIES = 200;
/** The least number of GitHub's stars, issues or pull requests of a month for a share. */
const MIN_COUNTED = 100;
/** A month with a smaller share is partial. The share of complete months is not exactly 1, because users take back stars. */
const COMPLETE_SHARE = 0.98;
/** The share of pushes in the events of a month above which other events are missing. Complete months have 0.5 to 0.66. */
const MAX_PUSH_SHARE = 0.7;
/** The least number of events of a month for a conclusion from its share of pushes. An hour of the archive has more. */
const MIN_EVENTS = 50_000;

/** The SQL of the shares, by the type of the events. */
export const COMPARISONS: Readonly<Record<string, string>> = {
  WatchEvent: comparisonSql(
    'SELECT repo_id, DATE_SUB(counted_on, INTERVAL 1 DAY) AS end_day FROM github_star_histories ORDER BY stars DESC, repo_id',
    `
    SELECT g.repo_id, g.day, 0 AS known, g.stars AS counted
    FROM compared
    JOIN github_star_days g ON g.repo_id = compared.repo_id AND g.day < compared.end_day
    UNION ALL
    SELECT n.repo_id, n.day, n.newcomers, 0
    FROM compared
    JOIN mv_repo_daily_newcomers n ON n.repo_id = compared.repo_id AND n.kind = 'stargazers' AND n.day < compared.end_day`,
  ),
  IssuesEvent: openingsSql('mv_repo_issues', 'issues', 0),
  PullRequestEvent: openingsSql('mv_repo_pull_requests', 'pull_requests', 1),
};

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
      return [type, month, events, pushShare.toFixed(4), repositories, known, counted, Number(isPartial)];
    });
  });
}

/** The comparisons with enough events, by type and month. */
async function compare(tables: Tables): Promise<Map<string, Comparison>> {
  const comparisons = new Map<string, Comparison>();
  for (const [type, sql] of Object.entries(COMPARISONS)) {
    for (const [month, ...numbers] of await tables.rows(sql)) {
      const [repositories = 0, known = 0, counted = 0] = numbers.map(Number);
      if (counted >= MIN_COUNTED) comparisons.set(`${type} ${month}`, { repositories, known, counted });
    }
  }
  return comparisons;
}

const EVENTS_BY_MONTH = `
  SELECT e.type, c.month, SUM(e.events)
  FROM mv_event_coverage e
  JOIN calendar_days c ON c.day = e.day
  GROUP BY e.type, c.month`;

/** The share of issues or pull requests by the day of their opening, until the day before the newest request. */
function openingsSql(table: string, total: string, isPullRequest: 0 | 1): string {
  return comparisonSql(
    `
    SELECT l.repo_id, l.listed_on AS end_day
    FROM github_issue_lists l
    LEFT JOIN mv_repo_totals t ON t.repo_id = l.repo_id
    ORDER BY t.${total} DESC, l.repo_id`,
    `
    SELECT g.repo_id, DATE(g.opened_at) AS day, 0 AS known, 1 AS counted
    FROM compared
    JOIN github_issues g
      ON g.repo_id = compared.repo_id AND g.is_pull_request = ${isPullRequest} AND g.opened_at < compared.end_day
    UNION ALL
    SELECT o.repo_id, DATE(MIN(o.opened_at)), 1, 0
    FROM compared
    JOIN ${table} o ON o.repo_id = compared.repo_id AND o.in_events = 1 AND o.opened_at < compared.end_day
    GROUP BY o.repo_id, o.number`,
  );
}

/**
 * Returns a SELECT of month, repositories, known and counted. `compared` is a SELECT of repositories and the day after their last one, in
 * the order in which they are chosen. `days` is a SELECT of repo_id, day, known and counted.
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
    )
    SELECT c.month, COUNT(DISTINCT n.repo_id), SUM(n.known), SUM(n.counted)
    FROM (${days}) n
    JOIN whole_days w ON w.day = n.day
    JOIN calendar_days c ON c.day = n.day
    GROUP BY c.month`;
}

/** Numbers without a scale, so that equal values have the same text in all databases. */
function plainText(cell: unknown): string {
  return /^\d+(\.\d+)?$/.test(String(cell)) ? String(Number(cell)) : String(cell);
}
