import { useMysql } from '../services/mysql.js';
import { describeEmbedded, SERVER } from '../services/server.js';
import {
  type MakeWarehouse,
  type onEveryDatabase,
  serverWarehouse,
  testWarehouse,
} from '../warehouse/test-warehouse.js';

/** Defines a suite for the embedded database only. Used instead of `onEveryDatabase` for logic above the store. */
export const onEmbeddedDatabase: typeof onEveryDatabase = (title, suite) =>
  describeEmbedded(`${title}, on the embedded database`, () => suite(testWarehouse));

/** Defines a suite for the server only. Used instead of `onEveryDatabase` for behaviour that only a server has. */
export const onServer: typeof onEveryDatabase = (title, suite) =>
  describe(`${title}, on ${SERVER}`, () => {
    const server = useMysql();
    suite(() => serverWarehouse(server.url));
  });

/**
 * Returns a function that defines tests of logic above the store, such as plans and the reading of answers, in a suite of
 * `onEveryDatabase`. These tests run on the embedded database only.
 */
export function embeddedOnly(make: MakeWarehouse): (title: string, test: Mocha.AsyncFunc) => void {
  return (title, test) => {
    if (make === testWarehouse) it(title, test);
  };
}

/** Like `embeddedOnly`, for tests that run on the server only. */
export function serverOnly(make: MakeWarehouse): (title: string, test: Mocha.AsyncFunc) => void {
  return (title, test) => {
    if (make !== testWarehouse) it(title, test);
  };
}
