import type { Cell } from '../../../engine/index.js';
import type { Tables } from '../../store/store.js';

/** Replaces the ids of merged provisional repositories in other tables by the real ids. */
export async function replaceMergedIds(tables: Tables): Promise<void> {
  const items = await findMerged(tables, 'collection_items');
  for (const [old, target] of items) {
    await tables.run('UPDATE collection_items SET repo_id = :p2 WHERE repo_id = :p1', [old, target]);
  }
  await moveSubscriptions(tables, await findMerged(tables, 'sys_subscribed_repos'));
  // The rows of merged ids are only deleted here, because this table is computed again after an import.
  for (const [old] of await findMerged(tables, 'mv_trending_repos')) {
    await tables.run('DELETE FROM mv_trending_repos WHERE repo_id = :p1', [old]);
  }
}

/** The merged provisional ids in a table, with their real ids. */
async function findMerged(tables: Tables, table: string): Promise<ReadonlyMap<string, string>> {
  const rows = await tables.rows(
    `SELECT repo_id, target_id FROM repo_sources
     WHERE target_id > 0 AND repo_id IN (SELECT repo_id FROM ${table} WHERE repo_id < 0)`,
  );
  return new Map(rows.map(([id, target]) => [String(id), String(target)]));
}

/**
 * Moves subscriptions to the real repositories. If a user has subscriptions to both repositories, the subscription to
 * the real repository stays. It is active if one of the two was active.
 */
async function moveSubscriptions(tables: Tables, merged: ReadonlyMap<string, string>): Promise<void> {
  if (merged.size === 0) return;
  const rows = await tables.rows(`
    SELECT user_id, repo_id, subscribed, subscribed_at FROM sys_subscribed_repos
    WHERE repo_id < 0 OR repo_id IN (
      SELECT m.target_id FROM repo_sources m JOIN sys_subscribed_repos s ON s.repo_id = m.repo_id WHERE m.repo_id < 0
    )`);
  const key = (user: Cell | undefined, repository: string | undefined) => `${user} ${repository}`;
  const stored = new Map(rows.map(([user, repository, subscribed]) => [key(user, String(repository)), subscribed]));
  for (const [user = null, repository = null, subscribed = null, at = null] of rows) {
    const target = merged.get(String(repository));
    if (target === undefined) continue;
    const isActive = stored.get(key(user, target));
    await tables.run('DELETE FROM sys_subscribed_repos WHERE user_id = :p1 AND repo_id = :p2', [user, repository]);
    if (isActive === undefined) {
      stored.set(key(user, target), subscribed);
      await tables.run(
        'INSERT INTO sys_subscribed_repos (user_id, repo_id, subscribed, subscribed_at) VALUES (:p1, :p2, :p3, :p4)',
        [user, target, subscribed, at],
      );
    } else if (Number(subscribed) === 1 && Number(isActive) === 0) {
      await tables.run(
        'UPDATE sys_subscribed_repos SET subscribed = 1, subscribed_at = :p3 WHERE user_id = :p1 AND repo_id = :p2',
        [user, target, at],
      );
    }
  }
}
