import { useMysql } from '../services/mysql.js';
import { describeEmbedded, SERVER } from '../services/server.js';

/**
 * Defines a suite for each kind of database. With `onServer`, the suite should only define the tests whose results depend on the database.
 * `database` returns the settings of the database, and must only be called in tests and hooks.
 */
export function onEachDatabase(
  title: string,
  suite: (database: () => Record<string, string>, onServer: boolean) => void,
): void {
  describeEmbedded(`${title}, on the embedded database`, () => suite(() => ({}), false));
  describe(`${title}, on ${SERVER}`, () => {
    const server = useMysql();
    // This suite is nested, so that its hooks end before the outer suite removes the database.
    describe('in a separate database', () => suite(() => server.environment, true));
  });
}
