import { sqlTime } from '../../engine/index.js';
import type { Tables } from '../../warehouse/store/store.js';
import { GitHubError } from '../client/github-error.js';
import { profileOf } from '../enrichment/fetch-repositories.js';
import { REPOSITORIES } from '../enrichment/profile-target.js';
import { writeProfiles } from '../enrichment/store-profiles.js';
import { readRepository } from '../lookups/github-records.js';
import type { RepositoryRecord } from '../lookups/records.js';
import { completed, idsOf, isOlder, newestPages, type Source, type SourcePage } from './source.js';

/** How long a source is up to date. The description of a repository rarely changes. */
const FRESH_MS = 24 * 3_600_000;

/**
 * The repository itself: its name, its description and other facts from GitHub. With this source, operations can answer for a repository
 * without events in the data. The number of stars is used to verify the star history.
 */
export const REPOSITORY_SOURCE: Source<RepositoryRecord> = {
  name: 'repository',
  start: (state) => state,
  isOutdated: ({ checkedAt }, now) => isOlder(checkedAt, FRESH_MS, now),
  // The etag is not sent, because the stored facts may have changed since the last response: an import can store an older name.
  request: (client, id, _, call) => client.get('GET /repositories/{id}', { id }, call),
  read: ({ data, etag }, repoId, state, requestedAt) => {
    const page = readRepository(data);
    if (page.id !== repoId) throw new GitHubError('unreadable', 'GitHub sent another repository.');
    if (page.full_name.length > MAX_NAME) throw new GitHubError('unreadable', 'GitHub sent a name that is too long.');
    return { page, after: { ...completed(state, requestedAt), etag } };
  },
  unchanged: completed,
  restart: (state) => state,
  store: async (tables, pages) => {
    const names = await readNames(tables, pages);
    // Only changed repositories are written, because each write invalidates cached answers.
    const changed = newestPages(pages).flatMap(({ repoId, before, after, page }) => {
      const isSame = after.etag !== undefined && after.etag === before.etag && names.get(repoId) === page?.full_name;
      return page === undefined || isSame ? [] : [{ page, requestedAt: after.checkedAt ?? '' }];
    });
    const [oldest = ''] = changed.map(({ requestedAt }) => requestedAt).sort();
    if (changed.length > 0)
      await writeProfiles(
        tables,
        REPOSITORIES,
        changed.map(({ page }) => profileOf(page)),
        oldest,
        'add',
      );
    await checkHistories(tables, pages);
  },
  remove: async (tables, repoId, now) => {
    await writeProfiles(tables, REPOSITORIES, [{ repo_id: repoId, is_deleted: 1 }], sqlTime(now), 'skip');
  },
};

/** The length of the column `repo_name`. */
const MAX_NAME = 140;

/** Returns the names that answers currently show. */
async function readNames(
  tables: Tables,
  pages: readonly SourcePage<RepositoryRecord>[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await tables.rows(
    `SELECT repo_id, repo_name FROM github_repos WHERE is_deleted = 0 AND repo_id IN (${idsOf(pages)})`,
  );
  return new Map(rows.map(([id, name]) => [Number(id), String(name)]));
}

/**
 * If the sum of a star history differs too much from the number of stars, old stars were removed after the whole history was read. In this
 * case, the history is read again.
 */
async function checkHistories(tables: Tables, pages: readonly SourcePage<RepositoryRecord>[]): Promise<void> {
  const rows = await tables.rows(`SELECT repo_id, stars FROM github_star_histories WHERE repo_id IN (${idsOf(pages)})`);
  const counted = new Map(rows.map(([id, stars]) => [Number(id), Number(stars)]));
  const outdated = pages.filter(({ repoId, page }) => {
    const stars = page?.stargazers_count ?? undefined;
    const sum = counted.get(repoId);
    if (stars === undefined || sum === undefined) return false;
    return Math.abs(stars - sum) > Math.max(TOLERANCE.stars, TOLERANCE.share * stars);
  });
  if (outdated.length === 0) return;
  await tables.run(
    `UPDATE sys_repo_sources SET completed_at = NULL, checked_at = NULL
     WHERE source = 'stars' AND next_page = 1 AND repo_id IN (${idsOf(outdated)})`,
  );
}

/** The accepted difference: the stars of a few hours, and of suspended accounts. */
const TOLERANCE = { stars: 10, share: 0.02 };
