import { RepoInsightError } from '../../api/generated/client.js';
import styles from './messages.module.css';

/** Shows a failure: what happened, and what the reader can do. */
export function ErrorMessage({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const message = error instanceof Error ? error.message : String(error);
  return (
    <div role="alert" className={styles.error}>
      <strong>{titleOf(error)}</strong>
      <p>{message}</p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

function titleOf(error: unknown): string {
  if (!(error instanceof RepoInsightError)) return 'This page has an error';
  return TITLES[error.code] ?? `The request failed (${error.code})`;
}

const TITLES: Readonly<Record<string, string>> = {
  network_error: 'The service cannot be reached',
  rate_limited: 'Too many requests',
  database_unavailable: 'The database cannot be reached',
  query_timeout: 'The query took too long',
  endpoint_broken: 'This endpoint is broken',
  query_not_found: 'There is no such endpoint',
  bad_parameter: 'A parameter has an invalid value',
};
