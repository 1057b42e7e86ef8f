import type { DocumentFields } from '../source/document-fields.js';

/** The longest time for which definitions store answers. */
const MAX_HOURS = 24;

/** Settings of the other service that have no equivalent, each with the reason. */
const DROPPED: Readonly<Record<string, string>> = {
  cacheProvider: 'the service stores answers in its own cache',
  refreshQueue: 'the service computes no answers in advance',
  onlyFromCache: 'an answer that is not stored is computed',
  persist: 'the service writes no results to tables',
};

/**
 * Converts the cache and schedule settings of a `params.json`. `cacheHours` is how long an answer may be reused. With a schedule,
 * the other service refreshed answers while it served the previous ones; `serve_stale` has the same effect.
 */
export function convertCacheSettings(fields: DocumentFields): Readonly<Record<string, unknown>> {
  for (const [key, reason] of Object.entries(DROPPED)) {
    if (fields.has(key)) fields.change(key, `dropped: ${reason}`);
  }
  const hours = fields.number('cacheHours');
  const schedule = ['refreshCron', 'refreshHours'].find((key) => fields.has(key));
  if (schedule !== undefined) {
    const stale = hours === undefined || hours < 0 ? MAX_HOURS : Math.min(hours, MAX_HOURS);
    fields.change(
      schedule,
      `now serve_stale: ${formatHours(stale)}: the previous answer is served while a new one is computed`,
    );
    return { ...ttlOf(fields, hours), ...(stale > 0 && { serve_stale: formatHours(stale) }) };
  }
  return ttlOf(fields, hours);
}

function ttlOf(fields: DocumentFields, hours: number | undefined): Readonly<Record<string, unknown>> {
  if (hours === undefined || hours === 0) return {};
  if (hours > 0 && hours <= MAX_HOURS) return { cache: { ttl: formatHours(hours) } };
  fields.change(
    'cacheHours',
    `${hours < 0 ? 'unlimited' : `${hours} hours`}: it is now the longest cache.ttl, ${MAX_HOURS}h`,
  );
  return { cache: { ttl: formatHours(MAX_HOURS) } };
}

/** Formats hours as a duration of definitions, in whole units. */
function formatHours(hours: number): string {
  if (Number.isInteger(hours)) return `${hours}h`;
  const minutes = hours * 60;
  return Number.isInteger(minutes) ? `${minutes}m` : `${Math.max(1, Math.round(hours * 3600))}s`;
}
