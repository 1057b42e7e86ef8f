import { setTimeout as pause } from 'node:timers/promises';

/** Repeats a check until it returns true. The wait fails after `LIMIT_MS`, which is so long that it is not reached on a busy machine. */
export async function eventually(ask: () => boolean | Promise<boolean>): Promise<void> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  for (let pauseMs = FIRST_PAUSE_MS; !(await ask()); pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    if (limit.aborted) throw new Error(`This check did not succeed within ${LIMIT_MS / 60_000} minutes: ${ask}`);
    await pause(pauseMs);
  }
}

/** The time limit of every wait in `npm test`. The limit is shorter than the time limit of a test in `.mocharc.cjs`. */
export const LIMIT_MS = 5 * 60_000;
/** The first pause between two checks. The pauses grow, so that the checks of a long wait do not take CPU time from the awaited work. */
const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 80;
