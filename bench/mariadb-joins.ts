import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { sessionStatements } from '../engine/databases/mysql/connection/session.js';
import { createDemo, demoSettings, serverVariables } from './demo-service.js';
import { alternate, type Figure, median } from './measure.js';
import { withMariaDb } from './with-mariadb.js';

const EVENTS = 300_000;
const ROUNDS = 5;
const TARGET_MS = 10_000;
const LOAD_TARGET = 4;
const NAME = 'mariadb joins';

/** Joins that analysts may write but that no operation contains. `?` is the repository with the most events. */
const JOINS: Readonly<Record<string, string>> = {
  'events of a repository with accounts by login': `
    SELECT u.country_code, COUNT(*) FROM github_events e JOIN github_users u ON u.login = e.actor_login
    WHERE e.repo_id = ? AND e.type = 'WatchEvent' GROUP BY u.country_code`,
  'what the stargazers of a repository starred, by actor': `
    SELECT b.repo_id, COUNT(*) AS stars FROM github_events a JOIN github_events b ON b.actor_id = a.actor_id AND b.type = 'WatchEvent'
    WHERE a.repo_id = ? AND a.type = 'WatchEvent' GROUP BY b.repo_id ORDER BY stars DESC LIMIT 10`,
  'the same by login': `
    SELECT b.repo_name, COUNT(*) AS stars FROM github_events a JOIN github_events b ON b.actor_login = a.actor_login AND b.type = 'WatchEvent'
    WHERE a.repo_id = ? AND a.type = 'WatchEvent' GROUP BY b.repo_name ORDER BY stars DESC LIMIT 10`,
  'time to the first comment of each issue': `
    SELECT AVG(TIMESTAMPDIFF(SECOND, i.created_at, c.first_at)) FROM github_events i
    JOIN (SELECT repo_id, number, MIN(created_at) AS first_at FROM github_events WHERE type = 'IssueCommentEvent' GROUP BY repo_id, number) c
      ON c.repo_id = i.repo_id AND c.number = i.number
    WHERE i.repo_id = ? AND i.type = 'IssuesEvent' AND i.action = 'opened'`,
  'all forks with repositories by name': `
    SELECT r.primary_language, COUNT(*) FROM github_events e JOIN github_repos r ON r.repo_name = e.repo_name
    WHERE e.type = 'ForkEvent' AND e.repo_id <> ? GROUP BY r.primary_language`,
  'all repositories with their owners': `
    SELECT u.login, COUNT(*) AS repos FROM github_users u JOIN github_repos r ON r.owner_login = u.login
    WHERE r.repo_id <> ? GROUP BY u.login ORDER BY repos DESC LIMIT 5`,
  'reviews of pull requests by their id, without an index': `
    SELECT COUNT(*) FROM github_events p JOIN github_events r ON r.pr_or_issue_id = p.pr_or_issue_id AND r.type = 'PullRequestReviewEvent'
    WHERE p.type = 'PullRequestEvent' AND p.action = 'opened' AND p.repo_id <> ?`,
};

const EVENT_INDEXES = ['by_repo', 'by_actor', 'by_actor_login'];

/**
 * Measures joins that no operation contains, and how much the indexes for these joins slow down the loading of events.
 */
export async function benchMariaDbJoins(folder: string, log: (text: string) => void): Promise<Figure[]> {
  return withMariaDb(NAME, async (url) => {
    log(`creating a demo of ${EVENTS} events`);
    await createDemo(demoSettings(folder, serverVariables(url)), EVENTS);
    const server = await createConnection({ uri: url });
    try {
      for (const statement of sessionStatements('mariadb', 'write')) await server.query(statement);
      await server.query('ANALYZE TABLE github_events, github_repos, github_users');
      log(`${ROUNDS} rounds of ${Object.keys(JOINS).length} joins, and of loading`);
      return [...(await timeJoins(server)), await compareLoads(server)];
    } finally {
      await server.end();
    }
  });
}

async function timeJoins(server: Connection): Promise<Figure[]> {
  const [[repository]] = await server.query<RowDataPacket[]>(
    'SELECT repo_id FROM github_events GROUP BY repo_id ORDER BY COUNT(*) DESC, repo_id LIMIT 1',
  );
  const works = Object.entries(JOINS).map(([name, select]) => [
    name,
    () => millisecondsOf(() => server.query(select, [repository?.repo_id])),
  ]);
  const times: Record<string, number[]> = await alternate(ROUNDS, Object.fromEntries(works));
  return Object.entries(times).map(([name, values]) => ({
    name: `${NAME}: ${name}`,
    value: median(values),
    unit: 'ms',
    target: TARGET_MS,
    bound: 'at most',
    detail: `of ${EVENTS} events, median of ${ROUNDS}`,
  }));
}

/** Loads the same rows into two copies of the table, one without the indexes for joins. */
async function compareLoads(server: Connection): Promise<Figure> {
  for (const table of ['with_indexes', 'without_indexes'])
    await server.query(`CREATE TABLE ${table} LIKE github_events`);
  for (const index of EVENT_INDEXES) await server.query(`DROP INDEX ${index} ON without_indexes`);
  const load = (table: string) => async () => {
    await server.query(`TRUNCATE TABLE ${table}`);
    return millisecondsOf(() => server.query(`INSERT INTO ${table} SELECT * FROM github_events`));
  };
  const times = await alternate(ROUNDS, { indexed: load('with_indexes'), plain: load('without_indexes') });
  const [indexed, plain] = [median(times.indexed), median(times.plain)];
  const detail = `${(indexed / 1000).toFixed(2)} s against ${(plain / 1000).toFixed(2)} s for ${EVENTS} events, medians of ${ROUNDS}`;
  return {
    name: `${NAME}: loading with their indexes`,
    value: indexed / plain,
    unit: '×',
    target: LOAD_TARGET,
    bound: 'at most',
    detail,
  };
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
