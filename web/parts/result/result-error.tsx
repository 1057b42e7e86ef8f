import { type ReactNode, useEffect, useState } from 'react';
import { RepoInsightError } from '../../api/generated/client.js';
import { Icon } from './icon.js';
import styles from './result.module.css';

export interface ResultErrorProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** Shown below the message, such as links to other pages. */
  readonly children?: ReactNode;
}

/** Shows why a request failed, what the reader can do, and the id of the request for the operator. */
export function ResultError({ error, onRetry, children }: ResultErrorProps) {
  const { title, advice } = textsOf(error);
  const problem = error instanceof RepoInsightError ? error : undefined;
  const requestId = problem?.problem?.request_id;
  return (
    <div role="alert" className={styles.failure}>
      <Icon name="warning" />
      <div>
        <strong>{title}</strong>
        <p>{error instanceof Error ? error.message : String(error)}</p>
        {advice !== undefined && <p>{advice}</p>}
        {children}
        {onRetry !== undefined && <RetryButton wait={problem?.retryAfterSeconds ?? 0} onRetry={onRetry} />}
        {requestId !== undefined && (
          <p className={styles.soft}>
            {problem?.code} · request {requestId}
          </p>
        )}
      </div>
    </div>
  );
}

/** The button is disabled as long as the service asks to wait. */
function RetryButton({ wait, onRetry }: { readonly wait: number; readonly onRetry: () => void }) {
  const left = useCountdown(wait);
  return (
    <button type="button" disabled={left > 0} onClick={onRetry}>
      {left > 0 ? `Try again in ${left} s` : 'Try again'}
    </button>
  );
}

function useCountdown(seconds: number): number {
  const [end, setEnd] = useState(() => Date.now() + seconds * 1000);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setEnd(Date.now() + seconds * 1000);
    setNow(Date.now());
  }, [seconds]);
  const left = Math.max(0, Math.ceil((end - now) / 1000));
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isOver]);
  return left;
}

interface Texts {
  readonly title: string;
  readonly advice?: string;
}

function textsOf(error: unknown): Texts {
  if (!(error instanceof RepoInsightError)) return { title: 'This page has an error' };
  return TEXTS[error.code] ?? { title: `The request failed (${error.code})` };
}

const TEXTS: Readonly<Record<string, Texts>> = {
  network_error: { title: 'The service cannot be reached', advice: 'Check the connection, then try again.' },
  rate_limited: { title: 'Too many requests', advice: 'The limit per hour protects the service for all callers.' },
  overloaded: { title: 'The service is overloaded', advice: 'Try again in a moment.' },
  database_unavailable: {
    title: 'The database cannot be reached',
    advice: 'There is no stored answer for these values. Answers that were stored are still available.',
  },
  query_timeout: { title: 'The query took too long', advice: 'A shorter range or fewer values can help.' },
  query_failed: { title: 'The query failed', advice: 'The log of the service has the reason.' },
  endpoint_broken: {
    title: 'This endpoint is broken',
    advice: 'Its file has errors, and no earlier version can answer. It works again when the file is correct.',
  },
  query_not_found: { title: 'There is no such endpoint' },
  bad_parameter: { title: 'A parameter has an invalid value' },
};
