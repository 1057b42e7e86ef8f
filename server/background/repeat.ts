import { TaskCancelledError, TimeoutStrategy, timeout } from 'cockatiel';
import type { Logger } from 'pino';
import { singleFlight } from '../../engine/index.js';

export interface RepeatedWork {
  /**
   * Runs the work now. If the work is already running, waits for this run instead. Resolves when the run has ended, even if it failed:
   * failures are only logged.
   */
  now(): Promise<void>;
  /** Prevents further runs. Resolves when the current run has ended. */
  stop(): Promise<void>;
}

/**
 * Runs the work every `everyMs`, but never twice at the same time. A failed run is logged, and the work runs again at
 * the next interval. The first run is after `firstMs`.
 */
export function repeat(
  name: string,
  everyMs: number,
  work: () => Promise<void>,
  logger: Logger,
  firstMs = everyMs,
): RepeatedWork {
  const run = singleFlight(() => work().catch((error: unknown) => logger.error({ err: error }, `${name} failed`)));
  let last = Promise.resolve();
  const now = () => {
    last = run();
    return last;
  };
  let timer = setTimeout(() => {
    timer = setInterval(now, everyMs);
    void now();
  }, firstMs);
  return {
    now,
    stop: () => {
      clearTimeout(timer);
      return last;
    },
  };
}

/** Whether the work takes longer than the time limit, so that a stalled database cannot block the start or the stop of the service. */
export async function isLate(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  try {
    await timeout(timeoutMs, TimeoutStrategy.Aggressive).execute(() => work);
    return false;
  } catch (error) {
    if (error instanceof TaskCancelledError) return true;
    throw error;
  }
}
