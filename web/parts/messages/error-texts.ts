import { RepoInsightError } from '../../api/generated/client.js';

export interface ErrorTexts {
  readonly title: string;
  /** What the reader can do about the failure. */
  readonly advice?: string;
}

/** Returns the title of a failure, and advice for the reader. */
export function errorTexts(error: unknown): ErrorTexts {
  if (isLoadFailure(error)) return LOAD_FAILURE;
  if (!(error instanceof RepoInsightError)) return { title: 'This page has an error' };
  return TEXTS[error.code] ?? { title: `The request failed (${error.code})` };
}

const TEXTS: Readonly<Record<string, ErrorTexts>> = {
  network_error: { title: 'The service cannot be reached', advice: 'Check the connection, then try again.' },
  rate_limited: { title: 'Too many requests', advice: 'The limit protects the service for all callers.' },
  overloaded: { title: 'The service is busy', advice: 'Try again in a moment.' },
  database_unavailable: {
    title: 'The database cannot be reached',
    advice: 'There is no stored answer for these values. Answers that are stored are still available.',
  },
  query_timeout: { title: 'The query took too long', advice: 'A shorter range or fewer values can help.' },
  query_failed: { title: 'The query failed', advice: 'The log of the service has the reason.' },
  endpoint_broken: {
    title: 'This endpoint is broken',
    advice: 'Its file has errors, and no earlier version can answer. It works again when the file is correct.',
  },
  query_not_found: { title: 'There is no such endpoint' },
  credential_missing: { title: 'A credential is needed' },
  credential_invalid: { title: 'The credential is not valid' },
  access_denied: { title: 'The credential is not sufficient' },
  too_many_keys: { title: 'Too many API keys' },
  bad_parameter: { title: 'A parameter has an invalid value' },
};

const LOAD_FAILURE: ErrorTexts = {
  title: 'A part of the console could not be loaded',
  advice: 'The service may have a new version, or the connection failed. Load the page again.',
};

/** Whether a file of the console could not be loaded, for example after an update of the service. Each browser has its own message. */
export function isLoadFailure(error: unknown): boolean {
  return error instanceof Error && LOAD_FAILURES.test(error.message);
}

const LOAD_FAILURES = /dynamically imported module|importing a module script|unable to preload css/i;
