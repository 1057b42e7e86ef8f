import { type MakeWarehouse, testWarehouse } from './test-warehouse.js';

/**
 * Defines the tests of a suite of `onEveryDatabase` that need only the embedded database, because they test code above the store.
 */
export function describeEmbeddedOnly(make: MakeWarehouse, suite: () => void): void {
  if (make === testWarehouse) describe('in any database', suite);
}

/** Returns a function that defines single tests like `describeEmbeddedOnly`, under the title of the suite. */
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
