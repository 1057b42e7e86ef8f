import type { ReactNode } from 'react';
import { RepoInsightError } from '../../api/generated/client.js';
import { Button } from '../layout/button.js';
import { errorTexts, isLoadFailure } from './error-texts.js';
import { Message } from './message.js';
import styles from './messages.module.css';
import { RetryButton } from './retry-button.js';

interface ErrorMessageProps {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** Shown below the message, such as links to other pages. */
  readonly children?: ReactNode;
}

/** Shows a failure: what happened, what the reader can do, and when to try again. */
export function ErrorMessage({ error, onRetry, children }: ErrorMessageProps) {
  const { title, advice } = errorTexts(error);
  const failure = error instanceof RepoInsightError ? error : undefined;
  const wait = failure?.retryAfterSeconds;
  // The key restarts the countdown for each new failure, even if the wait has the same length.
  const isOld = isLoadFailure(error);
  const retry = onRetry && <RetryButton key={failure?.problem?.request_id} wait={wait ?? 0} onRetry={onRetry} />;
  return (
    <Message tone="danger" role="alert" title={title} actions={isOld ? <ReloadButton /> : retry}>
      {!isOld && <p>{error instanceof Error ? error.message : String(error)}</p>}
      {advice !== undefined && <p>{advice}</p>}
      {wait !== undefined && onRetry === undefined && (
        <p>Try again in {wait === 1 ? '1 second' : `${wait} seconds`}.</p>
      )}
      {children}
      {failure !== undefined && <ErrorDetails error={failure} />}
    </Message>
  );
}

function ReloadButton() {
  return (
    <Button icon="refresh" size="small" onClick={() => window.location.reload()}>
      Load the page again
    </Button>
  );
}

/** The facts that an operator needs to find the request in the log. */
function ErrorDetails({ error: { code, status, problem } }: { readonly error: RepoInsightError }) {
  const id = problem?.request_id;
  return (
    <p className={styles.details}>
      Code {code}
      {status > 0 && `, status ${status}`}
      {id !== undefined && `, request ${id}`}
    </p>
  );
}
