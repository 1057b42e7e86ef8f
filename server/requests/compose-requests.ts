import type { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import proxyAddress from 'proxy-addr';
import { canCompress } from '../../engine/http/cache/send-answer.js';
import type { DefinitionParts } from '../../engine/http/definitions/answer-definitions.js';
import { CONTENT_TYPES } from '../../engine/http/formats/format.js';
import type { Operation } from '../../engine/http/operations/operation.js';
import type { RequestFollower } from '../../engine/http/request-record.js';
import type { Engine } from '../../engine/index.js';
import { createRequestLog } from '../logging/request-line.js';
import type { Tracing } from '../logging/tracing.js';
import type { Metrics } from '../metrics/metrics.js';
import { RequestMetrics } from '../metrics/request-metrics.js';
import { knowsDefinition } from '../metrics/service-families.js';
import type { Settings } from '../settings/settings.js';
import { observeRequests } from './observe-requests.js';

export interface RequestParts {
  readonly engine: Pick<Engine, 'endpoints' | 'broken'>;
  readonly operations: readonly Pick<Operation, 'id'>[];
  readonly metrics: Metrics;
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
  metrics.add(counts.families());
  return observeRequests({
    traceIdOf: (response) => tracing?.traceIdOf(response),
    onBegin: () => counts.begin(),
    onEnd: (request, response) => {
      counts.end(request);
      tracing?.endRequest(request, response);
      log(request);
    },
    onSent: (request, response) => {
      counts.countSoon(request);
      tracing?.endRequest(request, response);
      log(request);
    },
  });
}

/**
 * Creates the function that reads the address of the client. The function uses the same package as express, so both trust the same proxies.
 */
export function createAddressReader({
  trustedProxies,
}: Pick<Settings, 'trustedProxies'>): DefinitionParts['addressOf'] {
  if (trustedProxies === undefined) return ({ socket }) => socket.remoteAddress;
  const isTrusted = proxyAddress.compile(trustedProxies.split(','));
  return (request) =>
    request.headers['x-forwarded-for'] === undefined ? request.socket.remoteAddress : proxyAddress(request, isTrusted);
}

/** The media types of rows. The package does not know that some of these can be compressed. */
const ROW_TYPES = new Set(Object.values(CONTENT_TYPES));

/** Compresses a response if its media type is compressible and its body is not encoded yet. */
export const compressResponses = compression({
  filter: (request, response) =>
    canCompress(response) &&
    (ROW_TYPES.has(String(response.getHeader('Content-Type'))) || compression.filter(request, response)),
});

/** Like `compressResponses`, for a response that express does not handle. The package uses no function of express. */
export function compressPlain(request: IncomingMessage, response: ServerResponse): void {
  compressResponses(request as Request, response as Response, () => undefined);
}
