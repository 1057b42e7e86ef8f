import type { Store } from './store/store.js';

/** Counts the requests of each collection. The hot collections are sorted by these counts. */
export interface VisitCounter {
  count(collectionId: number): void;
  /** Adds the counts since the last call to the table, for the current day. */
  flush(): Promise<void>;
}

/**
 * The maximum number of distinct ids between two flushes. Further ids are not counted, because a service never has this many collections.
 */
const MAX_IDS = 10_000;

export function createVisitCounter(store: Store, clock: () => Date): VisitCounter {
  let counted = new Map<number, number>();
  return {
    count(collectionId) {
      const visits = counted.get(collectionId) ?? 0;
      if (visits > 0 || counted.size < MAX_IDS) counted.set(collectionId, visits + 1);
    },
    async flush() {
      if (counted.size === 0) return;
      const batch = counted;
      counted = new Map();
      const stored = addVisits(store, batch, clock().toISOString().slice(0, 10));
      await stored.catch((error: unknown) => {
        for (const [id, visits] of batch) counted.set(id, (counted.get(id) ?? 0) + visits);
        throw error;
      });
    },
  };
}

/** Adds visits to the table. Ignores ids of collections that do not exist. */
function addVisits(store: Store, visits: ReadonlyMap<number, number>, day: string): Promise<void> {
  return store.write(async (tables) => {
    const collections = new Set((await tables.rows('SELECT id FROM collections')).map(([id]) => Number(id)));
    const stored = await tables.rows('SELECT collection_id FROM collection_visits WHERE day = :p1', [day]);
    const visited = new Set(stored.map(([id]) => Number(id)));
    const known = [...visits].filter(([id]) => collections.has(id));
    for (const [id, more] of known.filter(([id]) => visited.has(id))) {
      const sql = 'UPDATE collection_visits SET visits = visits + :p1 WHERE collection_id = :p2 AND day = :p3';
      await tables.run(sql, [more, id, day]);
    }
    const unvisited = known.filter(([id]) => !visited.has(id));
    await tables.insertRows(
      'collection_visits',
      unvisited.map(([id, more]) => [id, day, more]),
    );
  });
}
