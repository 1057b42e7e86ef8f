import { queryOptions } from '@tanstack/react-query';
import type { OperatorStatus } from '../../app-routes/console/operator-status.js';
import { ACCOUNT_KEY } from './account.js';
import { callOperation } from './operations.js';

export type { OperatorStatus } from '../../app-routes/console/operator-status.js';

/** The state of the service. The state is refreshed every ten seconds while the page is visible. */
export const operatorQuery = queryOptions({
  queryKey: [...ACCOUNT_KEY, 'operator'],
  queryFn: ({ signal }) => callOperation<OperatorStatus>('console/operator/', { signal }),
  staleTime: 0,
  refetchInterval: 10_000,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: true,
});
