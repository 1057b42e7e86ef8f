import { setTimeout as pause } from 'node:timers/promises';

/**
 * Repeats a check until it returns true. A check that never returns true fails at the limit of the whole run, which no
 * test reaches on a busy machine.
 */
export async function eventually(ask: () => boolean | Promise<boolean>): Promise<void> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  while (!(await ask())) {
    if (limit.aborted) throw new Error(`This check did not succeed within ${LIMIT_MS / 60_000} minutes: ${ask}`);
    await pause(ASK_EVERY_MS);
  }
}

/** The limit of every wait in `npm test`. It is shorter than the time limit of a test in `.mocharc.cjs`. */
export const LIMIT_MS = 5 * 60_000;
const ASK_EVERY_MS = 5;
