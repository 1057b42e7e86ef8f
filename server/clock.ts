import type { Settings } from './settings/settings.js';

/** A clock that returns the current time, or always the time of `NOW` if that is set. */
export function clockOf({ now }: Pick<Settings, 'now'>): () => Date {
  if (now === undefined) return () => new Date();
  const moment = Date.parse(now);
  return () => new Date(moment);
}
