import { useQueries } from '@tanstack/react-query';
import { isAccessError } from '../access/access-form.js';
import { RepoInsightError } from '../api/generated/client.js';
import type { PageBlock } from '../api/pages.js';
import { type Result, rowsQuery } from '../api/rows.js';
import type { ParameterTexts } from '../parts/form/parameter-values.js';
import { paramsOf } from './fill-places.js';

/** Returns the query for the result of a block. */
export function blockQuery(endpoint: string, block: PageBlock, values: ParameterTexts) {
  const size = block.pageSize === null ? {} : { page_size: block.pageSize };
  return rowsQuery(endpoint, { ...paramsOf(block, values), ...size });
}

/** The messages that a page shows once instead of each of its blocks, as soon as all results have arrived. */
export interface SharedMessages {
  readonly notices: readonly string[];
  /** Whether no result has rows. The notices then give the reason, for example that a repository is unknown. */
  readonly isEmpty: boolean;
  readonly failure: SharedFailure | undefined;
}

/** A failure that several blocks have, such as an exceeded limit of requests. */
export interface SharedFailure {
  /** The error with the longest wait before a retry. */
  readonly error: RepoInsightError;
  /** Requests all results that failed again. */
  readonly onRetry: () => void;
}

/** Returns the notices and the failure that at least two blocks of a page have. */
export function useSharedMessages(blocks: readonly PageBlock[], values: ParameterTexts): SharedMessages {
  const keys = blockQueries(blocks, values).map(keyOf);
  const queries = queriesOf(blocks, values);
  return useQueries({
    queries,
    combine: (states) => {
      const isLoading = states.some(({ data, error }) => data === undefined && error === null);
      if (isLoading) return NONE;
      const results = new Map(queries.map((query, place) => [keyOf(query), states[place]]));
      // Blocks with equal queries share one result, but each of them would show its notices.
      const shown = keys.flatMap((key) => (results.get(key)?.error === null && results.get(key)?.data) || []);
      return { ...sharedNotices(shown), failure: sharedFailure(states) };
    },
  });
}

/** Returns the queries of all blocks. Equal queries are contained only once. */
export function queriesOf(blocks: readonly PageBlock[], values: ParameterTexts) {
  return [...new Map(blockQueries(blocks, values).map((query) => [keyOf(query), query])).values()];
}

function blockQueries(blocks: readonly PageBlock[], values: ParameterTexts) {
  return blocks.flatMap((block) => (block.endpoint === null ? [] : [blockQuery(block.endpoint, block, values)]));
}

function keyOf({ queryKey }: Pick<ReturnType<typeof blockQuery>, 'queryKey'>): string {
  return JSON.stringify(queryKey);
}

const NONE: SharedMessages = { notices: [], isEmpty: false, failure: undefined };

function sharedNotices(results: readonly Result[]): Pick<SharedMessages, 'notices' | 'isEmpty'> {
  const all = results.flatMap(({ notices }) => [...new Set(notices)]);
  const notices = [...new Set(all.filter((notice, place) => all.indexOf(notice) !== place))];
  return notices.length === 0 ? NONE : { notices, isEmpty: results.every(({ data }) => data.length === 0) };
}

interface BlockState {
  readonly error: unknown;
  refetch(): unknown;
}

function sharedFailure(states: readonly BlockState[]): SharedFailure | undefined {
  // `BlocksAccess` asks for a key if one is missing.
  const failed = states.flatMap(({ error, refetch }) =>
    error instanceof RepoInsightError && !isAccessError(error as unknown) ? { error, refetch } : [],
  );
  const likes = (one: RepoInsightError) => failed.filter(({ error }) => isSameFailure(one, error));
  const first = failed.find(({ error }) => likes(error).length > 1);
  const alike = first === undefined ? [] : likes(first.error);
  const waitOf = (error: RepoInsightError) => error.retryAfterSeconds ?? 0;
  const [longest] = alike.map(({ error }) => error).sort((a, b) => waitOf(b) - waitOf(a));
  return longest && { error: longest, onRetry: () => alike.forEach(({ refetch }) => void refetch()) };
}

/** Whether the page shows the failure of a block. */
export function isSharedFailure(error: unknown, failure: SharedFailure | undefined): boolean {
  return error instanceof RepoInsightError && failure !== undefined && isSameFailure(error, failure.error);
}

/** Whether two blocks fail for the same reason. The messages of most codes name the endpoint; those about a limit differ in their time. */
function isSameFailure(one: RepoInsightError, other: RepoInsightError): boolean {
  return one.code === other.code && (one.code === 'rate_limited' || one.message === other.message);
}
