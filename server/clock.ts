import type { Settings } from './settings/settings.js';

/** The time of day, or the moment that `NOW` fixes. */
export function clockOf({ now }: Pick<Settings, 'now'>): () => Date {
  if (now === undefined) return () => new Date();
  const moment = Date.parse(now);
  return () => new Date(moment);
}
