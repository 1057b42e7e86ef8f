import { queryOptions } from '@tanstack/react-query';
import type { FoundPageDetails, PageSummary } from '../../app-routes/console/answers.js';
import { callOperation } from './operations.js';

export type { FoundPageDetails, PageBlock, PageParameter, PageSummary } from '../../app-routes/console/answers.js';

export const pagesQuery = queryOptions({
  queryKey: ['pages'],
  queryFn: async ({ signal }) =>
    (await callOperation<{ readonly data: readonly PageSummary[] }>('console/pages/', { signal })).data,
});

/** The query for the page at a path, which begins with `/p/`. */
export function pageQuery(path: string) {
  return queryOptions({
    queryKey: ['pages', path],
    queryFn: ({ signal }) =>
      callOperation<FoundPageDetails>(`console/page/?path=${encodeURIComponent(path)}`, { signal }),
  });
}
