import { NAMED_IN_CONDITIONS, PUBLIC_TABLES } from './public-tables.js';
import { refuse } from './refusal.js';

/**
 * What tables are called in a written query: no two the same, wherever they stand, and none as a table of the database. MariaDB
 * takes a derived table into the query around it, and where both names are one it takes the columns of a window for ambiguous,
 * or ends, with all its connections.
 */
export class Aliases {
  readonly #used = new Set<string>([...PUBLIC_TABLES.keys(), NAMED_IN_CONDITIONS]);

  /** The name, or one like it where that is in use. */
  unused(name: string): string {
    const plain = name.toLowerCase();
    let free = plain;
    for (let number = 2; this.#used.has(free); number += 1) free = `${plain}_${number}`;
    this.#used.add(free);
    return free;
  }
}

/** The tables of one SELECT by the names that its author gave them. Their case does not count, as on the embedded database. */
export class SelectAliases {
  readonly #written = new Map<string, string>();

  constructor(
    private readonly all: Aliases,
    /** Of the query around it. */
    private readonly outer?: SelectAliases,
  ) {}

  /** Takes a table in; gives what it is called in the written text. */
  add(name: string): string {
    const key = name.toLowerCase();
    if (this.#written.has(key)) refuse(`two tables of one FROM are called ${name}`, name);
    const written = this.all.unused(name);
    this.#written.set(key, written);
    return written;
  }

  /** What a table of this SELECT, or of one around it, is called in the written text. */
  find(name: string): string {
    const written = this.#written.get(name.toLowerCase()) ?? this.outer?.find(name);
    return written ?? refuse(`no table of FROM is called ${name}`, name);
  }
}
