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

/**
 * If no result of a page has rows, returns the notices that all results have in common, for example that a repository is unknown. The page
 * shows them only once, after all results have arrived.
 */
export function useSharedNotices(blocks: readonly PageBlock[], values: ParameterTexts): readonly string[] {
  return useQueries({
    queries: queriesOf(blocks, values),
    combine: (states) => {
      const isLoading = states.some(({ data, error }) => data === undefined && error === null);
      return isLoading ? NONE : sharedNotices(states.flatMap(({ data, error }) => (error === null && data) || []));
    },
  });
}

/** Returns the queries of all blocks. Equal queries are contained only once. */
export function queriesOf(blocks: readonly PageBlock[], values: ParameterTexts) {
  const queries = blocks.flatMap((block) =>
    block.endpoint === null ? [] : [blockQuery(block.endpoint, block, values)],
  );
  return [...new Map(queries.map((query) => [JSON.stringify(query.queryKey), query])).values()];
}

const NONE: readonly string[] = [];

function sharedNotices([first, ...others]: readonly Result[]): readonly string[] {
  if (first === undefined || others.length === 0) return NONE;
  if ([first, ...others].some(({ data }) => data.length > 0)) return NONE;
  return first.notices.filter((notice) => others.every(({ notices }) => notices.includes(notice)));
}
