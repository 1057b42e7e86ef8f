/**
 * Queries that the guard accepts, and that would exhaust the time, memory or disk space with large data. With small data, some of them
 * succeed.
 */
export const ALLOWED_QUERIES: readonly string[] = [
  'SELECT SUM(LENGTH(CONCAT(a.repo_name, b.repo_name, c.id))) FROM github_events a, github_events b, github_events c',
  'SELECT a.id, b.id, c.id, COUNT(*) FROM github_events a, github_events b, github_events c GROUP BY a.id, b.id, c.id ORDER BY 4 DESC',
  'SELECT MAX(r) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY a.repo_id ORDER BY b.actor_login, c.id) AS r FROM github_events a, github_events b, github_events c) t',
  'SELECT LENGTH(GROUP_CONCAT(CONCAT(a.repo_name, b.repo_name, c.id))) FROM github_events a, github_events b, github_events c',
  'SELECT COUNT(DISTINCT CONCAT(a.id, b.id, c.id)) FROM github_events a, github_events b, github_events c',
  'SELECT a.id, b.id, MAX(REPEAT(a.repo_name, 30)) FROM github_events a, github_events b GROUP BY a.id, b.id',
  'SELECT REPEAT(a.actor_login, 100) AS x, b.repo_name FROM github_events a, github_events b ORDER BY x, b.repo_name',
  'SELECT JSON_ARRAYAGG(CONCAT(a.repo_name, b.actor_login)) FROM github_events a, github_events b, github_repos c',
  "SELECT COUNT(*) FROM github_events a JOIN github_events b ON a.repo_name LIKE CONCAT('%', b.actor_login, '%') JOIN github_events c ON c.id <> b.id",
  'SELECT SUM(LENGTH(a.repo_name)) OVER (ORDER BY b.id, a.id) AS x FROM github_events a, github_events b ORDER BY x DESC',
];

/** Similar queries in the dialect of DuckDB, which the guard would reject. */
export const DUCKDB_QUERIES: readonly string[] = [
  "SELECT max(length(concat(t, r.repo_id))) FROM (SELECT string_agg(actor_login, ',') AS g FROM github_events) t, github_repos r",
  'SELECT max(length(repeat(actor_login, 1000000))) FROM github_events',
  'SELECT count(DISTINCT concat(a.id, b.id)) FROM github_events a, github_events b',
  "SELECT length(string_agg(a.actor_login || b.repo_name, ',')) FROM github_events a, github_events b",
  'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r',
  "WITH RECURSIVE r(n) AS (SELECT repeat('x', 10000) UNION ALL SELECT n || n FROM r) SELECT count(*) FROM r",
  'SELECT length(CAST(list(range) AS VARCHAR)) FROM range(1000000000)',
  "SELECT length(list_aggregate(range(100000000), 'string_agg', ','))",
  'SELECT count(*) FROM github_events a, github_events b, github_events c WHERE a.id + b.id + c.id = 1',
  'SELECT a.repo_name || b.repo_name AS x FROM github_events a, github_events b, github_repos c ORDER BY x',
  'SELECT row_number() OVER (ORDER BY a.id * b.id) AS x FROM github_events a, github_events b',
  "SELECT length(regexp_replace(repeat('a', 10000000), 'a', repeat('b', 1000), 'g'))",
  "SELECT length(repeat('x', 2000000000)) FROM range(10)",
  'SELECT count(*) FROM (SELECT unnest(range(10000000000)))',
  "SELECT levenshtein(repeat('a', 200000), repeat('b', 200000))",
  'SELECT a.id, b.id, count(*) FROM github_events a, github_events b GROUP BY ALL ORDER BY 3',
  'SELECT to_json(list({a: a, b: b})) FROM github_events a, github_events b',
  "SELECT max(list_sort(str_split(repeat('a,b,', 1000000), ','))) FROM github_events",
  'SELECT histogram(a.id * b.id) FROM github_events a, github_events b',
  'SELECT repeat(actor_login, 1000000) FROM github_events',
];

/** Similar queries in the dialect of MariaDB, which the guard would reject. */
export const MARIADB_QUERIES: readonly string[] = [
  'SELECT MAX(LENGTH(REPEAT(actor_login, 1000000))) FROM github_events',
  'SELECT SLEEP(60)',
  "SELECT BENCHMARK(10000000000, SHA2('x', 512))",
  'SELECT COUNT(DISTINCT CONCAT(a.id, b.id)) FROM github_events a, github_events b',
  'SELECT LENGTH(GROUP_CONCAT(a.actor_login, b.repo_name)) FROM github_events a, github_events b',
  'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r',
  'WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT a.n + b.n FROM r a, r b) SELECT COUNT(*) FROM r',
  'SELECT COUNT(*) FROM github_events a, github_events b, github_repos c WHERE a.id + b.id + c.repo_id = 1',
  'SELECT CONCAT(a.repo_name, b.repo_name) AS x FROM github_events a, github_events b ORDER BY x',
  'SELECT ROW_NUMBER() OVER (ORDER BY a.id * b.id) AS x FROM github_events a, github_events b',
  "SELECT MAX(REGEXP_REPLACE(REPEAT('a', 100000), 'a', 'bbbb')) FROM github_events",
  "SELECT SHA2(REPEAT('x', 10000000), 512) FROM github_events a ORDER BY 1",
  "SELECT REPEAT('a', 50) REGEXP '^(a|aa)+$b' FROM github_events",
  'SELECT a.id, b.id, COUNT(*) FROM github_events a, github_events b GROUP BY a.id, b.id ORDER BY 3',
  'SELECT JSON_ARRAYAGG(REPEAT(a.repo_name, 1000)) FROM github_events a, github_events b',
  "SELECT GET_LOCK('a', 60), GET_LOCK('b', 60), SLEEP(60)",
  'SELECT MAX(COMPRESS(REPEAT(a.actor_login, 100000))) FROM github_events a',
  'SELECT MAX(LPAD(a.actor_login, 10000000, b.actor_login)) FROM github_events a, github_events b',
  "SELECT MAX(JSON_EXTRACT(REPEAT('[', 30), '$')), SUM(SLEEP(1)) FROM github_events",
  'SELECT REPEAT(actor_login, 1000000) FROM github_events',
];
