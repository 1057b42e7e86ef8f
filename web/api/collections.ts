import { queryOptions } from '@tanstack/react-query';
import { callOperation } from './operations.js';

export interface Collection {
  readonly id: number | string;
  readonly name: string;
}

/** The query for the public collections. */
export const collectionsQuery = queryOptions({
  queryKey: ['collections'],
  queryFn: async ({ signal }) =>
    (await callOperation<{ readonly data: readonly Collection[] }>('collections/', { signal })).data,
  staleTime: 300_000,
});
