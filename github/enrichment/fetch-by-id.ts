import type { CallOptions, GitHubClient, GitHubReply } from '../client/github-client.js';
import { GitHubError } from '../client/github-error.js';

/** Fetches one record by its id. If GitHub rejects the request for one record, the whole batch does not fail. */
export async function fetchById(
  client: GitHubClient,
  route: string,
  id: number,
  options: CallOptions,
): Promise<GitHubReply | 'declined'> {
  try {
    return await client.get(route, { id }, options);
  } catch (error) {
    if (error instanceof GitHubError && error.failure === 'declined') return 'declined';
    throw error;
  }
}

/** Applies an async function to items, with at most five concurrent calls. The results keep the order of the items. */
export async function mapInGroups<Item, Result>(
  items: readonly Item[],
  fetchItem: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += GROUP_SIZE) {
    results.push(...(await Promise.all(items.slice(start, start + GROUP_SIZE).map(fetchItem))));
  }
  return results;
}

const GROUP_SIZE = 5;
