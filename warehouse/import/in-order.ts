/**
 * Runs `work` on the items, `width` at a time, and gives the results in the order of the items. Results that nobody
 * reads, because the reader stopped, go to `discard`.
 */
export async function* inOrder<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
  discard: (result: R) => void,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  let next = 0;
  const start = () => {
    if (next >= items.length) return;
    const result = work(items[next] as T, next);
    // Told to the reader when it gets there; until then nobody listens.
    result.catch(() => undefined);
    running.push(result);
    next++;
  };
  for (let count = 0; count < width; count++) start();
  try {
    for (let first = running.shift(); first !== undefined; first = running.shift()) {
      const result = await first;
      start();
      yield result;
    }
  } finally {
    for (const result of await Promise.allSettled(running)) if (result.status === 'fulfilled') discard(result.value);
  }
}
