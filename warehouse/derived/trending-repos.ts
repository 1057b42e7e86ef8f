import type { Cell } from '../../engine/index.js';
import { isBotLoginSql } from '../rules/bots.js';
import type { Tables } from '../store/store.js';

/** A period of the trends, with its name in answers and its length. */
interface TrendingPeriod {
  readonly name: string;
  readonly days: number;
}

const TRENDING_PERIODS: readonly TrendingPeriod[] = [
  { name: 'past_24_hours', days: 1 },
  { name: 'past_week', days: 7 },
  { name: 'past_month', days: 30 },
  { name: 'past_3_months', days: 90 },
];

/** Computes mv_trending_repos again, as of a time `YYYY-MM-DD HH:MM:SS`. */
export async function refreshTrends(tables: Tables, time: string): Promise<void> {
  const best: (readonly Cell[])[] = [];
  for (const { name, days } of TRENDING_PERIODS) {
    for (const row of await tables.rows(bestSql(days), [time])) best.push([name, ...row]);
  }
  const replace = async (contributions: ReadonlyMap<string, readonly Cell[]>) => {
    await tables.run('DELETE FROM mv_trending_repos');
    await tables.insertRows(
      'mv_trending_repos',
      best.map(([period = null, language = null, id = null, stars = null, forks = null, score = null]) => {
        const [pullRequests = null, pushes = null, logins = null] = contributions.get(`${period} ${id}`) ?? [];
        return [language, period, time, id, stars, forks, pullRequests, pushes, score, logins];
      }),
    );
  };
  // `CONTRIBUTIONS` reads the best repositories from the table.
  await replace(new Map());
  const rows = await tables.rows(CONTRIBUTIONS, [time]);
  await replace(new Map(rows.map(([period, id, ...facts]) => [`${period} ${id}`, facts])));
}

/**
 * A SELECT of the best 100 repositories of each language and of all languages, for one period that ends at `:p1`. Columns: language, id,
 * stars, forks, score.
 *
 * The score is the sum of 2 + 3f for each star, 1 + 3f for each fork, and 200 ÷ (1 + full years of age), where f grows from 0 at the start
 * of the period to 1 at its end. If one actor made many of the forks, forks do not count. If one actor made many of the stars, the
 * repository is excluded. Events without an actor are counted, but ignored in these two checks. The same applies to stars that GitHub
 * counts for a day but that are not in the events of that day; their time is noon of the day. A repository with an unknown last push is not
 * excluded. An unknown age adds nothing to the score.
 *
 * The score is one division of integers (seconds), so that its rounding does not depend on the order of the events or on the
 * database.
 *
 * Only the first and the last day of the period are read from the events. All other days are read from derived tables, which have a row
 * for each repository and day. The query reads each common table expression once if possible, because databases compute it for each use.
 */
function bestSql(days: number): string {
  const seconds = days * 86_400;
  const start = `DATE_SUB(:p1, INTERVAL ${days} DAY)`;
  const isWholeDay = `day > DATE(${start}) AND day < DATE(:p1)`;
  const secondsTo = (time: string) => `TIMESTAMPDIFF(SECOND, ${start}, ${time})`;
  const noon = 'DATE_ADD(g.day, INTERVAL 12 HOUR)';
  const edgeSql = (condition: string) => `
      SELECT repo_id, CASE WHEN type = 'ForkEvent' THEN 1 ELSE 0 END AS is_fork, actor_id, ${secondsTo('created_at')} AS second
      FROM github_events
      WHERE ${condition} AND (type = 'ForkEvent' OR (type = 'WatchEvent' AND action = 'started'))`;
  return `
    WITH edges AS (${edgeSql(`created_at > ${start} AND created_at < DATE_ADD(DATE(${start}), INTERVAL 1 DAY)`)}
      UNION ALL${edgeSql('created_at >= DATE(:p1) AND created_at <= :p1')}
    ),
    without_time AS (
      SELECT g.repo_id, g.stars - COUNT(s.user_id) AS stars, ${secondsTo(noon)} AS second
      FROM github_star_histories h
      JOIN github_star_days g ON g.repo_id = h.repo_id AND g.day <= h.counted_on
      LEFT JOIN mv_repo_stars s ON s.repo_id = g.repo_id AND s.day = g.day
      WHERE g.day >= DATE(${start}) AND ${noon} > ${start} AND ${noon} <= :p1
      GROUP BY g.repo_id, g.day, g.stars
      HAVING g.stars > COUNT(s.user_id)
    ),
    activity AS (
      SELECT
        repo_id,
        1 - is_fork AS stars,
        CASE WHEN is_fork = 0 AND COALESCE(actor_id, 0) <> 0 THEN 1 ELSE 0 END AS named_stars,
        CASE WHEN is_fork = 0 THEN second ELSE 0 END AS star_seconds,
        is_fork AS forks,
        CASE WHEN is_fork = 1 AND COALESCE(actor_id, 0) <> 0 THEN 1 ELSE 0 END AS named_forks,
        CASE WHEN is_fork = 1 THEN second ELSE 0 END AS fork_seconds
      FROM edges
      UNION ALL
      SELECT
        repo_id, stars, named_stars, star_seconds + stars * ${secondsTo('day')},
        forks, named_forks, fork_seconds + forks * ${secondsTo('day')}
      FROM mv_repo_daily_counts
      WHERE ${isWholeDay}
      UNION ALL
      SELECT repo_id, stars, 0, stars * second, 0, 0, 0 FROM without_time
    ),
    candidates AS (
      SELECT
        a.repo_id, MAX(r.primary_language) AS primary_language,
        SUM(a.stars) AS stars, SUM(a.named_stars) AS named_stars, SUM(a.star_seconds) AS star_seconds,
        SUM(a.forks) AS forks, SUM(a.named_forks) AS named_forks, SUM(a.fork_seconds) AS fork_seconds,
        CASE WHEN MAX(r.created_at) IS NULL THEN 0 ELSE ${200 * seconds} END AS bonus,
        1 + COALESCE(TIMESTAMPDIFF(YEAR, MAX(r.created_at), :p1), 0) AS age
      FROM activity a
      JOIN github_repos r ON r.repo_id = a.repo_id
      WHERE ${CAN_BE_LISTED}
        AND (r.pushed_at IS NULL OR r.pushed_at >= DATE_SUB(:p1, INTERVAL 3 MONTH))
        AND (r.created_at IS NULL OR r.created_at < DATE_SUB(:p1, INTERVAL 1 DAY))
        AND r.is_deleted = 0
        AND r.repo_id NOT IN (
          SELECT n.repo_id
          FROM (SELECT LOWER(name) AS name FROM blacklist_repos) hidden
          JOIN mv_repo_names n ON n.tier = 0 AND n.name = hidden.name AND LOWER(n.repo_name) = hidden.name
        )
      GROUP BY a.repo_id
      HAVING SUM(a.stars) > 0 AND (MAX(r.stars) < 50000 OR SUM(a.stars) * 100 > MAX(r.stars))
    ),
    actors AS (
      SELECT repo_id, SUM(1 - is_fork) AS stargazers, SUM(is_fork) AS forkers
      FROM (
        SELECT DISTINCT uses.repo_id, uses.is_fork, uses.user_id
        FROM (
          SELECT repo_id, is_fork, actor_id AS user_id FROM edges WHERE actor_id <> 0
          UNION ALL
          SELECT repo_id, 0, user_id FROM mv_repo_stars WHERE ${isWholeDay}
          UNION ALL
          SELECT repo_id, 1, user_id FROM mv_repo_forks WHERE ${isWholeDay}
        ) uses
        JOIN github_repos r ON r.repo_id = uses.repo_id
        WHERE ${CAN_BE_LISTED}
      ) people
      GROUP BY repo_id
    ),
    checked AS (
      SELECT c.*, COALESCE(a.stargazers, 0) AS stargazers, COALESCE(a.forkers, 0) AS forkers
      FROM candidates c
      LEFT JOIN actors a ON a.repo_id = c.repo_id
    ),
    scored AS (
      SELECT
        repo_id, primary_language, stars, forks,
        ROUND(
          ((stars * ${2 * seconds} + star_seconds * 3
            + CASE WHEN named_forks = 0 OR forkers * 10 > named_forks * 9
              THEN forks * ${seconds} + fork_seconds * 3 ELSE 0 END) * age + bonus)
          / (${seconds} * age), 4
        ) AS total_score
      FROM checked
      WHERE named_stars = 0 OR stargazers * 10 > named_stars * 9
    ),
    ranked AS (
      SELECT
        language, repo_id, stars, forks, total_score,
        ROW_NUMBER() OVER (PARTITION BY language ORDER BY total_score DESC, repo_id) AS position
      FROM (
        SELECT CASE WHEN l.is_all = 1 THEN 'All' ELSE s.primary_language END AS language, s.*
        FROM scored s
        JOIN (SELECT 1 AS is_all UNION ALL SELECT 0) l ON l.is_all = 1 OR s.primary_language <> ''
      ) languages
    )
    SELECT language, repo_id, stars, forks, total_score FROM ranked WHERE position <= 100`;
}

/** Whether a repository has enough stars and forks to be listed. */
const CAN_BE_LISTED = 'r.stars + r.forks > 5';

/** The events that count as a contribution. Before 2015 the feed has no action for a review comment. */
const IS_CONTRIBUTION = `(
  e.type = 'PushEvent'
  OR (e.type IN ('IssuesEvent', 'PullRequestEvent') AND e.action = 'opened')
  OR (e.type IN ('PullRequestReviewEvent', 'PullRequestReviewCommentEvent') AND COALESCE(e.action, '') IN ('', 'created'))
)`;

const PERIOD_START = `CASE b.period ${TRENDING_PERIODS.map(
  ({ name, days }) => `WHEN '${name}' THEN DATE_SUB(:p1, INTERVAL ${days} DAY)`,
).join(' ')} END`;

const LONGEST_DAYS = Math.max(...TRENDING_PERIODS.map(({ days }) => days));

/**
 * A SELECT of the contributions to the repositories in mv_trending_repos, without bots. Columns: period, id, opened pull requests, pushes
 * (NULL instead of 0), and the logins of the five people with the most contributions.
 */
const CONTRIBUTIONS = `
  WITH people AS (
    SELECT
      b.period, e.repo_id, COALESCE(u.login, e.actor_login, '') AS login, COUNT(*) AS contributions,
      COUNT(CASE WHEN e.type = 'PullRequestEvent' THEN 1 END) AS pull_requests,
      COUNT(CASE WHEN e.type = 'PushEvent' THEN 1 END) AS pushes
    FROM (SELECT DISTINCT period, repo_id FROM mv_trending_repos) b
    JOIN github_events e ON e.repo_id = b.repo_id
    LEFT JOIN github_users u ON u.id = e.actor_id
    WHERE e.created_at > ${PERIOD_START} AND e.created_at > DATE_SUB(:p1, INTERVAL ${LONGEST_DAYS} DAY) AND e.created_at <= :p1
      AND ${IS_CONTRIBUTION}
      AND CASE WHEN u.id IS NOT NULL THEN u.is_bot WHEN ${isBotLoginSql('e.actor_login')} THEN 1 ELSE 0 END = 0
    GROUP BY b.period, e.repo_id, COALESCE(u.login, e.actor_login, '')
  ),
  listed AS (
    SELECT
      period, repo_id, login, pull_requests, pushes, is_listed,
      ROW_NUMBER() OVER (PARTITION BY period, repo_id ORDER BY is_listed DESC, contributions DESC, login) AS place
    FROM (
      SELECT p.*, CASE WHEN p.login = '' OR b.login IS NOT NULL THEN 0 ELSE 1 END AS is_listed
      FROM people p
      LEFT JOIN (SELECT DISTINCT LOWER(login) AS login FROM blacklist_users) b ON b.login = LOWER(p.login)
    ) people
  )
  SELECT
    period, repo_id, NULLIF(SUM(pull_requests), 0) AS pull_requests, NULLIF(SUM(pushes), 0) AS pushes,
    GROUP_CONCAT(CASE WHEN is_listed = 1 AND place <= 5 THEN login END ORDER BY place SEPARATOR ',') AS logins
  FROM listed
  GROUP BY period, repo_id`;

/** The SQL on which the result depends. */
export const TREND_RULES: readonly string[] = [...TRENDING_PERIODS.map(({ days }) => bestSql(days)), CONTRIBUTIONS];
