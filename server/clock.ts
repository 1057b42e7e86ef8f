import type { Settings } from './settings/settings.js';

/** Returns a clock: the system clock, or, if `NOW` is set, a clock that always returns the time in `NOW`. */
export function clockOf({ now }: Pick<Settings, 'now'>, systemClock: () => Date = readSystemTime): () => Date {
  if (now === undefined) return systemClock;
  const moment = Date.parse(now);
  return () => new Date(moment);
}

/** Reads the system clock, which the setting `NOW` does not change. */
export const readSystemTime = () => new Date();
