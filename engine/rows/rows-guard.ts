import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  type IPolicy,
  TaskCancelledError,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel';
import type { QueryOptions } from '../database.js';
import type { EndpointDefinition } from '../definition/definition.js';
import { EngineError } from '../errors.js';
import type { Observe } from '../events.js';

export interface RowsGuardOptions {
  /** Queries of one endpoint that run at the same time, where its definition does not say. */
  readonly concurrency: number;
  readonly observe: Observe;
}

/** Asks the database. The signal aborts when the caller goes away or the time is over. */
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
export function createRowsGuard({ concurrency, observe }: RowsGuardOptions): RowsGuard {
  const breaker = circuitBreaker(handleWhen(isUnavailable), {
    halfOpenAfter: ASK_AGAIN_MS,
    breaker: new ConsecutiveBreaker(FAILURES),
  });
  breaker.onBreak((reason) => observe({ kind: 'breaker_opened', cause: 'error' in reason ? reason.error : undefined }));
  breaker.onReset(() => observe({ kind: 'breaker_closed' }));
  const policies = new WeakMap<EndpointDefinition, IPolicy>();

  const policyOf = (definition: EndpointDefinition) => {
    const known = policies.get(definition);
    if (known !== undefined) return known;
    const { timeoutMs, concurrency: own = concurrency } = definition.limits;
    const deadline = timeout(timeoutMs, { strategy: TimeoutStrategy.Aggressive, abortOnReturn: false });
    const policy = wrap(deadline, bulkhead(own, MAX_WAITING), breaker);
    policies.set(definition, policy);
    return policy;
  };

  return async (definition, signal, ask) => {
    const { timeoutMs } = definition.limits;
    let hasBegun = false;
    try {
      return await policyOf(definition).execute((context) => {
        hasBegun = true;
        return ask({ timeoutMs, signal: context.signal });
      }, signal);
    } catch (error) {
      throw refusal(error, definition, hasBegun, signal?.aborted === true);
    }
  };
}

/** How many times in a row the database must be away before it is taken for it. */
const FAILURES = 5;
const ASK_AGAIN_MS = 1000;
/** Requests that may wait for an endpoint; what they cost is a little memory, and they wait no longer than its timeout. */
const MAX_WAITING = 1000;

/** Only this says that the database is gone; a query that is too slow or wrong says it of the query. */
function isUnavailable(error: Error): boolean {
  return error instanceof EngineError && error.code === 'database_unavailable';
}

function refusal(error: unknown, { name, limits }: EndpointDefinition, hasBegun: boolean, isAborted: boolean): unknown {
  if (error instanceof BrokenCircuitError) {
    return new EngineError('database_unavailable', 'The database is not reachable; it is asked again every second.');
  }
  if (error instanceof BulkheadRejectedError) {
    return new EngineError('overloaded', `Too many requests wait for ${name} already.`);
  }
  if (!(error instanceof TaskCancelledError)) return error;
  if (isAborted) return new EngineError('query_cancelled', 'The query was cancelled because its caller went away.');
  if (hasBegun) return timedOut(limits.timeoutMs);
  return new EngineError(
    'overloaded',
    `No turn came for ${name} within ${limits.timeoutMs} ms: it is asked too often.`,
  );
}

function timedOut(timeoutMs: number): EngineError {
  return new EngineError('query_timeout', `The query was stopped after ${timeoutMs} ms, the time it is allowed.`);
}
