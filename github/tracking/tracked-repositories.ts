import { sqlTime } from '../../engine/index.js';
import type { Store, Tables } from '../../warehouse/store/store.js';
import { callWithWaits, type WaitOptions } from '../client/call-with-waits.js';
import type { CallOptions, GitHubClient } from '../client/github-client.js';
import { readRepository } from '../lookups/github-records.js';
import { removeHistory } from './counted-stars.js';
import { NEVER_READ, readStates, type SourceState } from './source.js';
import type { SourceName } from './tracking-progress.js';

/** Why a repository is tracked, in order of importance. */
const REASONS = ['collection', 'subscription', 'added'] as const;

/** A tracked repository, with the states of its sources. */
export interface TrackedRepository {
  readonly id: number;
  /** `owner/name`; empty if it is not known. */
  readonly name: string;
  readonly reason: (typeof REASONS)[number];
  readonly sources: Readonly<Record<SourceName, SourceState>>;
}

/**
 * Lists the tracked repositories: repositories of public collections, repositories with subscriptions, and repositories that the operator
 * added.
 */
export async function listTracked(tables: Pick<Tables, 'rows'>): Promise<TrackedRepository[]> {
  const states = await readStates(tables);
  const rows = await tables.rows(LIST);
  return rows.map(([id, name, reason]) => ({
    id: Number(id),
    name: String(name),
    reason: REASONS[Number(reason)] ?? 'added',
    sources: {
      repository: states.get(`${id} repository`) ?? NEVER_READ,
      stars: states.get(`${id} stars`) ?? NEVER_READ,
      events: states.get(`${id} events`) ?? NEVER_READ,
      issues: states.get(`${id} issues`) ?? NEVER_READ,
    },
  }));
}

/** Returns the position of the reason in `REASONS`. */
export function rankOf({ reason }: TrackedRepository): number {
  return REASONS.indexOf(reason);
}

const LIST = `
  SELECT t.repo_id, COALESCE(r.repo_name, t.repo_name) AS repo_name, t.reason
  FROM (
    SELECT repo_id, MAX(repo_name) AS repo_name, MIN(reason) AS reason
    FROM (
      SELECT i.repo_id, i.repo_name, 0 AS reason
      FROM collection_items i
      JOIN collections c ON c.id = i.collection_id
      WHERE c.public = 1
      UNION ALL
      SELECT repo_id, '' AS repo_name, 1 AS reason FROM sys_subscribed_repos WHERE subscribed = 1
      UNION ALL
      SELECT repo_id, repo_name, 2 AS reason FROM sys_tracked_repos
    ) reasons
    WHERE repo_id > 0
    GROUP BY repo_id
  ) t
  LEFT JOIN github_repos r ON r.repo_id = t.repo_id
  ORDER BY t.reason, t.repo_id`;

export interface AddedRepositories {
  readonly added: number;
  /** The number of names that were already tracked. */
  readonly known: number;
  /** The names that are neither in the tables nor on GitHub. */
  readonly unknown: readonly string[];
  /** The former names, with the current names of their repositories. */
  readonly renamed: readonly (readonly [name: string, current: string])[];
}

export interface AddOptions extends WaitOptions {
  readonly clock: () => Date;
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Adds repositories by name. Names that are not in the tables are looked up on GitHub. Each repository is stored as soon as it is found, so
 * that an interrupted call can be repeated. Rejects with `GitHubError`, or with the reason of the signal.
 */
export async function addTracked(
  store: Store,
  client: GitHubClient,
  names: readonly string[],
  options: AddOptions,
): Promise<AddedRepositories> {
  const { clock, onProgress } = options;
  const distinct = [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
  const unknown: string[] = [];
  const renamed: [string, string][] = [];
  let added = 0;
  for (const [index, name] of distinct.entries()) {
    const stored = await store.write((tables) => findStored(tables, name));
    const repository = stored ?? (await callWithWaits((call) => findOnGitHub(client, name, call), options));
    if (repository === undefined) unknown.push(name);
    else {
      if (repository.name.toLowerCase() !== name.toLowerCase()) renamed.push([name, repository.name]);
      if (await store.write((tables) => addRow(tables, repository, clock()))) added++;
    }
    onProgress?.(index + 1, distinct.length);
  }
  return { added, known: distinct.length - unknown.length - added, unknown, renamed };
}

/** Adds a repository. Returns whether it is new. */
async function addRow(tables: Tables, { id, name }: FoundRepository, now: Date): Promise<boolean> {
  const rows = await tables.rows('SELECT repo_id FROM sys_tracked_repos WHERE repo_id = :p1', [id]);
  if (rows.length > 0) return false;
  await tables.insertRows('sys_tracked_repos', [[id, name, sqlTime(now)]]);
  return true;
}

/** Adds repositories. Returns how many of them the operator had not added before. */
export async function addFound(tables: Tables, repositories: readonly FoundRepository[], now: Date): Promise<number> {
  let added = 0;
  for (const repository of repositories) if (await addRow(tables, repository, now)) added++;
  return added;
}

/** Removes a repository that the operator added, by its former or current name. Returns whether it was found. */
export function removeTracked(store: Store, name: string): Promise<boolean> {
  return store.write(async (tables) => {
    const rows = await tables.rows(
      `SELECT t.repo_id
       FROM sys_tracked_repos t
       LEFT JOIN github_repos r ON r.repo_id = t.repo_id
       WHERE LOWER(t.repo_name) = :p1 OR r.repo_name_lower = :p1`,
      [name.toLowerCase()],
    );
    for (const [id = null] of rows) await tables.run('DELETE FROM sys_tracked_repos WHERE repo_id = :p1', [id]);
    if (rows.length > 0) await removeUntracked(tables, await listTracked(tables));
    return rows.length > 0;
  });
}

/** Removes the histories of repositories that are not tracked any more, because their later days are not read. */
export async function removeUntracked(tables: Tables, tracked: readonly TrackedRepository[]): Promise<void> {
  const ids = new Set(tracked.map(({ id }) => id));
  for (const [id] of await tables.rows('SELECT repo_id FROM github_star_histories')) {
    if (!ids.has(Number(id))) await removeHistory(tables, Number(id));
  }
}

interface FoundRepository {
  readonly id: number;
  readonly name: string;
}

/** Finds a repository in the tables that was added by this name or currently has it. Former names are looked up on GitHub. */
async function findStored(tables: Tables, name: string): Promise<FoundRepository | undefined> {
  const rows = await tables.rows(
    `SELECT repo_id, repo_name, 0 AS place, NULL AS used_at FROM sys_tracked_repos WHERE LOWER(repo_name) = :p1
     UNION ALL
     SELECT r.repo_id, r.repo_name, 1, r.last_event_at
     FROM mv_repo_names n
     JOIN github_repos r ON r.repo_id = n.repo_id
     WHERE n.tier = 0 AND n.name = :p1 AND n.repo_id > 0 AND r.is_deleted = 0
     ORDER BY place, used_at DESC, repo_id DESC`,
    [name.toLowerCase()],
  );
  return rows.map(([id, current]) => ({ id: Number(id), name: String(current) }))[0];
}

async function findOnGitHub(
  client: GitHubClient,
  name: string,
  options: CallOptions,
): Promise<FoundRepository | undefined> {
  const [owner = '', repo = ''] = name.split('/');
  const reply = await client.get('GET /repos/{owner}/{repo}', { owner, repo }, options);
  if (reply.state !== 'found') return undefined;
  const { id, full_name } = readRepository(reply.data);
  return { id, name: full_name };
}
