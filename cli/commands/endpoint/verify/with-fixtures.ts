import { FixtureEngine } from '../../../../engine/authoring/index.js';
import type { Endpoint } from '../../../../engine/index.js';

/** Calls `use` with an engine for the fixtures of endpoints, or with undefined if none of the endpoints has fixtures. */
export async function withFixtures<T>(
  endpoints: readonly Endpoint[],
  use: (fixtures: FixtureEngine | undefined) => Promise<T>,
): Promise<T> {
  const tested = endpoints.filter(({ definition }) => definition.fixtures.length > 0);
  if (tested.length === 0) return use(undefined);
  const { openFixtureDatabase } = await import('../../../../warehouse/fixture-database.js');
  const database = await openFixtureDatabase();
  try {
    return await use(new FixtureEngine(database, tested, () => performance.now()));
  } finally {
    await database.close();
  }
}
