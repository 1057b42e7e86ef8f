import type { CallOptions, GitHubClient, GitHubReply } from '../client/github-client.js';
import { GitHubError } from '../client/github-error.js';
import type { Candidate } from './fetch-profiles.js';

/** A record as GraphQL returns it. */
export type Node = Readonly<Record<string, unknown>> & { readonly databaseId?: number };

/** The GraphQL field that finds a record, and its arguments, which are all strings. */
interface Finder {
  readonly field: string;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Fetches many records in one GraphQL query, with an alias for each record. If the query fails, it may be too large, so it is split in two
 * halves that are sent separately. Returns the found nodes by the id of their candidate.
 */
export async function fetchNodes(
  candidates: readonly Candidate[],
  finderOf: (candidate: Candidate) => Finder,
  fields: string,
  client: GitHubClient,
  options: CallOptions,
): Promise<ReadonlyMap<number, Node>> {
  const fetchSome = async (some: readonly Candidate[]): Promise<readonly (readonly [number, Node])[]> => {
    const { query, variables } = writeQuery(some.map(finderOf), fields);
    try {
      const data = await client.graphql(query, variables, options);
      return some.flatMap(({ id }, index) => {
        const node = data[`r${index}`];
        return typeof node === 'object' && node !== null ? [[id, node as Node] as const] : [];
      });
    } catch (error) {
      if (!(error instanceof GitHubError) || error.failure !== 'unavailable' || some.length < MIN_TO_HALVE) throw error;
      const half = Math.ceil(some.length / 2);
      return [...(await fetchSome(some.slice(0, half))), ...(await fetchSome(some.slice(half)))];
    }
  };
  return new Map(await fetchSome(candidates));
}

/**
 * The minimum number of records of a query that is split. If a smaller query fails, its size is not the reason: GitHub itself is
 * unavailable.
 */
const MIN_TO_HALVE = 50;

function writeQuery(finders: readonly Finder[], fields: string) {
  const variables: Record<string, string> = {};
  const lines = finders.map(({ field, values }, index) => {
    const fieldArguments = Object.entries(values).map(([name, value]) => {
      variables[`${name}${index}`] = value;
      return `${name}: $${name}${index}`;
    });
    return `r${index}: ${field}(${fieldArguments.join(', ')}) {${fields}}`;
  });
  const declarations = Object.keys(variables).map((name) => `$${name}: String!`);
  return { query: `query(${declarations.join(', ')}) {\n${lines.join('\n')}\n}`, variables };
}

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
