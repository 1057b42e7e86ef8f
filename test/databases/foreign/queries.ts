/** A query in the style of other authors of queries on GitHub events, and its rows, which are the same on every database. */
export interface ForeignQuery {
  readonly sql: string;
  /** The names of the result columns, separated by spaces. */
  readonly columns: string;
  readonly rows: readonly string[];
}

export const FOREIGN_QUERIES: readonly ForeignQuery[] = [
  {
    sql: "SELECT DATE_FORMAT(created_at, '%Y-%m-01') AS month, COUNT(*) AS stars FROM github_events WHERE type = 'WatchEvent' GROUP BY month ORDER BY month",
    columns: 'month stars',
    rows: ['2024-03-01 | 2', '2024-04-01 | 2'],
  },
  {
    sql: 'WITH acc AS (SELECT event_day, COUNT(DISTINCT actor_login) AS n FROM github_events GROUP BY event_day)\nSELECT event_day, SUM(n) OVER (ORDER BY event_day ASC) AS total FROM acc ORDER BY event_day LIMIT 4',
    columns: 'event_day total',
    rows: ['2024-03-30 | 1', '2024-03-31 | 2', '2024-04-01 | 3', '2024-04-02 | 4'],
  },
  {
    sql: "WITH RECURSIVE seq AS (SELECT 0 AS value UNION ALL SELECT value + 1 FROM seq WHERE value < 3)\nSELECT DATE_SUB(DATE_FORMAT({{ now }}, '%Y-%m-01'), INTERVAL value MONTH) AS month FROM seq ORDER BY value",
    columns: 'month',
    rows: ['2024-05-01', '2024-04-01', '2024-03-01', '2024-02-01'],
  },
  {
    sql: 'SELECT repo_id, ANY_VALUE(repo_name) AS name, any_value (actor_login) AS who FROM github_events GROUP BY 1 HAVING ANY_VALUE(event_year) = 2024 ORDER BY ANY_VALUE(repo_name) DESC',
    columns: 'repo_id name who',
    rows: ['3 | zeta/tool | ann', '2 | acme/rocket | ann', '1 | acme/anvil | ann'],
  },
  {
    sql: 'SELECT ANY_VALUE(repo_name) AS name, COUNT(*) AS c FROM github_events WHERE repo_id = 1',
    columns: 'name c',
    rows: ['acme/anvil | 8'],
  },
  {
    sql: 'SELECT ANY_VALUE(repo_name) AS name, STD(repo_id) AS deviation FROM github_events WHERE repo_id = 1',
    columns: 'name deviation',
    rows: ['acme/anvil | 0'],
  },
  {
    sql: "SELECT repo_id, actor_login AS who, ANY_VALUE(actor_login) OVER (PARTITION BY repo_id) AS top FROM github_events WHERE type = 'PushEvent' ORDER BY repo_id, who, id",
    columns: 'repo_id who top',
    rows: ['1 | bob | bob', '1 | sync[bot] | bob', '2 | bob | bob'],
  },
  {
    sql: "SELECT closed_at - created_at AS d FROM github_events WHERE type = 'PullRequestEvent' ORDER BY id",
    columns: 'd',
    rows: ['', '0', ''],
  },
  {
    sql: 'SELECT actor_login, MAX(created_at) - MIN(created_at) AS span, DATEDIFF(MAX(created_at), MIN(created_at)) AS days FROM github_events GROUP BY actor_login ORDER BY actor_login',
    columns: 'actor_login span days',
    rows: ['ann | 171894041 | 33', 'bob | 79120000 | 10', 'cy | 98900000 | 29', 'sync[bot] | 0 | 0'],
  },
  {
    sql: 'SELECT repo_name FROM github_repos ORDER BY -pushed_at DESC, repo_id',
    columns: 'repo_name',
    rows: ['acme/rocket', 'acme/anvil', 'zeta/tool'],
  },
  {
    sql: 'SELECT event_day + 1 AS plus, -event_day AS neg, event_day - 20240101 AS minus, (created_at + 0) / 2 AS half FROM github_events ORDER BY id LIMIT 1',
    columns: 'plus neg minus half',
    rows: ['20240331 | -20240330 | 229 | 10120165117979.5000'],
  },
  {
    sql: 'SELECT {{ now }} + 0 AS a, {{ now }} - {{ today }} AS b, -{{ today }} AS c, TIME({{ now }}) + 0 AS d',
    columns: 'a b c d',
    rows: ['20240503123456 | 20240482882953 | -20240503 | 123456'],
  },
  {
    sql: "SELECT repo_id, GROUP_CONCAT(DISTINCT actor_login ORDER BY actor_id DESC SEPARATOR '|') AS actors FROM github_events GROUP BY repo_id ORDER BY repo_id",
    columns: 'repo_id actors',
    rows: ['1 | sync[bot]|cy|bob|ann', '2 | cy|bob|ann', '3 | ann'],
  },
  {
    sql: "SELECT GROUP_CONCAT(DISTINCT type ORDER BY LENGTH(type) DESC, type ASC SEPARATOR '/') AS types, GROUP_CONCAT(DISTINCT actor_login, ':', actor_id ORDER BY actor_id) AS pairs FROM github_events",
    columns: 'types pairs',
    rows: ['PullRequestEvent/IssuesEvent/WatchEvent/ForkEvent/PushEvent | ann:1,bob:2,cy:3,sync[bot]:4'],
  },
  {
    sql: 'SELECT GROUP_CONCAT(DISTINCT number ORDER BY -number, number + 1) AS numbers FROM github_events',
    columns: 'numbers',
    rows: ['8,7,3'],
  },
  {
    sql: 'SELECT DATE(DATE(DATE({{ now }}))) AS a, DATE_SUB({{ today }}, INTERVAL 27 DAY) AS b, LAST_DAY(DATE_SUB(DATE({{ now }}), INTERVAL 1 MONTH)) AS c, {{ today }} AS d, {{ now }} AS e',
    columns: 'a b c d e',
    rows: ['2024-05-03 | 2024-04-06 | 2024-04-30 | 2024-05-03 | 2024-05-03 12:34:56'],
  },
  {
    sql: "SELECT TIMESTAMPDIFF(MONTH, DATE_FORMAT(DATE_SUB(DATE({{ now }}), INTERVAL 6 MONTH), '%Y-%m-01'), LAST_DAY(DATE_ADD(DATE({{ now }}), INTERVAL 1 MONTH))) AS m",
    columns: 'm',
    rows: ['7'],
  },
  {
    sql: 'SELECT DATE_SUB(DATE({{ now }}), INTERVAL WEEKDAY(DATE({{ now }})) DAY) AS monday',
    columns: 'monday',
    rows: ['2024-04-29'],
  },
  {
    sql: "SELECT COUNT(*) AS c FROM github_events WHERE created_at >= DATE_SUB({{ now }}, INTERVAL 1 MONTH) AND event_day < {{ today }} AND event_month = DATE_FORMAT({{ today }}, '%Y-%m-01')",
    columns: 'c',
    rows: ['2'],
  },
  {
    sql: 'SELECT repo_name, COUNT(*) AS c FROM github_events WHERE repo_id IN (SELECT repo_id FROM github_repos ORDER BY stars DESC LIMIT 2) GROUP BY repo_name ORDER BY c DESC',
    columns: 'repo_name c',
    rows: ['acme/anvil | 8', 'acme/rocket | 3'],
  },
  {
    sql: 'SELECT COUNT(*) AS c FROM github_events WHERE repo_id NOT IN (SELECT repo_id FROM github_repos ORDER BY stars DESC LIMIT 1)',
    columns: 'c',
    rows: ['4'],
  },
  {
    sql: 'SELECT COUNT(*) AS c FROM github_events WHERE repo_id = ANY (SELECT repo_id FROM github_repos ORDER BY stars LIMIT 1, 1)',
    columns: 'c',
    rows: ['3'],
  },
  {
    sql: 'SELECT repo_name FROM github_repos WHERE stars > ALL (SELECT stars FROM github_repos ORDER BY stars LIMIT 1) AND repo_id IN (WITH top AS (SELECT repo_id FROM github_repos ORDER BY stars DESC LIMIT 3) SELECT repo_id FROM top ORDER BY repo_id LIMIT 2) ORDER BY repo_id',
    columns: 'repo_name',
    rows: ['acme/anvil', 'acme/rocket'],
  },
  {
    sql: 'SELECT name FROM collections WHERE id IN ((SELECT collection_id FROM collection_items ORDER BY id LIMIT 1) UNION (SELECT 5)) ORDER BY id',
    columns: 'name',
    rows: ['Tools'],
  },
  {
    sql: 'SELECT 4.6667 / 3e0 AS q, 1.5 * 2e0 AS m, 7.5 MOD 2e0 AS r, 10 DIV 3e0 AS d, 0.5 + 2.5e-1 AS s, ROUND(4.6667 / 3e0, 4) AS l, 4.6667 / 3e0 = 1.5556 AS e',
    columns: 'q m r d s l e',
    rows: ['1.5555666666666665 | 3 | 1.5 | 3 | 0.75 | 1.5556 | 0'],
  },
  {
    sql: 'SELECT event_day, COUNT(*) AS n, LAG(COUNT(*), 1, 0) OVER (ORDER BY event_day) AS `before`, LEAD(COUNT(*), 1, 0) OVER w AS next FROM github_events GROUP BY event_day WINDOW w AS (ORDER BY event_day) ORDER BY event_day LIMIT 3',
    columns: 'event_day n before next',
    rows: ['2024-03-30 | 1 | 0 | 1', '2024-03-31 | 1 | 1 | 2', '2024-04-01 | 2 | 1 | 1'],
  },
  {
    sql: 'SELECT repo_name, MAX(IF(rn = 1, actor_login, NULL)) AS who FROM (SELECT repo_name, actor_login, ROW_NUMBER() OVER (PARTITION BY repo_name ORDER BY COUNT(*) DESC, actor_login) AS rn FROM github_events GROUP BY repo_name, actor_login) x GROUP BY repo_name ORDER BY repo_name',
    columns: 'repo_name who',
    rows: ['acme/anvil | ann', 'acme/rocket | ann', 'zeta/tool | ann'],
  },
  {
    sql: 'SELECT bucket, COUNT(*) AS n FROM (SELECT NTILE(3) OVER (ORDER BY created_at, id) AS bucket FROM github_events) b GROUP BY bucket ORDER BY bucket',
    columns: 'bucket n',
    rows: ['1 | 4', '2 | 4', '3 | 4'],
  },
  {
    sql: "SELECT repo_id, COUNT(DISTINCT CASE WHEN type = 'WatchEvent' THEN actor_id END) AS stars, COUNT(DISTINCT IF(type = 'ForkEvent', actor_id, NULL)) AS forks FROM github_events GROUP BY repo_id ORDER BY stars DESC, repo_id",
    columns: 'repo_id stars forks',
    rows: ['1 | 2 | 1', '2 | 1 | 0', '3 | 0 | 0'],
  },
  {
    sql: 'SELECT t, y, c FROM (SELECT type AS t, event_year AS y, COUNT(*) AS c FROM github_events WHERE repo_id = 2 GROUP BY t, y WITH ROLLUP) x ORDER BY t, y, c',
    columns: 't y c',
    rows: [
      ' |  | 3',
      'PullRequestEvent |  | 1',
      'PullRequestEvent | 2024 | 1',
      'PushEvent |  | 1',
      'PushEvent | 2024 | 1',
      'WatchEvent |  | 1',
      'WatchEvent | 2024 | 1',
    ],
  },
  {
    sql: 'SELECT y, c FROM (SELECT YEAR(created_at) AS y, COUNT(*) AS c FROM github_events GROUP BY y WITH ROLLUP) x ORDER BY c, y',
    columns: 'y c',
    rows: [' | 12', '2024 | 12'],
  },
  {
    sql: 'SELECT STRAIGHT_JOIN SQL_NO_CACHE r.repo_name, COUNT(*) AS c FROM github_repos r JOIN github_events e USING (repo_id) GROUP BY r.repo_name ORDER BY 2 DESC, 1',
    columns: 'repo_name c',
    rows: ['acme/anvil | 8', 'acme/rocket | 3', 'zeta/tool | 1'],
  },
  {
    sql: "SELECT /*+ READ_FROM_STORAGE(TIFLASH[e]) */ COUNT(*) AS c FROM github_events e, github_repos r WHERE e.repo_id = r.repo_id AND (e.type, e.action) IN (('WatchEvent', 'started'), ('IssuesEvent', 'opened'))",
    columns: 'c',
    rows: ['5'],
  },
  {
    sql: "SELECT SUBSTRING_INDEX(repo_name, '/', 1) AS owner, SUBSTRING_INDEX(repo_name, '/', -1) AS name, COUNT(*) AS c FROM github_events GROUP BY owner, name ORDER BY owner, name",
    columns: 'owner name c',
    rows: ['acme | anvil | 8', 'acme | rocket | 3', 'zeta | tool | 1'],
  },
  {
    sql: "SELECT actor_login FROM github_events WHERE actor_login NOT REGEXP '(bot|\\\\[bot\\\\])$' GROUP BY actor_login ORDER BY FIELD(actor_login, 'cy', 'ann') DESC, actor_login",
    columns: 'actor_login',
    rows: ['ann', 'cy', 'bob'],
  },
  {
    sql: "SELECT DAYOFWEEK(created_at) - 1 AS dow, HOUR(CONVERT_TZ(created_at, '+00:00', '+08:00')) AS h, COUNT(*) AS c FROM github_events GROUP BY dow, h ORDER BY dow, h LIMIT 4",
    columns: 'dow h c',
    rows: ['0 | 8 | 1', '1 | 16 | 1', '1 | 17 | 1', '2 | 18 | 1'],
  },
  {
    sql: "SELECT a.number, ROUND(TIMESTAMPDIFF(MINUTE, a.created_at, b.created_at) / 60, 1) AS hours FROM github_events a JOIN github_events b ON b.number = a.number AND b.repo_id = a.repo_id AND b.action = 'closed' WHERE a.type = 'PullRequestEvent' AND a.action = 'opened'",
    columns: 'number hours',
    rows: ['7 | 49.5'],
  },
  {
    sql: "SELECT CASE WHEN additions + deletions <= 20 THEN 's' ELSE 'l' END AS size, COUNT(*) AS c FROM github_events WHERE type LIKE 'Pull%' GROUP BY size ORDER BY size",
    columns: 'size c',
    rows: ['l | 1', 's | 2'],
  },
  {
    sql: 'SELECT actor_login AS country, ROUND(COUNT(*) / SUM(COUNT(*)) OVER (), 4) AS percentage FROM github_events WHERE NOT action <=> NULL GROUP BY 1 ORDER BY 2 DESC, 1',
    columns: 'country percentage',
    rows: ['ann | 0.6250', 'bob | 0.2500', 'cy | 0.1250'],
  },
  {
    sql: "SELECT CONCAT(ROUND(100 * SUM(type = 'PushEvent') / COUNT(*), 2), '%') AS share FROM github_events",
    columns: 'share',
    rows: ['25.00%'],
  },
  {
    sql: 'SELECT FROM_UNIXTIME(UNIX_TIMESTAMP(created_at) - UNIX_TIMESTAMP(created_at) % 86400) AS h, COUNT(*) AS c FROM github_events GROUP BY h HAVING c > 1 ORDER BY h',
    columns: 'h c',
    rows: ['2024-04-01 00:00:00 | 2', '2024-04-03 00:00:00 | 2', '2024-04-10 00:00:00 | 2'],
  },
  {
    sql: "SELECT FORMAT(1234567.891, 2) AS f, SEC_TO_TIME(3661) AS t, PERIOD_ADD(202401, -1) AS p, TIME_TO_SEC('01:01:01') AS z, TO_SECONDS('2024-01-01') AS s",
    columns: 'f t p z s',
    rows: ['1,234,567.89 | 01:01:01 | 202312 | 3661 | 63871286400'],
  },
  {
    sql: "SELECT HEX(255) AS h, BIN(5) AS b, INSERT('abc', 2, 1, 'XY') AS i, ATAN2(0, 1) AS a, BIT_COUNT(7) AS m",
    columns: 'h b i a m',
    rows: ['FF | 101 | aXYc | 0 | 3'],
  },
  {
    sql: "SELECT DATE_FORMAT(created_at, '%Y-%m-01') + INTERVAL 1 MONTH AS m, DATE_ADD((DATE_FORMAT(created_at, '%Y-01-01')), INTERVAL 1 HOUR) AS d FROM github_events ORDER BY id LIMIT 1",
    columns: 'm d',
    rows: ['2024-04-01 | 2024-01-01 01:00:00'],
  },
  {
    sql: "SELECT actor_login AS login FROM github_events WHERE type = 'PushEvent' INTERSECT SELECT actor_login FROM github_events WHERE type = 'WatchEvent' ORDER BY 1",
    columns: 'login',
    rows: ['bob'],
  },
  {
    sql: "(SELECT 'stars' AS metric, COUNT(*) AS n FROM github_events WHERE type = 'WatchEvent') UNION ALL (SELECT 'forks', COUNT(*) FROM github_events WHERE type = 'ForkEvent') ORDER BY n DESC",
    columns: 'metric n',
    rows: ['stars | 4', 'forks | 1'],
  },
];
