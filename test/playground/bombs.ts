/** Pairs of queries that would take all the time, memory or disk there is. */
export const BOMBS: readonly (readonly [string, string, string])[] = [
  [
    'a product of all events, and groups without end',
    'SELECT SUM(LENGTH(CONCAT(a.repo_name, b.repo_name, c.id))) FROM github_events a, github_events b, github_events c',
    'SELECT a.id, b.id, c.id, COUNT(*) FROM github_events a, github_events b, github_events c GROUP BY a.id, b.id, c.id ORDER BY 4 DESC',
  ],
  [
    'a sort and a text without end',
    'SELECT MAX(r) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY a.repo_id ORDER BY b.actor_login, c.id) AS r FROM github_events a, github_events b, github_events c) t',
    'SELECT LENGTH(GROUP_CONCAT(CONCAT(a.repo_name, b.repo_name, c.id))) FROM github_events a, github_events b, github_events c',
  ],
  [
    'different values and long texts in groups',
    'SELECT COUNT(DISTINCT CONCAT(a.id, b.id, c.id)) FROM github_events a, github_events b, github_events c',
    'SELECT a.id, b.id, MAX(REPEAT(a.repo_name, 30)) FROM github_events a, github_events b GROUP BY a.id, b.id',
  ],
];
