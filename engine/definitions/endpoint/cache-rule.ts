import type { DataVersions, VersionState } from '../../databases/interface/data-versions.js';
import type { Endpoint } from './endpoint.js';

/** Whether and how long the answers of an endpoint can be stored. */
export type CacheRule =
  /** Valid while the versions of these tables do not change. */
  | { readonly kind: 'exact'; readonly tables: ReadonlySet<string> }
  /** Valid for a time, because other programs write a table that the queries read. `cache.ttl` declares the time. */
  | { readonly kind: 'timed'; readonly ttlMs: number; readonly tables: ReadonlySet<string> }
  /** Never stored. The reason is for the log, `endpoint check` and `Cache-Status`. */
  | { readonly kind: 'never'; readonly reason: string };

/** Creates the function that returns the cache rule of an endpoint. The function caches each rule until the versions change. */
export function createCacheRules(versions: DataVersions | undefined): (endpoint: Endpoint) => CacheRule {
  const rules = new WeakMap<
    Endpoint,
    { readonly tables: VersionState['tables'] | undefined; readonly rule: CacheRule }
  >();
  return (endpoint) => {
    const tables = versions?.known?.tables;
    const known = rules.get(endpoint);
    if (known !== undefined && known.tables === tables) return known.rule;
    const rule = cacheRuleOf(endpoint, tables && ((table) => tables.has(table)));
    rules.set(endpoint, { tables, rule });
    return rule;
  };
}

/**
 * Returns whether and how long the answers of an endpoint can be stored. `isVersioned` returns whether a table has
 * versions; it is undefined if no versions are known.
 */
export function cacheRuleOf(
  { tables, clock, definition }: Pick<Endpoint, 'tables' | 'clock' | 'definition'>,
  isVersioned: ((table: string) => boolean) | undefined,
): CacheRule {
  if (clock === 'second') {
    return { kind: 'never', reason: 'it uses the second of {{ now }}; use {{ hour }} or {{ today }}' };
  }
  const unknown = isVersioned === undefined ? [...tables] : [...tables].filter((table) => !isVersioned(table));
  if (isVersioned !== undefined && unknown.length === 0) return { kind: 'exact', tables };
  const { cacheTtlMs: ttlMs } = definition;
  if (ttlMs !== undefined) return { kind: 'timed', ttlMs, tables: tablesWithout(tables, unknown) };
  if (isVersioned === undefined) return { kind: 'never', reason: 'the versions of the tables are unknown' };
  const names = unknown.sort().join(', ');
  return { kind: 'never', reason: `other programs can write ${names}; declare how long an answer is valid: cache.ttl` };
}

function tablesWithout(tables: ReadonlySet<string>, others: readonly string[]): ReadonlySet<string> {
  return new Set([...tables].filter((table) => !others.includes(table)));
}
