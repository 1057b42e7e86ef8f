import { QueryClient } from '@tanstack/react-query';
import { RepoInsightError } from './generated/client.js';

/** Whether a failure is temporary, so that the request is retried. All other failures are shown immediately. */
const isTransient = (error: unknown): boolean =>
  error instanceof RepoInsightError && (error.code === 'network_error' || error.status === 502);

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 1 && isTransient(error),
      },
    },
  });
}
