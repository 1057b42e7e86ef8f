import { setTimeout as delay } from 'node:timers/promises';
import type { CallOptions } from './github-client.js';
import { GitHubError } from './github-error.js';

export interface WaitOptions {
  /** Whether to wait when a rate limit is reached or GitHub fails. If false, the first failure is thrown. */
  readonly wait: boolean;
  readonly signal: AbortSignal;
  /** Called with a message before each wait. */
  readonly onNotice?: (message: string) => void;
  /** For tests: replaces the real wait. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /**
   * Returns milliseconds since 1970. Used for the time until GitHub's rate limits reset, for which the clock of the data cannot be used,
   * because it may return a fixed time. Default `Date.now`.
   */
  readonly now?: () => number;
}

/** The time limit of each call. The deadline is long, because these calls run in the background. */
const DEADLINE_MS = 30_000;
/** The waits after consecutive failures of GitHub, in milliseconds. After the last one, the error is thrown. */
const WAITS_MS = [5_000, 15_000, 60_000, 120_000, 300_000];

/**
 * Retries a call to GitHub after temporary failures: after the reset of a rate limit, and up to five times after other failures. Throws
 * other errors of the call, and the reason of the signal.
 */
export async function callWithWaits<Reply>(
  call: (options: CallOptions) => Promise<Reply>,
  options: WaitOptions,
): Promise<Reply> {
  const { signal } = options;
  for (let failures = 0; ; ) {
    signal.throwIfAborted();
    try {
      return await call({ deadlineMs: DEADLINE_MS, signal });
    } catch (error) {
      if (signal.aborted || !(error instanceof GitHubError)) throw error;
      await waitAfter(error, failures, options);
      if (error.failure !== 'rate-limited') failures++;
    }
  }
}

/** Waits if the failure is temporary and waiting is allowed; otherwise throws the error. */
async function waitAfter(error: GitHubError, failures: number, options: WaitOptions): Promise<void> {
  const { wait, signal, onNotice, pause = pauseFor, now = Date.now } = options;
  // GitHub's clock may be a little behind the clock of this machine, so a second is added.
  const ms = error.retryAt === undefined ? WAITS_MS[failures] : Math.max(0, error.retryAt.getTime() - now()) + 1_000;
  const isTemporary = error.failure !== 'unauthorized' && error.failure !== 'declined';
  if (!wait || !isTemporary || ms === undefined) throw error;
  onNotice?.(`${error.message} Waiting ${Math.ceil(ms / 1000)} s.`);
  await pause(ms, signal);
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal });
}
