import type { Sketch } from './any-world.js';

/**
 * The smallest sketches that still fail, found by leaving out ever smaller parts. `failing` says which of some variants
 * fail; it is given many at once, because they may share one database.
 */
export async function smallest(
  sketch: Sketch,
  failing: (variants: readonly Sketch[]) => Promise<readonly boolean[]>,
): Promise<Sketch> {
  let current = sketch;
  for (;;) {
    const variants = smaller(current);
    const fails = await failing(variants);
    const next = variants.filter((_, index) => fails[index]).sort((a, b) => size(a) - size(b))[0];
    if (next === undefined) return current;
    current = next;
  }
}

/** The fewest of the items that still fail together. */
export async function fewest<Item>(
  items: readonly Item[],
  fails: (some: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  for (const fewer of without(items)) {
    if (await fails(fewer)) return fewest(fewer, fails);
  }
  return items;
}

/** The sketch without some of its deeds, threads, ends of threads or collections. */
function smaller(sketch: Sketch): Sketch[] {
  const { deeds, threads, collections } = sketch;
  return [
    ...without(deeds).map((deeds) => ({ ...sketch, deeds })),
    ...without(threads).map((threads) => ({ ...sketch, threads })),
    ...without(collections).map((collections) => ({ ...sketch, collections })),
    ...threads.flatMap((thread, index) =>
      without(thread.ends).map((ends) => ({ ...sketch, threads: threads.with(index, { ...thread, ends }) })),
    ),
  ];
}

/** The list without each of its halves, quarters, eighths and so on. */
function without<Item>(list: readonly Item[]): Item[][] {
  const variants: Item[][] = [];
  for (let part = Math.ceil(list.length / 2); part >= 1; part = part === 1 ? 0 : Math.ceil(part / 2)) {
    for (let start = 0; start < list.length; start += part) {
      variants.push([...list.slice(0, start), ...list.slice(start + part)]);
    }
  }
  return variants;
}

function size({ deeds, threads, collections }: Sketch): number {
  return deeds.length + threads.length + collections.length + threads.flatMap(({ ends }) => ends).length;
}
