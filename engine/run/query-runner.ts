import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhen, TaskCancelledError } from 'cockatiel';
import type { EndpointDefinition } from '../definition/definition.js';
import type { Deadline } from '../interface/deadline.js';
import { EngineError, timeoutError } from '../interface/errors.js';
import type { Observe } from './events.js';
import { Slots } from './slots.js';

export interface QueryRunnerOptions {
  /** The maximum number of concurrent queries of one endpoint, unless its definition sets a number. */
  readonly concurrency: number;
  readonly observe: Observe;
}

/** Runs a query of an endpoint, or rejects it. See `createQueryRunner`. */
export type QueryRunner = <Result>(
  definition: EndpointDefinition,
  deadline: Deadline,
  query: () => Promise<Result>,
) => Promise<Result>;

/**
 * Protects the database and its callers. Each endpoint has a limit of concurrent queries, so that a slow one leaves connections
 * for the others. Each caller gets an answer or an error before its deadline, including the time in the queue. While the database
 * is unavailable, a circuit breaker rejects queries immediately and tries one query per second.
 */
export function createQueryRunner({ concurrency, observe }: QueryRunnerOptions): QueryRunner {
  const breaker = circuitBreaker(handleWhen(isUnavailable), {
    halfOpenAfter: RETRY_MS,
    breaker: new ConsecutiveBreaker(MAX_FAILURES),
  });
  breaker.onBreak((reason) => observe({ kind: 'breaker_opened', cause: 'error' in reason ? reason.error : undefined }));
  breaker.onReset(() => observe({ kind: 'breaker_closed' }));
  const slots = new WeakMap<EndpointDefinition, Slots>();

  const slotsOf = (definition: EndpointDefinition) => {
    const known = slots.get(definition);
    if (known !== undefined) return known;
    const created = new Slots(definition.limits.concurrency ?? concurrency, MAX_QUEUED);
    slots.set(definition, created);
    return created;
  };

  return async (definition, deadline, query) => {
    let hasStarted = false;
    const start = async () => {
      // This check runs outside of the breaker, because the breaker would count this error as a response of the
      // database.
      if (deadline.signal?.aborted || deadline.remainingMs < deadline.timeoutMs * MIN_REMAINING)
        throw new TaskCancelledError();
      return breaker.execute(() => {
        hasStarted = true;
        return query();
      });
    };
    const own = slotsOf(definition);
    if (own.isFull) throw new EngineError('overloaded', `Too many requests are waiting for ${definition.name}.`);
    try {
      // The timeout policy of cockatiel would keep each result in memory until a full garbage collection.
      return await deadline.bound(own.run(deadline, start));
    } catch (error) {
      throw explain(error, definition.name, deadline.timeoutMs, hasStarted);
    }
  };
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

/** Returns true for errors that open the breaker. Slow or invalid queries do not open it. */
function isUnavailable(error: Error): boolean {
  return error instanceof EngineError && error.code === 'database_unavailable';
}

function explain(error: unknown, name: string, timeoutMs: number, hasStarted: boolean): unknown {
  if (error instanceof BrokenCircuitError) {
    return new EngineError('database_unavailable', 'The database is unavailable; the service retries every second.');
  }
  const isLate =
    error instanceof TaskCancelledError || (error instanceof EngineError && error.code === 'query_timeout');
  if (!isLate) return error;
  if (hasStarted) return timeoutError(timeoutMs);
  return new EngineError(
    'overloaded',
    `The query of ${name} could not start within ${timeoutMs} ms: too many requests are running.`,
  );
}
