import type { Settings } from './settings/settings.js';

/** Returns a clock. The clock returns the current time, or always the time of `NOW` if `NOW` is set. */
export function clockOf({ now }: Pick<Settings, 'now'>): () => Date {
  if (now === undefined) return () => new Date();
  const moment = Date.parse(now);
  return () => new Date(moment);
}

/** The time of the system, which `NOW` does not fix. */
export const readSystemTime = () => new Date();
