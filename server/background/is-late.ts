import { TaskCancelledError, TimeoutStrategy, timeout } from 'cockatiel';

/**
 * Whether the work takes longer than the time limit. The limit prevents that a stalled database blocks the start or the
 * stop.
 */
export async function isLate(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  try {
    await timeout(timeoutMs, TimeoutStrategy.Aggressive).execute(() => work);
    return false;
  } catch (error) {
    if (error instanceof TaskCancelledError) return true;
    throw error;
  }
}
