import type { SlowDefinition } from '../../app-routes/console/operator-status.js';
import type { EndedRequest } from '../../engine/http/request-record.js';
import type { EndedQuery, EngineEvent, QueryLoad } from '../../engine/index.js';
import { BucketCounts, OperationTable } from './counts.js';
import { type Family, type Labels, single } from './family.js';

/** The operation name for requests whose path matches no definition and no operation. */
const OTHER = 'other';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', OTHER] as const;
const METHOD_NUMBERS = new Map<string, number>(METHODS.map((method, number) => [method, number]));
/** The factor of the method in the keys of `answers`. Statuses have three digits. */
const STATUSES = 1_000;
const MAX_UNCOUNTED = 256;

/** The counts of one operation. */
class OperationCounts {
  /** The number of requests by method and status. */
  readonly answers = new Map<number, number>();
  readonly seconds = new BucketCounts();
  bytes = 0;
  rows = 0;
}

/** Counts requests by operation. */
export class RequestMetrics {
  readonly #operations: OperationTable<OperationCounts>;
  #inFlight = 0;
  #uncounted: EndedRequest[] = [];

  constructor(isKnown: (operation: string) => boolean) {
    this.#operations = new OperationTable(
      () => new OperationCounts(),
      (operation) => operation === OTHER || isKnown(operation),
    );
  }

  begin(): void {
    this.#inFlight += 1;
  }

  end(request: EndedRequest): void {
    this.#inFlight -= 1;
    this.#count(request);
  }

  /**
   * Counts a request that was not reported with a begin. The counting is delayed, at most until metrics are read: counting many requests in
   * one loop costs less than counting each of them between other work. The request must not refer to its connection, so that the connection
   * can be freed.
   */
  countSoon(request: EndedRequest): void {
    if (this.#uncounted.push(request) >= MAX_UNCOUNTED) this.#countAll();
  }

  families(): Family[] {
    const operations = () => {
      this.#countAll();
      return this.#operations.entries();
    };
    const byOperation = <T>(read: (counts: OperationCounts) => T) =>
      operations().map(([operation, counts]) => [{ operation }, read(counts)] as const);
    return [
      {
        ...{ name: 'repo_insight_http_requests_total', type: 'counter', labels: ['operation', 'method', 'status'] },
        help: 'Requests by definition or operation, method and status. Status 499: the client disconnected before the end of its answer.',
        samples: () => operations().flatMap(([operation, { answers }]) => answerSamples(operation, answers)),
      },
      {
        ...{ name: 'repo_insight_http_request_duration_seconds', type: 'histogram', labels: ['operation'] },
        help: 'Time from the arrival of a request to the end of its answer.',
        samples: () => byOperation(({ seconds }) => seconds),
      },
      {
        ...{ name: 'repo_insight_http_response_bytes_total', type: 'counter', labels: ['operation'] },
        help: 'Bytes that were sent as answers, with their headers.',
        samples: () => byOperation(({ bytes }) => bytes),
      },
      {
        ...{ name: 'repo_insight_rows_returned_total', type: 'counter', labels: ['operation'] },
        help: 'Rows in answers of definitions.',
        samples: () => byOperation(({ rows }) => rows).filter(([, rows]) => rows > 0),
      },
      {
        ...{ name: 'repo_insight_http_requests_in_flight', type: 'gauge', labels: [] },
        help: 'Requests in progress.',
        samples: () => [[{}, this.#inFlight]],
      },
    ];
  }

  #countAll(): void {
    const requests = this.#uncounted;
    this.#uncounted = [];
    for (const request of requests) this.#count(request);
  }

  #count({ operation = OTHER, method, status, ms, bytes, rows }: EndedRequest): void {
    const counts = this.#operations.get(operation);
    const answer = (METHOD_NUMBERS.get(method) ?? METHODS.length - 1) * STATUSES + status;
    counts.answers.set(answer, (counts.answers.get(answer) ?? 0) + 1);
    counts.seconds.observe(ms / 1_000);
    counts.bytes += bytes;
    if (rows !== undefined) counts.rows += rows;
  }
}

function answerSamples(operation: string, answers: ReadonlyMap<number, number>): (readonly [Labels, number])[] {
  return [...answers].map(([answer, count]) => {
    const method = METHODS[Math.floor(answer / STATUSES)] ?? OTHER;
    return [{ operation, method, status: answer % STATUSES }, count];
  });
}

class QueryCounts {
  readonly seconds = new BucketCounts();
  readonly errors = new Map<string, number>();
  slow = 0;
}

/** Counts the queries of definitions, and the states of the circuit breaker of the database. */
export class QueryMetrics {
  readonly #definitions: OperationTable<QueryCounts>;
  readonly #waits = new BucketCounts();
  readonly #slowMs: number;
  #isBreakerOpen = false;

  /** Queries that take at least `slowMs` count as slow; 0 disables this. */
  constructor(isKnown: (definition: string) => boolean, slowMs: number) {
    this.#definitions = new OperationTable(() => new QueryCounts(), isKnown);
    this.#slowMs = slowMs;
  }

  observe(event: EngineEvent): void {
    if (event.kind === 'queried') this.#count(event);
    else if (event.kind === 'breaker_opened') this.#isBreakerOpen = true;
    else if (event.kind === 'breaker_closed') this.#isBreakerOpen = false;
  }

  isSlow({ ms }: EndedQuery): boolean {
    return this.#slowMs > 0 && ms >= this.#slowMs;
  }

  get isBreakerOpen(): boolean {
    return this.#isBreakerOpen;
  }

  /** Returns the definitions with the slowest queries, slowest first. */
  slowest(limit: number): SlowDefinition[] {
    return this.#definitions
      .entries()
      .map(([operation, { seconds, errors, slow }]) => ({
        operation,
        queries: seconds.count,
        failed: [...errors.values()].reduce((sum, count) => sum + count, 0),
        slow,
        slowestMs: Math.round(seconds.max * 1_000),
        p95Ms: Math.round((seconds.quantile(0.95) ?? 0) * 1_000),
      }))
      .sort((one, other) => other.slowestMs - one.slowestMs)
      .slice(0, limit);
  }

  families(load: () => QueryLoad): Family[] {
    const definitions = () => this.#definitions.entries();
    return [
      {
        ...{ name: 'repo_insight_database_query_duration_seconds', type: 'histogram', labels: ['operation'] },
        help: 'Time that the database needed to run a query of a definition, without the time in the queue.',
        samples: () => definitions().map(([operation, { seconds }]) => [{ operation }, seconds]),
      },
      {
        ...{ name: 'repo_insight_database_query_wait_seconds', type: 'histogram', labels: [] },
        help: 'Time that queries waited in the queue of their definition, because of its limit of concurrent queries.',
        samples: () => [[{}, this.#waits]],
      },
      {
        ...{ name: 'repo_insight_database_query_errors_total', type: 'counter', labels: ['operation', 'code'] },
        help: 'Queries that failed, by error code.',
        samples: () =>
          definitions().flatMap(([operation, { errors }]) =>
            [...errors].map(([code, count]) => [{ operation, code }, count] as const),
          ),
      },
      {
        ...{ name: 'repo_insight_slow_queries_total', type: 'counter', labels: ['operation'] },
        help: 'Queries that took at least the time of SLOW_QUERY_MS.',
        samples: () => definitions().flatMap(([operation, { slow }]) => (slow > 0 ? [[{ operation }, slow]] : [])),
      },
      single(
        {
          ...{ name: 'repo_insight_database_queries_waiting', type: 'gauge' },
          help: 'Queries that wait in the queue of their definition, because of its limit of concurrent queries.',
        },
        () => load().waiting,
      ),
      single(
        {
          name: 'repo_insight_database_queries_running',
          type: 'gauge',
          help: 'Queries of definitions that are running.',
        },
        () => load().running,
      ),
    ];
  }

  #count(query: EndedQuery): void {
    const { endpoint, waitMs, ms, code } = query;
    const counts = this.#definitions.get(endpoint);
    this.#waits.observe(waitMs / 1_000);
    if (ms > 0) counts.seconds.observe(ms / 1_000);
    if (code !== undefined) counts.errors.set(code, (counts.errors.get(code) ?? 0) + 1);
    if (this.isSlow(query)) counts.slow += 1;
  }
}
