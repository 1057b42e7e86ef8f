/**
 * Remembers what `load` gave for a key, for `ttlMs`, and lets callers at the same time share one run. Failures are
 * remembered too, so that a broken source is asked no more often than a working one.
 */
export function createMemo<Value>(ttlMs: number, stopwatch: () => number) {
  const entries = new Map<string, { readonly at: number; readonly value: Promise<Value> }>();
  return (key: string, load: () => Promise<Value>): Promise<Value> => {
    const now = stopwatch();
    const known = entries.get(key);
    if (known !== undefined && now - known.at < ttlMs) return known.value;
    const value = load();
    entries.set(key, { at: now, value });
    return value;
  };
}
