import { type MakeWarehouse, testWarehouse } from './test-warehouse.js';

/**
 * Defines the tests of a suite of `onEveryDatabase` that need only the embedded database, because they test code above the store.
 */
export function describeEmbeddedOnly(make: MakeWarehouse, suite: () => void): void {
  if (make === testWarehouse) describe('in any database', suite);
}
