import { sqlTime } from '../../engine/index.js';
import type { Tables } from '../../warehouse/store/store.js';
import { GitHubError } from '../client/github-error.js';
import { profileOf } from '../enrichment/fetch-repositories.js';
import { REPOSITORIES } from '../enrichment/profile-target.js';
import { writeProfiles } from '../enrichment/store-profiles.js';
import { readRepository } from '../records/github-records.js';
import { completed, isOlder, type Source } from './source.js';

/** The description of a repository changes rarely. */
const FRESH_MS = 24 * 3_600_000;

/**
 * The repository itself: its name, its description and what GitHub reports about it. Operations know a repository without any event in the
 * data from it. Its number of stars checks the star history.
 */
export const REPOSITORY_SOURCE: Source = {
  name: 'repository',
  start: (state) => state,
  isOutdated: ({ checkedAt }, now) => isOlder(checkedAt, FRESH_MS, now),
  // Without the etag, because the tables may have lost what GitHub sent: an import can bring an older name.
  request: (client, id, _, call) => client.get('GET /repositories/{id}', { id }, call),
  read: ({ data, etag }, state) => {
    const repository = readRepository(data);
    if (repository.full_name.length > MAX_NAME)
      throw new GitHubError('unreadable', 'GitHub sent a name that is too long.');
    return {
      store: async (tables, repoId, requestedAt) => {
        if (repository.id !== repoId) throw new GitHubError('unreadable', 'GitHub sent another repository.');
        // Each write makes stored answers invalid.
        if (etag === undefined || etag !== state.etag || !(await hasName(tables, repoId, repository.full_name)))
          await writeProfiles(tables, REPOSITORIES, [profileOf(repository)], sqlTime(requestedAt), 'add');
        await checkHistory(tables, repoId, repository.stargazers_count ?? undefined);
        return { ...completed(state, requestedAt), etag };
      },
    };
  },
  unchanged: completed,
  restart: (state) => state,
  record: async () => undefined,
  remove: async (tables, repoId, now) => {
    await writeProfiles(tables, REPOSITORIES, [{ repo_id: repoId, is_deleted: 1 }], sqlTime(now), 'skip');
  },
};

/** The length of the column. */
const MAX_NAME = 140;

async function hasName(tables: Tables, repoId: number, name: string): Promise<boolean> {
  const rows = await tables.rows('SELECT repo_name FROM github_repos WHERE repo_id = :p1 AND is_deleted = 0', [repoId]);
  return rows.some(([stored]) => stored === name);
}

/**
 * If the sum of a star history differs much from the number of stars, old stars were taken back since the whole history was read. Then it
 * is read again.
 */
async function checkHistory(tables: Tables, repoId: number, stars: number | undefined): Promise<void> {
  const [[counted] = []] = await tables.rows('SELECT stars FROM github_star_histories WHERE repo_id = :p1', [repoId]);
  if (stars === undefined || counted === undefined) return;
  if (Math.abs(stars - Number(counted)) <= Math.max(TOLERANCE.stars, TOLERANCE.share * stars)) return;
  await tables.run(
    "UPDATE sys_repo_sources SET completed_at = NULL, checked_at = NULL WHERE repo_id = :p1 AND source = 'stars' AND next_page = 1",
    [repoId],
  );
}

/** The stars of a few hours, and of suspended accounts. */
const TOLERANCE = { stars: 10, share: 0.02 };
