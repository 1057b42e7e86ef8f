import type { Sketch } from './sketch.js';

/**
 * Omits parts of a sketch as long as the sketch still fails, and returns the smallest failing sketch. `failing` is called with many
 * variants at once, so that they can share one database.
 */
export async function shrinkSketch(
  sketch: Sketch,
  failing: (variants: readonly Sketch[]) => Promise<readonly boolean[]>,
): Promise<Sketch> {
  let current = sketch;
  for (;;) {
    const variants = createSmallerSketches(current);
    const fails = await failing(variants);
    const next = variants.filter((_, index) => fails[index]).sort((a, b) => size(a) - size(b))[0];
    if (next === undefined) return current;
    current = next;
  }
}

/** Returns a minimal part of the list that still fails: if any item is omitted, it does not fail. */
export async function shrinkList<Item>(
  items: readonly Item[],
  fails: (some: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  for (const fewer of omitParts(items)) {
    if (await fails(fewer)) return shrinkList(fewer, fails);
  }
  return items;
}

/** Returns variants of the sketch, each without some events, threads, ends of threads, collections or counts. */
function createSmallerSketches(sketch: Sketch): Sketch[] {
  const { events, threads, collections, repositories } = sketch;
  return [
    ...omitParts(events).map((events) => ({ ...sketch, events })),
    ...omitParts(threads).map((threads) => ({ ...sketch, threads })),
    ...omitParts(collections).map((collections) => ({ ...sketch, collections })),
    ...threads.flatMap((thread, index) =>
      omitParts(thread.ends).map((ends) => ({ ...sketch, threads: threads.with(index, { ...thread, ends }) })),
    ),
    ...repositories.flatMap((repository, index) =>
      repository.isListed === true
        ? [{ ...sketch, repositories: repositories.with(index, { ...repository, isListed: false }) }]
        : [],
    ),
    ...repositories.flatMap((repository, index) => {
      const { counts } = repository;
      const fewer = counts && [undefined, ...omitParts(counts.days).map((days) => ({ ...counts, days }))];
      return (fewer ?? []).map((counts) => ({
        ...sketch,
        repositories: repositories.with(index, { ...repository, counts }),
      }));
    }),
  ];
}

/** Returns variants of the list, each without one of its halves, quarters, eighths and so on. */
function omitParts<Item>(list: readonly Item[]): Item[][] {
  const variants: Item[][] = [];
  for (let part = Math.ceil(list.length / 2); part >= 1; part = part === 1 ? 0 : Math.ceil(part / 2)) {
    for (let start = 0; start < list.length; start += part) {
      variants.push([...list.slice(0, start), ...list.slice(start + part)]);
    }
  }
  return variants;
}

function size({ events, threads, collections, repositories }: Sketch): number {
  const counted = repositories.flatMap(({ counts }) => (counts === undefined ? [] : [counts, ...counts.days]));
  return (
    events.length +
    threads.length +
    collections.length +
    threads.flatMap(({ ends }) => ends).length +
    counted.length +
    repositories.filter(({ isListed }) => isListed === true).length
  );
}
