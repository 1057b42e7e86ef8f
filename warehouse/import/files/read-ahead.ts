/** Reads up to `limit` values of `source` before they are requested. It starts at once. */
export function readAhead<T>(source: AsyncGenerator<T>, limit: number): AsyncIterableIterator<T> {
  const pending: Promise<IteratorResult<T>>[] = [];
  const pull = () => {
    const next = source.next();
    // The reader gets this error when it calls `next`. Without this handler, Node would end the process if the error
    // occurs before that call.
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
