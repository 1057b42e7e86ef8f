import type { MakeWarehouse, onEveryDatabase } from '../warehouse/test-warehouse.js';
import { testProperties } from './properties.js';
import { createWorldDatabase, type WorldDatabase } from './world-database.js';

const NOW = '2026-06-30 12:00:00';
const REPOSITORIES = 3;
const COLLECTIONS = 2;

/** Defines tests of the properties of the operations on demo data, with which `fill` creates a warehouse. */
export function testDemo(
  define: typeof onEveryDatabase,
  fill: (make: MakeWarehouse) => ReturnType<MakeWarehouse>,
): void {
  define('the operations on a demo', (make) => {
    let database: WorldDatabase;
    let collections: string[];
    let repositories: string[];

    before(async () => {
      database = await createWorldDatabase(await fill(make));
      const rows = await database.ask({ operation: 'list-collections', parameters: {} }, NOW);
      collections = rows.slice(0, COLLECTIONS).flatMap(([id = '']) => id);
      const parameters = { collection_id: collections[0] ?? '' };
      const items = await database.ask({ operation: 'list-repos-of-collection', parameters }, NOW);
      repositories = items.slice(0, REPOSITORIES).flatMap(([, repository = '']) => repository);
    });
    after(() => database.close());

    testProperties(() => ({
      repositories,
      collections,
      languages: ['All', 'Python', 'Rust'],
      ask: (request) => database.ask(request, NOW),
      walk: (request) => database.walk(request, NOW),
    }));
  });
}
