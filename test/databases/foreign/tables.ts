/** Tables with the typical columns of public datasets of GitHub events. */
export const TABLES: readonly string[] = [
  `CREATE TABLE github_events (
    id BIGINT NOT NULL, type VARCHAR(29) NOT NULL, action VARCHAR(11), created_at DATETIME NOT NULL, closed_at DATETIME,
    event_day DATE NOT NULL, event_month DATE NOT NULL, event_year INT NOT NULL, repo_id BIGINT NOT NULL,
    repo_name VARCHAR(140) NOT NULL, actor_id BIGINT, actor_login VARCHAR(40), number INT, additions BIGINT,
    deletions BIGINT, pr_merged TINYINT
  )`,
  'CREATE TABLE github_repos (repo_id BIGINT NOT NULL PRIMARY KEY, repo_name VARCHAR(140), stars INT, pushed_at DATETIME)',
  'CREATE TABLE collections (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(255))',
  'CREATE TABLE collection_items (id BIGINT NOT NULL PRIMARY KEY, collection_id BIGINT, repo_id BIGINT)',
];

type Event = readonly [type: string, action: string | null, at: string, repo: number, actor: number, more?: string];

const REPOS = ['', 'acme/anvil', 'acme/rocket', 'zeta/tool'];
const ACTORS = ['', 'ann', 'bob', 'cy', 'sync[bot]'];
/** The values of `number, additions, deletions, pr_merged, closed_at` for events that do not have them. */
const NONE = 'NULL, NULL, NULL, NULL, NULL';

const EVENTS: readonly Event[] = [
  ['WatchEvent', 'started', '2024-03-30 23:59:59', 1, 1],
  ['WatchEvent', 'started', '2024-03-31 00:00:00', 1, 2],
  ['WatchEvent', 'started', '2024-04-01 08:00:00', 2, 1],
  ['WatchEvent', 'started', '2024-04-01 09:30:00', 1, 1],
  ['ForkEvent', null, '2024-04-02 10:00:00', 1, 3],
  ['PushEvent', null, '2024-04-03 11:15:30', 1, 4],
  ['PushEvent', null, '2024-04-03 12:00:00', 2, 2],
  ['PushEvent', null, '2024-04-10 12:00:00', 1, 2],
  ['PullRequestEvent', 'opened', '2024-04-10 10:00:00', 1, 2, '7, 10, 2, 0, NULL'],
  ['PullRequestEvent', 'closed', '2024-04-12 11:30:00', 1, 1, "7, 10, 2, 1, '2024-04-12 11:30:00'"],
  ['PullRequestEvent', 'opened', '2024-05-01 00:00:00', 2, 3, '8, 250, 50, 0, NULL'],
  ['IssuesEvent', 'opened', '2024-05-02 13:00:00', 3, 1, '3, NULL, NULL, NULL, NULL'],
];

export const ROWS: readonly string[] = [
  `INSERT INTO github_events VALUES ${EVENTS.map(eventRow).join(', ')}`,
  `INSERT INTO github_repos VALUES (1, 'acme/anvil', 30, '2024-04-10 12:00:00'), (2, 'acme/rocket', 20, '2024-04-03 12:00:00'),
    (3, 'zeta/tool', 10, NULL)`,
  "INSERT INTO collections VALUES (1, 'Tools'), (2, 'Toys')",
  'INSERT INTO collection_items VALUES (1, 1, 1), (2, 1, 3), (3, 2, 2)',
];

function eventRow([type, action, at, repo, actor, more = NONE]: Event, index: number): string {
  const day = at.slice(0, 10);
  const [number, additions, deletions, merged, closed] = more.split(', ');
  const texts = [type, action].map((text) => (text === null ? 'NULL' : `'${text}'`)).join(', ');
  const times = `'${at}', ${closed}, '${day}', '${day.slice(0, 7)}-01', ${day.slice(0, 4)}`;
  const names = `${repo}, '${REPOS[repo]}', ${actor}, '${ACTORS[actor]}'`;
  return `(${index + 1}, ${texts}, ${times}, ${names}, ${number}, ${additions}, ${deletions}, ${merged})`;
}
