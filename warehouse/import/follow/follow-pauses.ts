import { setTimeout as pause } from 'node:timers/promises';
import { HOUR_MS } from '../files/archive-hours.js';
import { endedHours } from './follow-progress.js';
import type { Pauses } from './retry-schedule.js';

const MINUTE_MS = 60_000;
const LOOK_MS = 5 * MINUTE_MS;
/** An hour is requested after its end plus a random time up to this value. */
const JITTER_MS = MINUTE_MS;

/** The pauses of a follower: `STANDBY` while another process imports or downloads, and `ERROR` after an error. */
export const STANDBY: Pauses = { firstMs: 5_000, factor: 1.2, lastMs: 30_000 };
export const ERROR: Pauses = { firstMs: 5_000, factor: 2, lastMs: 5 * MINUTE_MS };

/** Returns the milliseconds until the current hour has ended and can be requested. */
export function untilNextHour(now: Date, pauseScale: number): number {
  return (endedHours(now) + 1) * HOUR_MS - now.getTime() + Math.random() * JITTER_MS * pauseScale;
}

/**
 * Waits for this time, but at most a few minutes, or until the signal aborts. The maximum exists because other processes import hours too,
 * and the clock can change.
 */
export async function waitAtMost(ms: number, signal: AbortSignal): Promise<void> {
  await pause(Math.min(ms, LOOK_MS), undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
