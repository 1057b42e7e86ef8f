import { useMysql } from '../services/mysql.js';
import { SERVER } from '../services/server.js';

/**
 * Defines the part of a suite that depends on the database, on a server. The complete suite runs on the embedded database. `environment`
 * returns the settings of the database, and must only be called in tests and hooks.
 */
export function onServer(title: string, suite: (environment: () => Readonly<Record<string, string>>) => void): void {
  describe(`${title}, on ${SERVER}`, () => {
    const server = useMysql();
    // This suite is nested, so that its hooks end before the outer suite removes the database.
    describe('in a separate database', () => suite(() => server.environment));
  });
}
