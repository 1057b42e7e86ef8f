import type { Logger } from 'pino';
import type { EndedQuery, EngineEvent } from '../../engine/index.js';
import type { VisitCounter } from '../../warehouse/visits.js';
import type { Canaries } from '../live/canaries.js';
import type { QueryMetrics } from '../metrics/query-metrics.js';
import type { Tracing } from '../tracing/tracing.js';

export interface EngineObservers {
  readonly visits: VisitCounter | undefined;
  readonly canaries: Canaries;
  readonly queries: QueryMetrics;
  /** Logs a slow query. */
  readonly logSlow: (query: EndedQuery) => void;
  readonly tracing: Tracing | undefined;
}

/**
 * Creates the observer of the engine. It counts visits and queries, and logs events that are not visible in any answer. Failed
 * requests are logged with their answers.
 */
export function observeEngine(logger: Logger, observers: EngineObservers): (event: EngineEvent) => void {
  const { visits, canaries, queries, logSlow, tracing } = observers;
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
    if (event.kind === 'metadata_query_failed') {
      const { cause, ...facts } = event;
      logger.warn({ ...facts, err: cause }, 'a metadata query failed');
    }
    if (event.kind === 'candidate_rejected') canaries.countRejected(event.canary);
    if (event.kind === 'breaker_opened') logger.error({ err: event.cause }, 'the database is unavailable');
    if (event.kind === 'breaker_closed') logger.info('the database is available again');
  };
}
