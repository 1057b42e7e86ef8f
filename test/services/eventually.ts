import { setTimeout as pause } from 'node:timers/promises';

/** Repeats a check until it returns true. Throws if it does not return true in time. */
export async function eventually(withinMs: number, ask: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await ask())) {
    if (performance.now() > end) throw new Error(`This check did not succeed within ${withinMs} ms: ${ask}`);
    await pause(ASK_EVERY_MS);
  }
}

const ASK_EVERY_MS = 5;
