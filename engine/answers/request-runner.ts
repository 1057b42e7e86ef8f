import { Deadline } from '../databases/interface/deadline.js';
import { EngineError } from '../databases/interface/errors.js';
import { type BrokenEndpoint, brokenEndpointError } from '../definitions/endpoint/broken-endpoint.js';
import type { Endpoint } from '../definitions/endpoint/endpoint.js';
import type { Observe } from './queries/events.js';
import type { RequestTimes } from './read-answer.js';

export interface RunOptions {
  /** If this signal is aborted, the database stops the query, and the run fails with `query_cancelled`. */
  readonly signal?: AbortSignal;
  /**
   * The use of the answer. Default: a client waits for it. Answers for the cache or for a comparison are not reported
   * to the observer, which would count them as requests. For a comparison, a candidate that fails is not replaced by
   * its stable version, and no listener gets the answer.
   */
  readonly purpose?: 'cache' | 'comparison' | undefined;
  /** The id of the request, which events for the observer contain. */
  readonly requestId?: string | undefined;
}

/** Runs `work` with the times of the request. Converts every failure to an `EngineError` and reports it. */
export type RequestRunner = <Result>(
  endpoint: Endpoint,
  options: RunOptions,
  work: (times: RequestTimes) => Promise<Result>,
) => Promise<Result>;

export interface RequestRunnerParts {
  readonly clock: () => Date;
  readonly stopwatch: () => number;
  readonly observe: Observe;
  /** Returns the problems of an endpoint that cannot be served; undefined if it can. */
  readonly brokenOf: (endpoint: Endpoint) => BrokenEndpoint | undefined;
}

export function createRequestRunner({ clock, stopwatch, observe, brokenOf }: RequestRunnerParts): RequestRunner {
  return async (endpoint, { signal, requestId }, work) => {
    const { name, limits } = endpoint.definition;
    const started = stopwatch();
    const deadline = new Deadline({ timeoutMs: limits.timeoutMs, signal });
    try {
      const broken = brokenOf(endpoint);
      if (broken !== undefined) throw brokenEndpointError(broken);
      return await work({ startedAt: clock(), started, deadline, requestId });
    } catch (thrown) {
      const error = asEngineError(thrown);
      const cause = error.details.cause ?? error;
      observe({ kind: 'failed', endpoint: name, code: error.code, ms: stopwatch() - started, cause });
      throw error;
    } finally {
      deadline.end();
    }
  };
}

/** Converts errors of drivers. The caller gets a fixed message; only the log gets the cause. */
function asEngineError(cause: unknown): EngineError {
  if (cause instanceof EngineError) return cause;
  return new EngineError('query_failed', 'The query failed. The log contains the reason under the request id.', {
    cause,
  });
}
