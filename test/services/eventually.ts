import { setTimeout as pause } from 'node:timers/promises';

/** Asks again and again until the answer is true; throws when it has not become so in time. */
export async function eventually(withinMs: number, ask: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await ask())) {
    if (performance.now() > end) throw new Error(`This has not become true within ${withinMs} ms: ${ask}`);
    await pause(ASK_EVERY_MS);
  }
}

const ASK_EVERY_MS = 5;
