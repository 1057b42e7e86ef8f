import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lowers the priority of this process for the processor, so that other processes run first. On an idle machine it changes
 * nothing. On busy processors the process still gets about a tenth of the time of another one. On Linux the priority
 * belongs to a thread: existing threads must be set one by one, and later ones inherit it.
 */
export function lowerPriority(): void {
  for (const thread of threads()) {
    try {
      // The administrator can raise a priority, for example that of `nice -n 19`.
      if (getPriority(thread) < LOWER) setPriority(thread, LOWER);
    } catch {
      // The thread has ended, or the system does not allow it. The process also works with the normal priority.
    }
  }
}

const LOWER = constants.priority.PRIORITY_BELOW_NORMAL;
const THREADS = '/proc/self/task';

/** Other systems than Linux have no such folder. There the priority of the process applies to its threads. */
function threads(): number[] {
  try {
    return readdirSync(THREADS).map(Number);
  } catch {
    return [process.pid];
  }
}
