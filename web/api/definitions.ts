import { queryOptions } from '@tanstack/react-query';
import type { DefinitionDetails, DefinitionSummary } from '../../app-routes/console/answers.js';
import { callOperation } from './operations.js';

export type {
  ConsoleColumn,
  ConsoleParameter,
  DefinitionDetails,
  DefinitionSummary,
} from '../../app-routes/console/answers.js';

export const definitionsQuery = queryOptions({
  queryKey: ['definitions'],
  queryFn: async ({ signal }) =>
    (await callOperation<{ readonly data: readonly DefinitionSummary[] }>('console/definitions/', { signal })).data,
});

export function definitionQuery(name: string) {
  return queryOptions({
    queryKey: ['definitions', name],
    queryFn: ({ signal }) =>
      callOperation<DefinitionDetails>(`console/definitions/${encodeURIComponent(name)}/`, { signal }),
  });
}
