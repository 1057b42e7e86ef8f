import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestListener, ServerResponse } from 'node:http';
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { EndedRequest } from '../../engine/http/request-record.js';
import type { EndedQuery } from '../../engine/index.js';

export interface TracingOptions {
  /** The base URL of an OTLP collector, such as `http://127.0.0.1:4318`. */
  readonly endpoint: string;
  /** The name of the database, such as `duckdb`. */
  readonly database: string;
}

/** Time limit for one export. If the collector does not answer in time, its spans are lost. */
const EXPORT_MS = 5_000;
/** Time limit for the export at shutdown, so that a collector cannot delay the stop of the service. */
const FLUSH_MS = 2_000;

/** Sends a span for each request and each query to a collector. Spans are exported in batches, so requests do not wait for them. */
export class Tracing {
  readonly #provider: BasicTracerProvider;
  readonly #tracer: Tracer;
  readonly #database: string;
  /** The trace context of the request that is being processed. */
  readonly #current = new AsyncLocalStorage<Context>();
  readonly #propagator = new W3CTraceContextPropagator();

  constructor({ endpoint, database }: TracingOptions) {
    const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_MS });
    const service = resourceFromAttributes({ 'service.name': 'repo-insight' });
    this.#provider = new BasicTracerProvider({
      // These environment variables override the resource attributes: OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES.
      resource: service.merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: EXPORT_MS })],
    });
    this.#tracer = this.#provider.getTracer('repo-insight');
    this.#database = database;
  }

  /** Runs the listener in the trace of the request: the trace in the header `traceparent`, or a new trace. */
  wrap(listener: RequestListener): RequestListener {
    return (request, response) => {
      const caller = this.#propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
      const span = this.#tracer.startSpan(request.method ?? 'request', { kind: SpanKind.SERVER }, caller);
      const context = trace.setSpan(caller, span);
      spans.set(response, span);
      this.#current.run(context, () => listener(request, response));
    };
  }

  /** Returns the id of the trace of a request. */
  traceIdOf(response: ServerResponse): string | undefined {
    return spans.get(response)?.spanContext().traceId;
  }

  /** Ends the span of a request. */
  endRequest(request: EndedRequest, response: ServerResponse): void {
    const span = spans.get(response);
    if (span === undefined) return;
    const { method, operation, status, sentStatus = status, cache, rows, bytes, code, id } = request;
    if (operation !== undefined) span.updateName(`${method} ${operation}`);
    span.setAttributes({
      'http.request.method': method,
      'http.response.status_code': sentStatus,
      'http.response.size': bytes,
      'repo_insight.request_id': id,
      ...(operation !== undefined && { 'repo_insight.operation': operation }),
      ...(cache !== undefined && { 'repo_insight.cache': cache }),
      ...(rows !== undefined && { 'repo_insight.rows': rows }),
      ...(code !== undefined && { 'error.type': code }),
    });
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }

  /** Adds a span for an ended query to the trace of the request that ran it. Parameter values are not sent. */
  addQuery({ endpoint, rows, waitMs, ms, code }: EndedQuery): void {
    const context = this.#current.getStore();
    if (context === undefined) return;
    const end = Date.now();
    const attributes = {
      'db.system.name': this.#database,
      'db.query.summary': endpoint,
      'db.response.returned_rows': rows,
      'repo_insight.wait_ms': waitMs,
      ...(code !== undefined && { 'error.type': code }),
    };
    const span = this.#tracer.startSpan(
      `query ${endpoint}`,
      { kind: SpanKind.CLIENT, startTime: end - ms, attributes },
      context,
    );
    if (code !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(end);
  }

  /** At shutdown, exports the last spans within a time limit. */
  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FLUSH_MS);
    });
    await Promise.race([this.#provider.shutdown().catch(() => undefined), limit]);
    clearTimeout(timer);
  }
}

/** The spans of requests in progress. */
const spans = new WeakMap<ServerResponse, Span>();
