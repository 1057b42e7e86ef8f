import { RepoInsightError } from '../../api/generated/client.js';
import { Button } from '../layout/button.js';
import { Message } from './message.js';
import styles from './messages.module.css';

/** Shows a failure: what happened, and what the reader can do. */
export function ErrorMessage({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const message = error instanceof Error ? error.message : String(error);
  const retry = onRetry && (
    <Button icon="refresh" size="small" onClick={onRetry}>
      Try again
    </Button>
  );
  return (
    <Message tone="danger" role="alert" title={titleOf(error)} actions={retry}>
      <p>{message}</p>
      <ErrorDetails error={error} />
    </Message>
  );
}

/** The facts with which an operator finds the request in the log, and when to try again. */
function ErrorDetails({ error }: { readonly error: unknown }) {
  if (!(error instanceof RepoInsightError)) return null;
  const { code, status, problem, retryAfterSeconds: seconds } = error;
  const id = problem?.request_id;
  return (
    <>
      {seconds !== undefined && <p>Try again in {seconds === 1 ? '1 second' : `${seconds} seconds`}.</p>}
      <p className={styles.details}>
        Code {code}
        {status > 0 && `, status ${status}`}
        {id !== undefined && `, request ${id}`}
      </p>
    </>
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
  too_busy: 'The service is busy',
};
