import type { EndedRequest } from '../../engine/http/request-record.js';
import { BucketCounts } from './bucket-counts.js';
import type { Family, Labels } from './family.js';
import { OperationTable } from './operation-table.js';

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
