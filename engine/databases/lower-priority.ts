import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lowers the CPU priority of this process, so that other processes run first. On an idle machine this changes nothing.
 * On a busy CPU, this process still gets about a tenth of the time of another process. On Linux, each thread has a
 * priority: it must be set for each existing thread, and new threads inherit it.
 */
export function lowerPriority(): void {
  for (const thread of threads()) {
    try {
      // Only administrators may raise a priority, so an even lower one, such as that of `nice -n 19`, is kept.
      if (getPriority(thread) < LOWER) setPriority(thread, LOWER);
    } catch {
      // The thread has ended, or the system does not allow the change. The process also works with the normal priority.
    }
  }
}

const LOWER = constants.priority.PRIORITY_BELOW_NORMAL;
const THREADS = '/proc/self/task';

/** Lists the threads of this process on Linux. On other systems, the priority of the process applies to all its threads. */
function threads(): number[] {
  try {
    return readdirSync(THREADS).map(Number);
  } catch {
    return [process.pid];
  }
}
