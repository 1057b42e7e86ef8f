import { type TestWarehouse, testWarehouse } from '../warehouse/test-warehouse.js';

/** Makes a warehouse with empty tables on the database that is tested. */
export type MakeWarehouse = () => Promise<TestWarehouse>;

/** Runs a suite on every kind of database. */
export function onEveryDatabase(title: string, suite: (make: MakeWarehouse) => void): void {
  describe(`${title}, on the embedded database`, () => suite(testWarehouse));
}
