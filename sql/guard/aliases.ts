import type { PublicTables } from './public-table.js';

/**
 * Names for the tables of a written query. No two are equal: MariaDB merges a derived table into the query around it, and
 * where both have the same name it reports the columns of a window as ambiguous, or crashes. None occurs in the author's text:
 * the embedded database reads the name of a table as a value that holds the whole row, and that value has no known length.
 */
export class Aliases {
  readonly #used = new Set<string>();
  readonly #text: string;
  readonly #tables: PublicTables;

  /** `sql` is the author's text. */
  constructor(sql: string, tables: PublicTables) {
    this.#text = sql.toLowerCase();
    this.#tables = tables;
  }

  /** A new name that begins like `name`. */
  unused(name: string): string {
    const plain = name.toLowerCase().replaceAll(/\W/g, '').slice(0, MAX_START);
    let number = 1;
    while (this.#isTaken(`${plain}_${number}`)) number += 1;
    const free = `${plain}_${number}`;
    this.#used.add(free);
    return free;
  }

  #isTaken(name: string): boolean {
    return this.#used.has(name) || this.#text.includes(name) || this.#isPublic(name);
  }

  /** Whether a public table, one of its columns or its condition uses the name. */
  #isPublic(name: string): boolean {
    const tables = [...this.#tables.values()];
    return (
      this.#tables.has(name) || tables.some(({ columns, where }) => columns.includes(name) || where?.includes(name))
    );
  }
}

const MAX_START = 40;
