import { NAMED_IN_CONDITIONS, PUBLIC_TABLES } from './public-tables.js';

/**
 * Names for the tables of a written query. No two are equal: MariaDB merges a derived table into the query around it, and
 * where both have the same name it reports the columns of a window as ambiguous, or crashes. None occurs in the author's text:
 * the embedded database reads the name of a table as a value that holds the whole row, and that value has no known length.
 */
export class Aliases {
  readonly #used = new Set<string>([...PUBLIC_TABLES.keys(), NAMED_IN_CONDITIONS]);
  readonly #text: string;

  /** `sql` is the author's text. */
  constructor(sql: string) {
    this.#text = sql.toLowerCase();
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
    return this.#used.has(name) || this.#text.includes(name) || isPublicColumn(name);
  }
}

const MAX_START = 40;

function isPublicColumn(name: string): boolean {
  return [...PUBLIC_TABLES.values()].some(({ columns }) => columns.includes(name));
}
