import type { EmbeddedDatabase } from '../databases/duckdb/embedded.js';

/** Counts how often each collection is asked for: the order of the hot collections. */
export interface VisitCounter {
  count(collectionId: number): void;
  /** Adds what was counted since the last call to the table, under the day of the clock. */
  flush(): Promise<void>;
}

/** More distinct ids than this between two flushes are made up by somebody, and not counted. */
const MAX_IDS = 10_000;

export function createVisitCounter(database: EmbeddedDatabase, clock: () => Date): VisitCounter {
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
      const rows = [...batch].map(([id, visits]) => `(${id}, ${visits})`).join(', ');
      const day = clock().toISOString().slice(0, 10);
      const stored = database.write((connection) =>
        connection.run(
          `INSERT INTO collection_visits
           SELECT asked.id, $1::DATE, asked.visits
           FROM (VALUES ${rows}) asked(id, visits) JOIN collections ON collections.id = asked.id
           ON CONFLICT DO UPDATE SET visits = collection_visits.visits + excluded.visits`,
          [day],
        ),
      );
      await stored.catch((error: unknown) => {
        for (const [id, visits] of batch) counted.set(id, (counted.get(id) ?? 0) + visits);
        throw error;
      });
    },
  };
}
