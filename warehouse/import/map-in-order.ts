/**
 * Runs `work` on the items, for at most `width` items at the same time, and yields the results in the order of the
 * items. If the reader stops early, the remaining results are passed to `discard`.
 */
export async function* mapInOrder<T, R>(
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
    // The reader gets this error when it awaits the result. Without this handler, Node would end the process if the
    // error occurs before that.
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
