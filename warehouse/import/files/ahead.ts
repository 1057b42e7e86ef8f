/** Runs `source` ahead of its reader by up to `limit` values, from now on. */
export function ahead<T>(source: AsyncGenerator<T>, limit: number): AsyncIterableIterator<T> {
  const pending: Promise<IteratorResult<T>>[] = [];
  const pull = () => {
    const next = source.next();
    // Told to the reader when it gets there; until then nobody listens.
    next.catch(() => undefined);
    pending.push(next);
  };
  for (let count = 0; count < limit; count++) pull();
  return {
    next() {
      pull();
      return pending.shift() as Promise<IteratorResult<T>>;
    },
    return() {
      return source.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
