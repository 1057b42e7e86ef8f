/** The databases for which SQL is written by hand. */
export type Product = 'duckdb' | 'mariadb';

/** Selects the repository that currently has a name. The parameter is `owner/name`. */
const REPOSITORY = `
  SELECT repo_id FROM github_repos WHERE repo_name_lower = LOWER(?)
  ORDER BY is_deleted, last_event_at DESC, repo_id DESC LIMIT 1`;

const LIST = `
  SELECT c.user_id AS id, COALESCE(u.login, '') AS login, COALESCE(u.name, '') AS name, c.issues, c.first_issue_opened_at
  FROM (${REPOSITORY}) r
  JOIN mv_repo_issue_creators c ON c.repo_id = r.repo_id
  LEFT JOIN github_users u ON u.id = c.user_id
  WHERE COALESCE(u.is_bot, 0) = 0
  ORDER BY c.issues DESC, c.user_id
  LIMIT ? OFFSET ?`;

const COUNTRIES = `
  SELECT
    u.country_code AS country_or_area,
    COUNT(DISTINCT s.user_id) AS count,
    ROUND(COUNT(DISTINCT s.user_id) / SUM(COUNT(DISTINCT s.user_id)) OVER (), 4) AS percentage
  FROM (${REPOSITORY}) r
  JOIN mv_repo_stars s ON s.repo_id = r.repo_id
  JOIN github_users u ON u.id = s.user_id
  WHERE s.day BETWEEN ? AND ? AND u.country_code NOT IN ('', 'N/A', 'UND')
  GROUP BY u.country_code
  ORDER BY count DESC, country_or_area`;

const RANKING = `
  WITH growth AS (
    SELECT
      i.repo_id,
      COUNT(DISTINCT CASE WHEN s.day >= ? THEN s.user_id END) AS current_growth,
      COUNT(DISTINCT CASE WHEN s.day < ? THEN s.user_id END) AS past_growth
    FROM collection_items i
    JOIN mv_repo_stars s ON s.repo_id = i.repo_id AND s.day BETWEEN ? AND ?
    WHERE i.collection_id = ?
    GROUP BY i.repo_id
  ),
  ranked AS (
    SELECT
      g.repo_id, r.repo_name, g.current_growth, g.past_growth, t.stars AS total,
      CASE WHEN g.current_growth = 0 THEN 0 ELSE
        ROW_NUMBER() OVER (ORDER BY g.current_growth DESC, t.stars DESC, r.repo_name, g.repo_id) END AS current_place,
      CASE WHEN g.past_growth = 0 THEN 0 ELSE
        ROW_NUMBER() OVER (ORDER BY g.past_growth DESC, t.stars DESC, r.repo_name, g.repo_id) END AS past_place
    FROM growth g
    JOIN github_repos r ON r.repo_id = g.repo_id
    JOIN mv_repo_totals t ON t.repo_id = g.repo_id
  )
  SELECT
    repo_id,
    repo_name,
    current_growth AS current_period_growth,
    current_place AS current_period_rank,
    past_growth AS past_period_growth,
    past_place AS past_period_rank,
    CASE WHEN past_growth = 0 THEN 0 ELSE ROUND((current_growth - past_growth) / past_growth * 100, 2) END AS growth_pop,
    CASE WHEN current_place = 0 OR past_place = 0 THEN 0 ELSE current_place - past_place END AS rank_pop,
    total
  FROM ranked
  ORDER BY current_period_rank, past_period_rank`;

const HISTORY = `
  WITH newcomers AS (
    SELECT n.day, n.newcomers
    FROM (${REPOSITORY}) r
    JOIN mv_repo_daily_newcomers n ON n.repo_id = r.repo_id AND n.kind = 'stargazers'
  )
  SELECT CAST(month AS CHAR(10)) AS date, total AS stargazers
  FROM (
    SELECT c.month, SUM(SUM(COALESCE(n.newcomers, 0))) OVER (ORDER BY c.month) AS total
    FROM calendar_days c
    LEFT JOIN newcomers n ON n.day = c.day
    WHERE c.day BETWEEN (SELECT MIN(day) FROM newcomers) AND (SELECT MAX(day) FROM mv_event_coverage) AND c.month <= ?
    GROUP BY c.month
  ) totals
  WHERE LAST_DAY(month) >= ?
  ORDER BY month`;

/** The hand-written SQL of operations. Parameters are `?`. Most texts are the same for both databases. */
export const HAND_WRITTEN: Readonly<Record<string, Readonly<Record<Product, string>>>> = {
  'list-issue-creators': { duckdb: LIST, mariadb: LIST },
  'list-countries-of-stargazers': { duckdb: COUNTRIES, mariadb: COUNTRIES },
  'collection-repo-ranking-by-stars': { duckdb: RANKING, mariadb: RANKING },
  'stargazers-history': { duckdb: HISTORY, mariadb: HISTORY },
};
