import type { Cell } from '../../../engine/index.js';
import type { Tables } from '../../store/store.js';

/** Has what other tables keep of a repository follow it, where its provisional id was merged into a real one. */
export async function followMergedRepositories(tables: Tables): Promise<void> {
  const items = await mergedAmong(tables, 'collection_items');
  for (const [old, target] of items) {
    await tables.run('UPDATE collection_items SET repo_id = :p2 WHERE repo_id = :p1', [old, target]);
  }
  await followSubscriptions(tables, await mergedAmong(tables, 'sys_subscribed_repos'));
  // Computed again after an import.
  for (const [old] of await mergedAmong(tables, 'mv_trending_repos')) {
    await tables.run('DELETE FROM mv_trending_repos WHERE repo_id = :p1', [old]);
  }
}

/** The real ids, by the merged provisional ones, to which rows of a table refer. */
async function mergedAmong(tables: Tables, table: string): Promise<ReadonlyMap<string, string>> {
  const referred = await tables.rows(`SELECT DISTINCT repo_id FROM ${table} WHERE repo_id < 0`);
  if (referred.length === 0) return new Map();
  const rows = await tables.rows(
    `SELECT repo_id, target_id FROM repo_sources WHERE target_id > 0 AND repo_id IN (${referred.flat().join(', ')})`,
  );
  return new Map(rows.map(([id, target]) => [String(id), String(target)]));
}

/** A user with both subscriptions keeps that of the real repository; it is current if one of them was. */
async function followSubscriptions(tables: Tables, merged: ReadonlyMap<string, string>): Promise<void> {
  if (merged.size === 0) return;
  const ids = [...merged].flat().join(', ');
  const rows = await tables.rows(
    `SELECT user_id, repo_id, subscribed, subscribed_at FROM sys_subscribed_repos WHERE repo_id IN (${ids})`,
  );
  const key = (user: Cell | undefined, repository: string | undefined) => `${user} ${repository}`;
  const there = new Map(rows.map(([user, repository, subscribed]) => [key(user, String(repository)), subscribed]));
  for (const [user = null, repository = null, subscribed = null, at = null] of rows) {
    const target = merged.get(String(repository));
    if (target === undefined) continue;
    const isCurrent = there.get(key(user, target));
    await tables.run('DELETE FROM sys_subscribed_repos WHERE user_id = :p1 AND repo_id = :p2', [user, repository]);
    if (isCurrent === undefined) {
      there.set(key(user, target), subscribed);
      await tables.run(
        'INSERT INTO sys_subscribed_repos (user_id, repo_id, subscribed, subscribed_at) VALUES (:p1, :p2, :p3, :p4)',
        [user, target, subscribed, at],
      );
    } else if (Number(subscribed) === 1 && Number(isCurrent) === 0) {
      await tables.run(
        'UPDATE sys_subscribed_repos SET subscribed = 1, subscribed_at = :p3 WHERE user_id = :p1 AND repo_id = :p2',
        [user, target, at],
      );
    }
  }
}
