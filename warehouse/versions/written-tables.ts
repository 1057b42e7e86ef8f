import { PRIVATE_DATA } from '../rules/private-data.js';

/** The tables that a transaction has written. */
export class WrittenTables {
  readonly #names = new Set<string>();

  /** The names of the tables, in lower case. */
  get names(): ReadonlySet<string> {
    return this.#names;
  }

  /** Adds a table. `rows` is the number of written rows, if it is known. */
  add(table: string, rows = 1): void {
    const name = table.toLowerCase();
    if (rows > 0 && isVersioned(name)) this.#names.add(name);
  }
}

/**
 * Whether a table of this program has a version. Tables that are also written outside of the transactions of a store have no version: the
 * state of the service, and the numbers of unsorted rows.
 */
export function isVersioned(table: string): boolean {
  return !PRIVATE_DATA.isPrivateTable(table) && !UNVERSIONED.has(table);
}

const UNVERSIONED: ReadonlySet<string> = new Set(['data_versions', 'table_order']);

/** Returns the table that a DELETE, UPDATE or INSERT writes. Throws for any other statement. */
export function writtenTable(statement: string): string {
  const name = STATEMENT.exec(statement)
    ?.slice(1)
    .find((group) => group !== undefined);
  if (name !== undefined && !SECOND_STATEMENT.test(statement)) return name;
  throw new Error(`Cannot determine which table this statement writes: ${statement.trim().slice(0, 200)}`);
}

/** The lookaheads exclude statements that write several tables. */
const STATEMENT = /^\s*(?:DELETE FROM (\w+)(?=\s+WHERE\b|\s*$)|UPDATE (\w+)(?=\s+SET\b)|INSERT INTO (\w+)(?=\s*\())/i;
const SECOND_STATEMENT = /;\s*\S/;
