/** The limits protect the memory from clients that send many different texts. */
export interface RememberLimits {
  /** The maximum number of results. When it is reached, all are forgotten. */
  readonly maxResults: number;
  /** The results of longer texts are not kept. */
  readonly maxLength: number;
}

/** Returns a function like `compute` that keeps its results. Undefined results are computed again. */
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

/** Returns a function like `compute` that keeps its last result: consecutive requests often have the same time. */
export function rememberLast(compute: (key: number) => string): (key: number) => string {
  let last = { key: Number.NaN, text: '' };
  return (key) => {
    if (key !== last.key) last = { key, text: compute(key) };
    return last.text;
  };
}
