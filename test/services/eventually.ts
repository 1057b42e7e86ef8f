import { setTimeout as pause } from 'node:timers/promises';

/**
 * Repeats a check until it returns true. A check that never returns true fails at the limit of the whole run, which no
 * test reaches on a busy machine.
 */
export async function eventually(ask: () => boolean | Promise<boolean>): Promise<void> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  for (let pauseMs = FIRST_PAUSE_MS; !(await ask()); pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    if (limit.aborted) throw new Error(`This check did not succeed within ${LIMIT_MS / 60_000} minutes: ${ask}`);
    await pause(pauseMs);
  }
}

/** The limit of every wait in `npm test`. It is shorter than the time limit of a test in `.mocharc.cjs`. */
export const LIMIT_MS = 5 * 60_000;
/** The pauses grow, because the checks of long waits would otherwise take the time of the processor from what they wait for. */
const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 80;
