import { useQueries } from '@tanstack/react-query';
import type { PageBlock } from '../api/pages.js';
import { type Result, rowsQuery } from '../api/rows.js';
import type { ParameterTexts } from '../parts/form/parameter-values.js';
import { paramsOf } from './fill-places.js';

/** Returns the query for the result of a block. */
export function blockQuery(endpoint: string, block: PageBlock, values: ParameterTexts) {
  const size = block.pageSize === null ? {} : { page_size: block.pageSize };
  return rowsQuery(endpoint, { ...paramsOf(block, values), ...size });
}

/** The notices that a page shows once instead of each of its blocks, as soon as all results have arrived. */
export interface SharedNotices {
  readonly notices: readonly string[];
  /** Whether no result has rows. The notices then give the reason, for example that a repository is unknown. */
  readonly isEmpty: boolean;
}

/** Returns the notices that at least two blocks of a page have. */
export function useSharedNotices(blocks: readonly PageBlock[], values: ParameterTexts): SharedNotices {
  const keys = blockQueries(blocks, values).map(keyOf);
  const queries = queriesOf(blocks, values);
  return useQueries({
    queries,
    combine: (states) => {
      const isLoading = states.some(({ data, error }) => data === undefined && error === null);
      if (isLoading) return NONE;
      const results = new Map(queries.map((query, place) => [keyOf(query), states[place]]));
      // Blocks with equal queries share one result, but each of them would show its notices.
      return sharedNotices(keys.flatMap((key) => (results.get(key)?.error === null && results.get(key)?.data) || []));
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

const NONE: SharedNotices = { notices: [], isEmpty: false };

function sharedNotices(results: readonly Result[]): SharedNotices {
  const all = results.flatMap(({ notices }) => [...new Set(notices)]);
  const notices = [...new Set(all.filter((notice, place) => all.indexOf(notice) !== place))];
  return notices.length === 0 ? NONE : { notices, isEmpty: results.every(({ data }) => data.length === 0) };
}
