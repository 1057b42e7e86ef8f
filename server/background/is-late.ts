import { TaskCancelledError, TimeoutStrategy, timeout } from 'cockatiel';

/** Whether the work takes longer than the time limit, so that a stalled database cannot block the start or the stop of the service. */
export async function isLate(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  try {
    await timeout(timeoutMs, TimeoutStrategy.Aggressive).execute(() => work);
    return false;
  } catch (error) {
    if (error instanceof TaskCancelledError) return true;
    throw error;
  }
}
