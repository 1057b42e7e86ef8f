import type { Deadline } from '../engine/index.js';

/**
 * Waits for `work`. From the moment the deadline stops it, calls `interrupt` every 10 ms until `work` settles: a query that
 * still waits for a thread forgets an interrupt when it starts, so one call is not enough.
 */
export async function interruptAtDeadline<T>(work: Promise<T>, deadline: Deadline, interrupt: () => void): Promise<T> {
  let repeat: NodeJS.Timeout | undefined;
  const removeListener = deadline.onStop(() => {
    interrupt();
    repeat = setInterval(interrupt, INTERRUPT_EVERY_MS);
  });
  try {
    return await work;
  } finally {
    removeListener();
    clearInterval(repeat);
  }
}

const INTERRUPT_EVERY_MS = 10;
