import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhen, TaskCancelledError } from 'cockatiel';
import type { Database } from '../../databases/interface/database.js';
import type { Deadline } from '../../databases/interface/deadline.js';
import { EngineError, timeoutError } from '../../databases/interface/errors.js';
import type { EndpointDefinition } from '../../definitions/definition.js';
import type { ParameterValues } from '../../definitions/parameters/parameter-values.js';
import type { EndedQuery, Observe, QueryLoad } from './events.js';
import type { PassedRows } from './passed-rows.js';
import { Slots } from './slots.js';
import { slowAtLimit } from './stalled-streams.js';

export interface QueryRunnerOptions {
  /** The maximum number of concurrent queries of one endpoint, unless its definition sets a number. */
  readonly concurrency: number;
  readonly observe: Observe;
  /** The time until the next query while the database is unavailable. Default: a second. */
  readonly retryMs?: number;
}

export type QueryTimes = Pick<EndedQuery, 'waitMs' | 'ms'>;

/** The facts about a query that are reported to the observer. */
export interface QuerySource<Result> {
  readonly parameters?: ParameterValues | undefined;
  readonly requestId?: string | undefined;
  /** The number of rows of a result. */
  readonly rowsOf?: (result: Result) => number;
  /** The number of rows that a streaming query has passed on so far, and how long it waited for the receiver. */
  readonly passed?: Pick<PassedRows, 'rows' | 'receiverMs' | 'waitingMs'>;
  /** Called with the times of the query when it has ended or failed. */
  readonly onEnd?: (times: QueryTimes) => void;
}

export interface QueryRunner {
  /** Runs a query of an endpoint, or rejects it. See `createQueryRunner`. */
  run<Result>(
    definition: EndpointDefinition,
    deadline: Deadline,
    query: () => Promise<Result>,
    source?: QuerySource<Result>,
  ): Promise<Result>;
  readonly load: QueryLoad;
  /** Returns the number of queries of an endpoint that wait because of its concurrency limit. */
  waiting(definition: EndpointDefinition): number;
}

/**
 * Returns the number of connections that one endpoint can use. The number is two thirds of all connections, so that a
 * slow endpoint leaves some connections for other endpoints.
 */
export function shareOf({ concurrency }: Pick<Database, 'concurrency'>): number {
  return Math.max(1, Math.min(Math.ceil((concurrency * 2) / 3), concurrency - 1));
}

/**
 * Protects the database and its callers. Each endpoint has a limit of concurrent queries, so that a slow endpoint leaves connections for
 * all other endpoints. Each caller gets an answer or an error before its deadline; the time in the queue counts too. While the database is
 * unavailable, a circuit breaker rejects queries immediately and tries one query per second.
 */
export function createQueryRunner({ concurrency, observe, retryMs = RETRY_MS }: QueryRunnerOptions): QueryRunner {
  const breaker = circuitBreaker(handleWhen(isUnavailable), {
    halfOpenAfter: retryMs,
    breaker: new ConsecutiveBreaker(MAX_FAILURES),
  });
  breaker.onBreak((reason) => observe({ kind: 'breaker_opened', cause: 'error' in reason ? reason.error : undefined }));
  breaker.onReset(() => observe({ kind: 'breaker_closed' }));
  const slots = new WeakMap<EndpointDefinition, Slots>();

  const slotsOf = (definition: EndpointDefinition) => {
    const known = slots.get(definition);
    if (known !== undefined) return known;
    const created = new Slots({
      count: definition.limits.concurrency ?? concurrency,
      maxWaiting: MAX_QUEUED,
      onFull: () => new EngineError('overloaded', `Too many requests are waiting for ${definition.name}.`),
    });
    slots.set(definition, created);
    return created;
  };

  const load = { waiting: 0, running: 0 };
  const run: QueryRunner['run'] = async (definition, deadline, query, source = {}) => {
    const timing = new QueryTiming(load);
    const start = async () => {
      // This check runs outside of the circuit breaker, which would count its error as a response of the database.
      if (deadline.signal?.aborted || deadline.remainingMs < deadline.timeoutMs * MIN_REMAINING)
        throw new TaskCancelledError();
      return breaker.execute(() => {
        timing.start();
        return query();
      });
    };
    const own = slotsOf(definition);
    const report = (rows: number, code: EndedQuery['code']) => {
      const times = timing.end(source.passed?.receiverMs ?? 0);
      source.onEnd?.(times);
      observe({ ...ended(definition, source), ...times, rows, code });
    };
    try {
      // The timeout policy of cockatiel would keep each result in memory until a full garbage collection.
      const result = await deadline.bound(own.run(deadline, start));
      report(source.passed?.rows ?? source.rowsOf?.(result) ?? 0, undefined);
      return result;
    } catch (thrown) {
      const error = explain(thrown, definition, deadline, { hasStarted: timing.hasStarted, passed: source.passed });
      report(source.passed?.rows ?? 0, error instanceof EngineError ? error.code : 'query_failed');
      throw error;
    }
  };
  return { run, load, waiting: (definition) => slots.get(definition)?.waiting ?? 0 };
}

function ended({ name: endpoint }: EndpointDefinition, { parameters, requestId }: QuerySource<never>) {
  return { kind: 'queried', endpoint, parameters, requestId } as const;
}

/** Measures how long a query waits and runs, and counts it as waiting or running in the load. */
class QueryTiming {
  readonly #load: { waiting: number; running: number };
  readonly #queuedAt = performance.now();
  #startedAt: number | undefined;
  #hasEnded = false;

  constructor(load: { waiting: number; running: number }) {
    this.#load = load;
    load.waiting += 1;
  }

  get hasStarted(): boolean {
    return this.#startedAt !== undefined;
  }

  start(): void {
    this.#startedAt = performance.now();
    // The deadline can already have ended the query while it waited for the breaker.
    if (this.#hasEnded) return;
    this.#load.waiting -= 1;
    this.#load.running += 1;
  }

  end(receiverMs: number): QueryTimes {
    const now = performance.now();
    this.#hasEnded = true;
    this.#load[this.hasStarted ? 'running' : 'waiting'] -= 1;
    const startedAt = this.#startedAt ?? now;
    return { waitMs: startedAt - this.#queuedAt, ms: Math.max(0, now - startedAt - receiverMs) };
  }
}

/** Consecutive failures after which the database counts as unavailable. */
const MAX_FAILURES = 5;
const RETRY_MS = 1000;
/**
 * The maximum number of requests of one endpoint that may wait. A waiting request costs little memory, and its deadline
 * limits the wait.
 */
const MAX_QUEUED = 1000;

/**
 * A queued query does not start if less than this share of its time limit is left, because the deadline would stop it
 * almost immediately.
 */
const MIN_REMAINING = 0.1;

/** If a query times out while its receiver has taken no rows for this time, the error names the slow client as the reason. */
const SLOW_RECEIVER_MS = 1_000;

/** Returns true for errors that open the breaker. Slow or invalid queries do not open it. */
function isUnavailable(error: Error): boolean {
  return error instanceof EngineError && error.code === 'database_unavailable';
}

function explain(
  error: unknown,
  { name }: EndpointDefinition,
  { timeoutMs }: Deadline,
  { hasStarted, passed }: { readonly hasStarted: boolean; readonly passed: QuerySource<never>['passed'] },
): unknown {
  if (error instanceof BrokenCircuitError) {
    return new EngineError('database_unavailable', 'The database is unavailable; the service retries every second.');
  }
  const isLate =
    error instanceof TaskCancelledError || (error instanceof EngineError && error.code === 'query_timeout');
  if (!isLate) return error;
  if (passed !== undefined && passed.waitingMs > SLOW_RECEIVER_MS) return slowAtLimit(timeoutMs);
  if (hasStarted) return timeoutError(timeoutMs);
  return new EngineError(
    'overloaded',
    `The query of ${name} could not start within ${timeoutMs} ms: too many requests are running.`,
  );
}
