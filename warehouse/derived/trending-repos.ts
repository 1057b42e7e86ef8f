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
 */
export function trendingSql({ name, days }: TrendingPeriod): string {
  const seconds = days * 86_400;
  const start = `DATE_SUB(:p1, INTERVAL ${days} DAY)`;
  const noon = 'DATE_ADD(g.day, INTERVAL 12 HOUR)';
  const star = "type = 'WatchEvent' AND action = 'started'";
  const fork = "type = 'ForkEvent'";
  // Before 2015 the feed has no action for a review comment.
  const contribution = `(
    type = 'PushEvent'
    OR (type IN ('IssuesEvent', 'PullRequestEvent') AND action = 'opened')
    OR (type IN ('PullRequestReviewEvent', 'PullRequestReviewCommentEvent') AND COALESCE(action, '') IN ('', 'created'))
  )`;
  return `
    WITH recent AS (
      SELECT e.repo_id, e.type, e.action, NULLIF(e.actor_id, 0) AS actor_id,
        COALESCE(u.login, e.actor_login, '') AS login,
        CASE WHEN u.id IS NOT NULL THEN u.is_bot WHEN ${isBotLoginSql('e.actor_login')} THEN 1 ELSE 0 END AS is_bot,
        TIMESTAMPDIFF(SECOND, ${start}, e.created_at) AS second
      FROM github_events e
      LEFT JOIN github_users u ON u.id = e.actor_id
      WHERE e.created_at > ${start} AND e.created_at <= :p1
    ),
    people AS (
      SELECT
        repo_id,
        CASE WHEN actor_id IS NOT NULL THEN 1 ELSE 0 END AS is_named,
        COUNT(CASE WHEN ${star} THEN 1 END) AS stars,
        SUM(CASE WHEN ${star} THEN second ELSE 0 END) AS star_seconds,
        COUNT(CASE WHEN ${fork} THEN 1 END) AS forks,
        SUM(CASE WHEN ${fork} THEN second ELSE 0 END) AS fork_seconds,
        COUNT(CASE WHEN type = 'PushEvent' AND is_bot = 0 THEN 1 END) AS pushes,
        COUNT(CASE WHEN type = 'PullRequestEvent' AND action = 'opened' AND is_bot = 0 THEN 1 END) AS pull_requests
      FROM recent
      GROUP BY repo_id, actor_id
    ),
    without_time AS (
      SELECT g.repo_id, g.day, g.stars - COUNT(s.user_id) AS stars, TIMESTAMPDIFF(SECOND, ${start}, ${noon}) AS second
      FROM github_star_histories h
      JOIN github_star_days g ON g.repo_id = h.repo_id AND g.day <= h.counted_on
      LEFT JOIN mv_repo_stars s ON s.repo_id = g.repo_id AND s.day = g.day
      WHERE g.day >= DATE(${start}) AND ${noon} > ${start} AND ${noon} <= :p1
      GROUP BY g.repo_id, g.day, g.stars
      HAVING g.stars > COUNT(s.user_id)
    ),
    activity AS (
      SELECT * FROM people
      UNION ALL
      SELECT repo_id, 0, stars, stars * second, 0, 0, 0, 0 FROM without_time
    ),
    counted AS (
      SELECT
        repo_id,
        SUM(stars) AS stars,
        SUM(star_seconds) AS star_seconds,
        SUM(forks) AS forks,
        SUM(forks * is_named) AS named_forks,
        COUNT(CASE WHEN forks > 0 AND is_named = 1 THEN 1 END) AS forkers,
        SUM(fork_seconds) AS fork_seconds,
        SUM(pushes) AS pushes,
        SUM(pull_requests) AS pull_requests
      FROM activity
      GROUP BY repo_id
      HAVING SUM(stars) > 0
        AND (SUM(stars * is_named) = 0 OR COUNT(CASE WHEN stars > 0 AND is_named = 1 THEN 1 END) * 10 > SUM(stars * is_named) * 9)
    ),
    weighed AS (
      SELECT
        c.repo_id, r.primary_language, c.stars, c.forks, c.pull_requests, c.pushes,
        c.stars * ${2 * seconds} + c.star_seconds * 3
        + CASE WHEN c.named_forks = 0 OR c.forkers * 10 > c.named_forks * 9
          THEN c.forks * ${seconds} + c.fork_seconds * 3 ELSE 0 END AS weight,
        CASE WHEN r.created_at IS NULL THEN 0 ELSE ${200 * seconds} END AS bonus,
        1 + COALESCE(TIMESTAMPDIFF(YEAR, r.created_at, :p1), 0) AS age
      FROM counted c
      JOIN github_repos r ON r.repo_id = c.repo_id
      WHERE r.stars + r.forks > 5
        AND (r.stars < 50000 OR c.stars * 100 > r.stars)
        AND (r.pushed_at IS NULL OR r.pushed_at >= DATE_SUB(:p1, INTERVAL 3 MONTH))
        AND (r.created_at IS NULL OR r.created_at < DATE_SUB(:p1, INTERVAL 1 DAY))
        AND r.is_deleted = 0
        AND LOWER(r.repo_name) NOT IN (SELECT LOWER(name) FROM blacklist_repos)
    ),
    scored AS (
      SELECT
        repo_id, primary_language, stars, forks, pull_requests, pushes,
        ROUND((weight * age + bonus) / (${seconds} * age), 4) AS total_score
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
    active AS (
      SELECT repo_id, login, ROW_NUMBER() OVER (PARTITION BY repo_id ORDER BY COUNT(*) DESC, login) AS place
      FROM recent
      WHERE repo_id IN (SELECT repo_id FROM best)
        AND ${contribution}
        AND login <> ''
        AND is_bot = 0
        AND LOWER(login) NOT IN (SELECT LOWER(login) FROM blacklist_users)
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
      NULLIF(b.pull_requests, 0) AS pull_requests, NULLIF(b.pushes, 0) AS pushes, b.total_score,
      c.logins AS contributor_logins
    FROM best b
    LEFT JOIN contributors c ON c.repo_id = b.repo_id`;
}
