import type { Store } from './store/store.js';

/** Counts how often each collection is asked for: the order of the hot collections. */
export interface VisitCounter {
  count(collectionId: number): void;
  /** Adds what was counted since the last call to the table, under the day of the clock. */
  flush(): Promise<void>;
}

/** More distinct ids than this between two flushes are made up by somebody, and not counted. */
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

/** Visits of ids that no collection has are nobody's. */
function addVisits(store: Store, visits: ReadonlyMap<number, number>, day: string): Promise<void> {
  return store.write(async (tables) => {
    const collections = new Set((await tables.rows('SELECT id FROM collections')).map(([id]) => Number(id)));
    const there = await tables.rows('SELECT collection_id FROM collection_visits WHERE day = :p1', [day]);
    const visited = new Set(there.map(([id]) => Number(id)));
    const known = [...visits].filter(([id]) => collections.has(id));
    for (const [id, more] of known.filter(([id]) => visited.has(id))) {
      const sql = 'UPDATE collection_visits SET visits = visits + :p1 WHERE collection_id = :p2 AND day = :p3';
      await tables.run(sql, [more, id, day]);
    }
    const fresh = known.filter(([id]) => !visited.has(id));
    await tables.insertRows(
      'collection_visits',
      fresh.map(([id, more]) => [id, day, more]),
    );
  });
}
