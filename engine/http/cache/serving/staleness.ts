import { EngineError } from '../../../databases/interface/errors.js';

const LAST_ANSWER = 'This is the last known answer';

/** The reason why an answer is stale, and the notice about it. */
export interface Staleness {
  readonly reason: 'recomputing' | 'unavailable';
  readonly notice: string;
}

export const RECOMPUTING: Staleness = {
  reason: 'recomputing',
  notice: 'The data have changed. This is the answer before the change; the service is computing the new answer.',
};
/** For an answer of tables without versions: it is unknown whether the data have changed. */
export const REPLACING: Staleness = {
  reason: 'recomputing',
  notice:
    'The lifetime of this answer has ended, so later changes of the data can be missing. The service is computing the new answer.',
};
export const UNCONFIRMED: Staleness = {
  reason: 'unavailable',
  notice: `${LAST_ANSWER}: the database does not answer, so the service cannot check whether its data have changed.`,
};

/** Returns why the last answer is sent instead of an error; undefined if the error must be sent. */
export function stalenessOf(error: unknown): Staleness | undefined {
  const notice = error instanceof EngineError ? FAILURES[error.code] : undefined;
  return notice === undefined ? undefined : { reason: 'unavailable', notice };
}

/** The errors for which the last answer is served instead, each with the notice for this answer. */
const FAILURES: Partial<Record<EngineError['code'], string>> = {
  database_unavailable: `${LAST_ANSWER}: the database is unavailable.`,
  overloaded: `${LAST_ANSWER}: too many requests are waiting for the database.`,
  query_timeout: `${LAST_ANSWER}: the query for a newer answer took too long.`,
};
