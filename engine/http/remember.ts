/** Limits of a cache, so that clients that send many different texts cannot fill the memory. */
export interface RememberLimits {
  /** The maximum number of cached results. When it is reached, the cache is emptied. */
  readonly maxResults: number;
  /** The maximum length of a text whose result is cached. */
  readonly maxLength: number;
}

/** Returns a function like `compute` that caches its results. Undefined results are not cached. */
export function remember<Result>(
  compute: (text: string) => Result,
  { maxResults, maxLength }: RememberLimits,
): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = compute(text);
    if (result === undefined || text.length > maxLength) return result;
    if (results.size >= maxResults) results.clear();
    results.set(text, result);
    return result;
  };
}

/** Returns a function like `compute` that caches its last result, because consecutive requests often have the same key, such as a time. */
export function rememberLast(compute: (key: number) => string): (key: number) => string {
  let last = { key: Number.NaN, text: '' };
  return (key) => {
    if (key !== last.key) last = { key, text: compute(key) };
    return last.text;
  };
}
