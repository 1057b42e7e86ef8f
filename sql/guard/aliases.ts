import type { PublicTables } from './public-table.js';

/**
 * Creates unique aliases for the tables of a written query. MariaDB merges a derived table into the query around it. If
 * both use the same alias, MariaDB reports the columns of a window as ambiguous, or crashes. No alias occurs in the
 * author's text: the embedded database accepts the alias of a table as a value that contains the whole row, and the
 * length of this value is not known.
 */
export class Aliases {
  readonly #used = new Set<string>();
  readonly #authorText: string;
  readonly #tables: PublicTables;

  /** `sql` is the text of the author. */
  constructor(sql: string, tables: PublicTables) {
    this.#authorText = sql.toLowerCase();
    this.#tables = tables;
  }

  /** Returns a new alias that starts with the letters and digits of `name`. */
  create(name: string): string {
    const plain = name.toLowerCase().replaceAll(/\W/g, '').slice(0, MAX_PREFIX);
    let number = 1;
    while (this.#isTaken(`${plain}_${number}`)) number += 1;
    const free = `${plain}_${number}`;
    this.#used.add(free);
    return free;
  }

  #isTaken(name: string): boolean {
    return this.#used.has(name) || this.#authorText.includes(name) || this.#isPublic(name);
  }

  /** Returns true if a public table, one of its columns or its condition uses the name. */
  #isPublic(name: string): boolean {
    const tables = [...this.#tables.values()];
    return (
      this.#tables.has(name) || tables.some(({ columns, where }) => columns.includes(name) || where?.includes(name))
    );
  }
}

const MAX_PREFIX = 40;
