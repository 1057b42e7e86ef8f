import type { CallOptions, HostClient, HostReply } from '../client/github-client.js';
import { HostError } from '../client/github-error.js';

/** Asks about one record. What the platform declines to tell of one must not keep it from telling of the others. */
export async function askOne(
  client: HostClient,
  route: string,
  id: number,
  options: CallOptions,
): Promise<HostReply | 'declined'> {
  try {
    return await client.get(route, { id }, options);
  } catch (error) {
    if (error instanceof HostError && error.failure === 'declined') return 'declined';
    throw error;
  }
}

/** Does the work for each, a few at a time, and gives the results in the same order. */
export async function askEach<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += CALLS_AT_A_TIME) {
    results.push(...(await Promise.all(items.slice(start, start + CALLS_AT_A_TIME).map(work))));
  }
  return results;
}

const CALLS_AT_A_TIME = 5;
