import { type TimeLimit, withDeadline } from '../../engine/index.js';

/**
 * Runs work that should stop when its signal aborts. Throws `query_timeout` after the time limit and `query_cancelled` when the caller
 * disconnects, even if the work does not stop.
 */
export function runWithin<T>(limit: TimeLimit, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return withDeadline(limit, (deadline) => {
    const stopping = new AbortController();
    deadline.onStop((reason) => stopping.abort(reason));
    return deadline.bound(work(stopping.signal));
  });
}
