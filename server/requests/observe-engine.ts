import type { Logger } from 'pino';
import { type EndedQuery, EngineError, type EngineEvent } from '../../engine/index.js';
import type { VisitCounter } from '../../warehouse/visits.js';
import type { Canaries } from '../live/canaries.js';
import type { Tracing } from '../logging/tracing.js';
import type { QueryMetrics } from '../metrics/request-metrics.js';

interface EngineObservers {
  readonly visits: VisitCounter | undefined;
  readonly canaries: Canaries;
  readonly queries: QueryMetrics;
  /** Logs a slow query. */
  readonly logSlow: (query: EndedQuery) => void;
  readonly tracing: Tracing | undefined;
  /** Returns milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/** Creates the observer of the engine. The observer counts visits and queries, and logs events that no log line of a request contains. */
export function observeEngine(logger: Logger, observers: EngineObservers): (event: EngineEvent) => void {
  const { visits, canaries, queries, logSlow, tracing, now = performance.now.bind(performance) } = observers;
  const logMetadataFailure = createMetadataLog(logger, now);
  return (event) => {
    queries.observe(event);
    if (event.kind === 'queried') {
      tracing?.addQuery(event);
      if (queries.isSlow(event)) logSlow(event);
    }
    if (event.kind === 'answered') {
      const { collection_id: collection } = event.parameters;
      if (typeof collection === 'number') visits?.count(collection);
    }
    if (event.kind === 'metadata_query_failed') logMetadataFailure(event);
    if (event.kind === 'candidate_rejected') canaries.countRejected(event.canary);
    if (event.kind === 'candidate_failed') canaries.countFailed(event.canary, event.cause);
    if (event.kind === 'breaker_opened') logger.error({ err: event.cause }, 'the database is unavailable');
    if (event.kind === 'breaker_closed') logger.info('the database is available again');
  };
}

/** While the database is unavailable, at most one failed metadata query is logged in this time. */
const EVERY_MS = 10_000;

/**
 * Creates the function that logs a failed metadata query. The log is limited because during an outage, every request causes several of
 * these failures.
 */
function createMetadataLog(logger: Logger, now: () => number) {
  let [lastAt, omitted] = [Number.NEGATIVE_INFINITY, 0];
  return ({ cause, ...facts }: Extract<EngineEvent, { kind: 'metadata_query_failed' }>): void => {
    const isOutage = cause instanceof EngineError && cause.code === 'database_unavailable';
    if (isOutage && now() - lastAt < EVERY_MS) {
      omitted += 1;
      return;
    }
    logger.warn({ ...facts, ...(isOutage && { omitted }), err: cause }, 'a metadata query failed');
    if (isOutage) [lastAt, omitted] = [now(), 0];
  };
}
