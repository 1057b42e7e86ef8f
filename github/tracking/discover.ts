import { sqlTime } from '../../engine/index.js';
import { isBotLoginSql } from '../../warehouse/rules/bots.js';
import type { Store, Tables } from '../../warehouse/store/store.js';
import { callWithWaits, type WaitOptions } from '../client/call-with-waits.js';
import type { GitHubClient } from '../client/github-client.js';
import { GitHubError } from '../client/github-error.js';
import { readItems, readRepository } from '../lookups/github-records.js';
import { addFound, listTracked } from './tracked-repositories.js';

/** A rising repository that is not tracked yet. */
export interface Proposal {
  readonly id: number;
  readonly name: string;
  /** Why it is proposed. */
  readonly reason: string;
}

export interface DiscoverOptions extends WaitOptions {
  /** The maximum number of proposals. */
  readonly limit: number;
  /** The maximum number of requests to GitHub. */
  readonly budget: number;
  /** Proposals become tracked until this number of repositories is tracked; with 0, none becomes tracked. */
  readonly trackUntil: number;
  readonly clock: () => Date;
}

export interface Discovery {
  /** Proposals from the events and from the search alternate, each sorted by rank. */
  readonly proposals: readonly Proposal[];
  /** The number of proposals that are now tracked. The tracked proposals are the first ones in the list. */
  readonly added: number;
  readonly requests: number;
  /** Why the search at GitHub stopped before its end. */
  readonly stopped?: string;
}

/**
 * Finds rising repositories that are not tracked: those with many more people in the events of the last week than before, and young
 * repositories with the most stars on GitHub. If GitHub fails, only the search on GitHub ends.
 */
export async function discover(store: Store, client: GitHubClient, options: DiscoverOptions): Promise<Discovery> {
  const { limit, trackUntil, clock } = options;
  const known = await store.write(async (tables) => new Set((await listTracked(tables)).map(({ id }) => id)));
  const isNew = ({ id }: Proposal) => !known.has(id);
  const active = (await store.write((tables) => findActive(tables, known.size + limit))).filter(isNew);
  const { found, ...search } = await searchYoung(client, options, isNew);
  const proposals = alternate(active, found).slice(0, limit);
  const addSome = async (tables: Tables) => {
    const room = Math.max(trackUntil - (await listTracked(tables)).length, 0);
    return addFound(tables, proposals.slice(0, room), clock());
  };
  const added = trackUntil === 0 ? 0 : await store.write(addSome);
  return { proposals, added, ...search };
}

/** The minimum number of people in a week, without bots. */
const MIN_PEOPLE = 10;

/**
 * Finds repositories with at least twice as many people in the newest week of the data as on average in the three weeks before.
 * Repositories with the most people come first. The function reads the events of these four weeks, and counts people only in repositories
 * with enough events.
 */
async function findActive(tables: Pick<Tables, 'rows'>, limit: number): Promise<Proposal[]> {
  const newest = '(SELECT MAX(day) FROM mv_event_coverage)';
  const isRecent = `event_day > DATE_SUB(${newest}, INTERVAL 7 DAY)`;
  const since = (days: number) =>
    `created_at >= DATE_SUB(${newest}, INTERVAL ${days - 1} DAY) AND created_at < DATE_ADD(${newest}, INTERVAL 1 DAY)`;
  const people = (condition: string) => `COUNT(DISTINCT CASE WHEN ${condition} THEN e.actor_login END)`;
  const rows = await tables.rows(`
    SELECT r.repo_id, r.repo_name, w.recent, w.earlier
    FROM (
      SELECT e.repo_id, ${people(isRecent)} AS recent, ${people(`NOT ${isRecent}`)} AS earlier
      FROM (
        SELECT repo_id FROM github_events WHERE repo_id > 0 AND ${since(7)} GROUP BY repo_id HAVING COUNT(*) >= ${MIN_PEOPLE}
      ) busy
      JOIN github_events e ON e.repo_id = busy.repo_id
      WHERE ${since(28)} AND e.actor_login <> '' AND NOT ${isBotLoginSql('e.actor_login')}
      GROUP BY e.repo_id
    ) w
    JOIN github_repos r ON r.repo_id = w.repo_id
    WHERE w.recent >= ${MIN_PEOPLE} AND w.recent * 3 >= w.earlier * 2 AND r.is_deleted = 0
      AND r.repo_name_lower NOT IN (SELECT LOWER(name) FROM blacklist_repos)
    ORDER BY w.recent DESC, r.repo_id
    LIMIT ${limit}`);
  return rows.map(([id, name, recent, earlier]) => ({
    id: Number(id),
    name: String(name),
    reason: `${recent} people in the newest week of the data, ${earlier} in the three weeks before`,
  }));
}

/** The maximum age of a young repository. */
const YOUNG_DAYS = 30;
const PER_PAGE = 100;
/** GitHub only returns the first thousand results of a search. */
const MAX_PAGES = 10;

/** Searches young repositories on GitHub, those with the most stars first. */
async function searchYoung(
  client: GitHubClient,
  { limit, budget, clock, ...waits }: DiscoverOptions,
  isNew: (proposal: Proposal) => boolean,
): Promise<{ readonly found: readonly Proposal[]; readonly requests: number; readonly stopped?: string }> {
  const since = sqlTime(new Date(clock().getTime() - YOUNG_DAYS * 86_400_000)).slice(0, 10);
  const query = { q: `created:>=${since}`, sort: 'stars', order: 'desc', per_page: PER_PAGE };
  const found: Proposal[] = [];
  let requests = 0;
  try {
    for (let page = 1; page <= Math.min(budget, MAX_PAGES) && found.length < limit; page++) {
      const reply = await callWithWaits((call) => {
        requests++;
        return client.get('GET /search/repositories', { ...query, page }, call);
      }, waits);
      const items = reply.state === 'found' ? readItems(reply.data, readRepository) : [];
      const proposals = items.map(({ id, full_name, stargazers_count }) => ({
        id,
        name: full_name,
        reason: `${stargazers_count ?? 0} stars at GitHub, created since ${since}`,
      }));
      found.push(...proposals.filter(isNew));
      if (items.length < PER_PAGE) break;
    }
    return { found, requests };
  } catch (error) {
    if (waits.signal.aborted || !(error instanceof GitHubError)) throw error;
    return { found, requests, stopped: error.message };
  }
}

/** Returns the elements of both lists alternately, each repository once. */
function alternate(first: readonly Proposal[], second: readonly Proposal[]): Proposal[] {
  const proposals = new Map<number, Proposal>();
  for (let index = 0; index < Math.max(first.length, second.length); index++) {
    for (const one of [first[index], second[index]]) if (one && !proposals.has(one.id)) proposals.set(one.id, one);
  }
  return [...proposals.values()];
}
