import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  type IPolicy,
  TaskCancelledError,
} from 'cockatiel';
import type { EndpointDefinition } from '../definition/definition.js';
import type { QueryOptions } from '../interface/database.js';
import { Deadline } from '../interface/deadline.js';
import { EngineError, timedOut } from '../interface/errors.js';
import type { Observe } from './events.js';

export interface RowsGuardOptions {
  /** Queries of one endpoint that run at the same time, where its definition does not say. */
  readonly concurrency: number;
  /** Milliseconds since any fixed moment. */
  readonly stopwatch: () => number;
  readonly observe: Observe;
}

/** Asks the database, within the time that is left. The signal aborts when the caller goes away. */
export type Ask<Result> = (options: Pick<QueryOptions, 'timeoutMs' | 'signal'>) => Promise<Result>;

/** Lets a query of an endpoint through to the database, or refuses it; see `createRowsGuard`. */
export type RowsGuard = <Result>(
  definition: EndpointDefinition,
  signal: AbortSignal | undefined,
  ask: Ask<Result>,
) => Promise<Result>;

/**
 * Keeps one slow endpoint from taking the database from the others, and a database that is away from keeping callers
 * waiting: each endpoint has a number of queries that run at a time, and a time within which each caller has an answer,
 * waiting included. While the database is away it is asked once a second and callers are refused at once.
 */
export function createRowsGuard({ concurrency, stopwatch, observe }: RowsGuardOptions): RowsGuard {
  const breaker = circuitBreaker(handleWhen(isUnavailable), {
    halfOpenAfter: ASK_AGAIN_MS,
    breaker: new ConsecutiveBreaker(FAILURES),
  });
  breaker.onBreak((reason) => observe({ kind: 'breaker_opened', cause: 'error' in reason ? reason.error : undefined }));
  breaker.onReset(() => observe({ kind: 'breaker_closed' }));
  const bulkheads = new WeakMap<EndpointDefinition, IPolicy>();

  const bulkheadOf = (definition: EndpointDefinition) => {
    const known = bulkheads.get(definition);
    if (known !== undefined) return known;
    const made = bulkhead(definition.limits.concurrency ?? concurrency, MAX_WAITING);
    bulkheads.set(definition, made);
    return made;
  };

  return async (definition, signal, ask) => {
    const { timeoutMs } = definition.limits;
    const end = stopwatch() + timeoutMs;
    let hasBegun = false;
    const begin = () => {
      const leftMs = Math.ceil(end - stopwatch());
      // Before the breaker, which would take it for an answer of the database.
      if (leftMs < timeoutMs * LEAST_LEFT) throw new TaskCancelledError();
      return breaker.execute(() => {
        hasBegun = true;
        return ask({ timeoutMs: leftMs, signal });
      });
    };
    // The timeout of cockatiel would keep every result in memory until a full collection, by functions that V8 takes for lasting.
    const deadline = new Deadline({ timeoutMs, signal });
    try {
      return await deadline.bound(bulkheadOf(definition).execute(begin, signal));
    } catch (error) {
      throw refusal(error, definition, hasBegun);
    } finally {
      deadline.end();
    }
  };
}

/** How many times in a row the database must be away before it is taken for it. */
const FAILURES = 5;
const ASK_AGAIN_MS = 1000;
/** Requests that may wait for an endpoint; what they cost is a little memory, and they wait no longer than its timeout. */
const MAX_WAITING = 1000;

/** Whoever has less than a tenth of its time left is not begun with: the query would be stopped right away. */
const LEAST_LEFT = 0.1;

/** Only this says that the database is gone; a query that is too slow or wrong says it of the query. */
function isUnavailable(error: Error): boolean {
  return error instanceof EngineError && error.code === 'database_unavailable';
}

function refusal(error: unknown, { name, limits }: EndpointDefinition, hasBegun: boolean): unknown {
  if (error instanceof BrokenCircuitError) {
    return new EngineError('database_unavailable', 'The database is not reachable; it is asked again every second.');
  }
  if (error instanceof BulkheadRejectedError) {
    return new EngineError('overloaded', `Too many requests wait for ${name} already.`);
  }
  const isLate =
    error instanceof TaskCancelledError || (error instanceof EngineError && error.code === 'query_timeout');
  if (!isLate) return error;
  // A query that had waited was given less than the whole time.
  if (hasBegun) return timedOut(limits.timeoutMs);
  return new EngineError(
    'overloaded',
    `No turn came for ${name} within ${limits.timeoutMs} ms: it is asked too often.`,
  );
}
