import type { Logger } from 'pino';
import type { Operation } from '../../engine/http/operations/operation.js';
import type { RequestFollower } from '../../engine/http/request-record.js';
import type { Engine } from '../../engine/index.js';
import { createRequestLog } from '../logging/request-line.js';
import type { Tracing } from '../logging/tracing.js';
import { RequestMetrics } from '../metrics/request-metrics.js';
import { knowsDefinition } from '../metrics/service-families.js';
import type { ServiceMetrics } from '../metrics/service-metrics.js';
import { observeRequests } from './observe-requests.js';

export interface RequestParts {
  readonly engine: Pick<Engine, 'endpoints' | 'broken'>;
  readonly operations: readonly Pick<Operation, 'id'>[];
  readonly metrics: Pick<ServiceMetrics, 'all' | 'keys'>;
  readonly logger: Logger;
  /** Undefined without an exporter of traces. */
  readonly tracing: Tracing | undefined;
}

/** The names, for metrics, of handlers that are not operations: they serve pages, other protocols or metrics. */
export const HANDLERS = ['console', 'mcp', 'metrics', 'reference'] as const;

/** Creates the function that counts and logs every request. */
export function composeRequests({ engine, operations, metrics, logger, tracing }: RequestParts): RequestFollower {
  const fixed = new Set<string>([...HANDLERS, ...operations.map(({ id }) => id)]);
  const isDefinition = knowsDefinition(engine);
  const isKnown = (name: string) => fixed.has(name) || isDefinition(name);
  const counts = new RequestMetrics(isKnown);
  const log = createRequestLog(logger);
  metrics.all.add([...counts.families(), ...metrics.keys.families(isKnown)]);
  return observeRequests({
    traceIdOf: (response) => tracing?.traceIdOf(response),
    onBegin: () => counts.begin(),
    onEnd: (request, response) => {
      counts.end(request);
      metrics.keys.count(request);
      tracing?.endRequest(request, response);
      log(request);
    },
    onSent: (request, response) => {
      counts.countSoon(request);
      metrics.keys.count(request);
      tracing?.endRequest(request, response);
      log(request);
    },
  });
}
