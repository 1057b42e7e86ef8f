import { LRUCache } from 'lru-cache';

/**
 * Remembers the result of `load` by its key, for `ttlMs`, and lets callers at the same time share one run. Failures are
 * remembered too, so that a broken source is asked no more often than a working one. Keys may come from callers, so their
 * number is bounded.
 */
export function createMemo<Value>(ttlMs: number, stopwatch: () => number) {
  const entries = new LRUCache<string, { readonly at: number; readonly value: Promise<Value> }>({ max: MAX_ENTRIES });
  return (key: string, load: () => Promise<Value>): Promise<Value> => {
    const now = stopwatch();
    const known = entries.get(key);
    if (known !== undefined && now - known.at < ttlMs) return known.value;
    const value = load();
    entries.set(key, { at: now, value });
    return value;
  };
}

const MAX_ENTRIES = 1000;
