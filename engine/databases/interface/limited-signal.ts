/** A signal that aborts with one of several signals or after a time limit. Call `end` when the signal is no longer needed. */
export interface LimitedSignal {
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * Combines signals and a time limit. It replaces `AbortSignal.any` and `AbortSignal.timeout`: in Node 20, a signal of
 * `AbortSignal.any` can lose its sources to the garbage collector, and then never aborts.
 */
export function limitSignal(sources: readonly AbortSignal[], timeoutMs?: number): LimitedSignal {
  const controller = new AbortController();
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => controller.abort(timeoutReason()), timeoutMs);
  const removals = sources.map((source) => {
    const abort = () => controller.abort(source.reason);
    if (source.aborted) abort();
    else source.addEventListener('abort', abort, { once: true });
    return () => source.removeEventListener('abort', abort);
  });
  const end = () => {
    clearTimeout(timer);
    for (const remove of removals) remove();
  };
  return { signal: controller.signal, end };
}

function timeoutReason(): DOMException {
  return new DOMException('The time limit was reached.', 'TimeoutError');
}
