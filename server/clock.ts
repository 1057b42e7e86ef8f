import type { Settings } from './settings/settings.js';

/** Returns a clock. The clock returns the time of the system, or always the time of `NOW` if `NOW` is set. */
export function clockOf({ now }: Pick<Settings, 'now'>, systemClock: () => Date = readSystemTime): () => Date {
  if (now === undefined) return systemClock;
  const moment = Date.parse(now);
  return () => new Date(moment);
}

/** The time of the system, which `NOW` does not fix. */
export const readSystemTime = () => new Date();
