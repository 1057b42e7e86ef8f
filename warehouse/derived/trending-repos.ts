import { isBotLoginSql } from '../rules/bots.js';

/** A period of the trends, with its name in answers and its length. */
export interface TrendingPeriod {
  readonly name: string;
  readonly days: number;
}

export const TRENDING_PERIODS: readonly TrendingPeriod[] = [
  { name: 'past_24_hours', days: 1 },
  { name: 'past_week', days: 7 },
  { name: 'past_month', days: 30 },
  { name: 'past_3_months', days: 90 },
];

/** The columns of the SELECT of `trendingSql`, in order. */
export const TRENDING_COLUMNS: readonly string[] = [
  'language',
  'period',
  'dt',
  'repo_id',
  'stars',
  'forks',
  'pull_requests',
  'pushes',
  'total_score',
  'contributor_logins',
];

/**
 * A SELECT of the rows of mv_trending_repos for one period that ends at `:p1`: the best 100 repositories of each language and of
 * all languages.
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
 * for each repository and day. Pushes and contributors are only computed for the best repositories.
 */
export function trendingSql({ name, days }: TrendingPeriod): string {
  const seconds = days * 86_400;
  const start = `DATE_SUB(:p1, INTERVAL ${days} DAY)`;
  const isWholeDay = (day: string) => `${day} > DATE(${start}) AND ${day} < DATE(:p1)`;
  const secondsTo = (time: string) => `TIMESTAMPDIFF(SECOND, ${start}, ${time})`;
  const noon = 'DATE_ADD(g.day, INTERVAL 12 HOUR)';
  const edgeSql = (condition: string) => `
      SELECT repo_id, CASE WHEN type = 'ForkEvent' THEN 1 ELSE 0 END AS is_fork, actor_id, ${secondsTo('created_at')} AS second
      FROM github_events
      WHERE ${condition} AND (type = 'ForkEvent' OR (type = 'WatchEvent' AND action = 'started'))`;
  // Before 2015 the feed has no action for a review comment.
  const contribution = `(
    e.type = 'PushEvent'
    OR (e.type IN ('IssuesEvent', 'PullRequestEvent') AND e.action = 'opened')
    OR (e.type IN ('PullRequestReviewEvent', 'PullRequestReviewCommentEvent') AND COALESCE(e.action, '') IN ('', 'created'))
  )`;
  const actorsSql = (counted: 'stars' | 'forks', table: string, isFork: 0 | 1) => `
      SELECT a.repo_id, COUNT(DISTINCT a.user_id) AS actors
      FROM (SELECT repo_id FROM candidates WHERE named_${counted} > 1) c
      JOIN (
        SELECT repo_id, user_id FROM ${table} WHERE ${isWholeDay('day')}
        UNION ALL
        SELECT repo_id, actor_id FROM edges WHERE is_fork = ${isFork} AND actor_id <> 0
      ) a ON a.repo_id = c.repo_id
      GROUP BY a.repo_id`;
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
      WHERE ${isWholeDay('day')}
      UNION ALL
      SELECT repo_id, stars, 0, stars * second, 0, 0, 0 FROM without_time
    ),
    candidates AS (
      SELECT
        c.repo_id, r.primary_language, c.stars, c.named_stars, c.star_seconds, c.forks, c.named_forks, c.fork_seconds,
        CASE WHEN r.created_at IS NULL THEN 0 ELSE ${200 * seconds} END AS bonus,
        1 + COALESCE(TIMESTAMPDIFF(YEAR, r.created_at, :p1), 0) AS age
      FROM (
        SELECT
          repo_id, SUM(stars) AS stars, SUM(named_stars) AS named_stars, SUM(star_seconds) AS star_seconds,
          SUM(forks) AS forks, SUM(named_forks) AS named_forks, SUM(fork_seconds) AS fork_seconds
        FROM activity
        GROUP BY repo_id
        HAVING SUM(stars) > 0
      ) c
      JOIN github_repos r ON r.repo_id = c.repo_id
      WHERE r.stars + r.forks > 5
        AND (r.stars < 50000 OR c.stars * 100 > r.stars)
        AND (r.pushed_at IS NULL OR r.pushed_at >= DATE_SUB(:p1, INTERVAL 3 MONTH))
        AND (r.created_at IS NULL OR r.created_at < DATE_SUB(:p1, INTERVAL 1 DAY))
        AND r.is_deleted = 0
        AND LOWER(r.repo_name) NOT IN (SELECT LOWER(name) FROM blacklist_repos)
    ),
    stargazers AS (${actorsSql('stars', 'mv_repo_stars', 0)}
    ),
    forkers AS (${actorsSql('forks', 'mv_repo_forks', 1)}
    ),
    weighed AS (
      SELECT
        c.repo_id, c.primary_language, c.stars, c.forks, c.bonus, c.age,
        c.stars * ${2 * seconds} + c.star_seconds * 3
        + CASE WHEN f.actors IS NULL OR f.actors * 10 > c.named_forks * 9
          THEN c.forks * ${seconds} + c.fork_seconds * 3 ELSE 0 END AS weight
      FROM candidates c
      LEFT JOIN stargazers s ON s.repo_id = c.repo_id
      LEFT JOIN forkers f ON f.repo_id = c.repo_id
      WHERE s.actors IS NULL OR s.actors * 10 > c.named_stars * 9
    ),
    scored AS (
      SELECT repo_id, primary_language, stars, forks, ROUND((weight * age + bonus) / (${seconds} * age), 4) AS total_score
      FROM weighed
    ),
    ranked AS (
      SELECT l.*, ROW_NUMBER() OVER (PARTITION BY l.language ORDER BY l.total_score DESC, l.repo_id) AS position
      FROM (
        SELECT 'All' AS language, s.* FROM scored s
        UNION ALL
        SELECT s.primary_language AS language, s.* FROM scored s WHERE s.primary_language <> ''
      ) l
    ),
    best AS (
      SELECT * FROM ranked WHERE position <= 100
    ),
    recent AS (
      SELECT e.repo_id, e.type, e.action, COALESCE(u.login, e.actor_login, '') AS login
      FROM (SELECT DISTINCT repo_id FROM best) b
      JOIN github_events e ON e.repo_id = b.repo_id
      LEFT JOIN github_users u ON u.id = e.actor_id
      WHERE e.created_at > ${start} AND e.created_at <= :p1 AND ${contribution}
        AND CASE WHEN u.id IS NOT NULL THEN u.is_bot WHEN ${isBotLoginSql('e.actor_login')} THEN 1 ELSE 0 END = 0
    ),
    contributions AS (
      SELECT
        repo_id,
        COUNT(CASE WHEN type = 'PushEvent' THEN 1 END) AS pushes,
        COUNT(CASE WHEN type = 'PullRequestEvent' THEN 1 END) AS pull_requests
      FROM recent
      GROUP BY repo_id
    ),
    active AS (
      SELECT repo_id, login, ROW_NUMBER() OVER (PARTITION BY repo_id ORDER BY COUNT(*) DESC, login) AS place
      FROM recent
      WHERE login <> '' AND LOWER(login) NOT IN (SELECT LOWER(login) FROM blacklist_users)
      GROUP BY repo_id, login
    ),
    contributors AS (
      SELECT repo_id, GROUP_CONCAT(login ORDER BY place SEPARATOR ',') AS logins
      FROM active
      WHERE place <= 5
      GROUP BY repo_id
    )
    SELECT
      b.language, '${name}' AS period, :p1 AS dt, b.repo_id, b.stars, b.forks,
      NULLIF(a.pull_requests, 0) AS pull_requests, NULLIF(a.pushes, 0) AS pushes, b.total_score,
      c.logins AS contributor_logins
    FROM best b
    LEFT JOIN contributions a ON a.repo_id = b.repo_id
    LEFT JOIN contributors c ON c.repo_id = b.repo_id`;
}
