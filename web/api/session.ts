import { queryOptions } from '@tanstack/react-query';
import type { ConsoleSession } from '../../app-routes/console/answers.js';
import { callOperation } from './operations.js';

export type { ConsoleSession } from '../../app-routes/console/answers.js';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => callOperation<ConsoleSession>('console/session/', { signal }),
  staleTime: 300_000,
});
