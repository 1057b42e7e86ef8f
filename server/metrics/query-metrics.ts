import type { SlowDefinition } from '../../app-routes/console/operator-status.js';
import type { EndedQuery, EngineEvent, QueryLoad } from '../../engine/index.js';
import { BucketCounts } from './bucket-counts.js';
import { type Family, single } from './family.js';
import { OperationTable } from './operation-table.js';

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
