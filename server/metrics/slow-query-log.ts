import type { Logger } from 'pino';
import { type EndedQuery, withoutCaller } from '../../engine/index.js';
import { maskTarget } from '../logging/mask-secrets.js';
import { OperationTable } from './counts.js';

/** Each definition logs at most one slow query per interval, so that an overload does not fill the log. */
const EVERY_MS = 10_000;
/** Longer parameters are truncated. */
const MAX_LENGTH = 2_000;

/**
 * Creates the function that logs a slow query. A line also contains the number of slow queries of the definition that were not logged since
 * the last line.
 */
export function createSlowQueryLog(
  logger: Logger,
  isKnown: (definition: string) => boolean,
  now: () => number = performance.now.bind(performance),
): (query: EndedQuery) => void {
  const lines = new OperationTable(() => ({ lastAt: -Infinity, omitted: 0 }), isKnown);
  return ({ endpoint, requestId, parameters, rows, waitMs, ms, code }) => {
    const line = lines.get(endpoint);
    if (now() - line.lastAt < EVERY_MS) {
      line.omitted += 1;
      return;
    }
    const facts = { operation: endpoint, parameters: parameters && writeParameters(parameters), rows, code, requestId };
    logger.warn(
      { ...facts, databaseMs: Math.round(ms), waitMs: Math.round(waitMs), omitted: line.omitted },
      'a query was slow',
    );
    line.lastAt = now();
    line.omitted = 0;
  };
}

/** Writes parameters like a query string, so that the same function masks their secrets. */
function writeParameters(parameters: NonNullable<EndedQuery['parameters']>): string {
  const pairs = Object.entries(withoutCaller(parameters))
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${String(value).slice(0, MAX_LENGTH)}`);
  return maskTarget(`?${pairs.join('&')}`).slice(1, MAX_LENGTH);
}
