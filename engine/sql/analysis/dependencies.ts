/**
 * Functional dependencies: equal values of `from` imply equal values of `to`. An id is `alias.column`, `alias.#` for
 * the row of a source, or a text that starts with `@` for any other expression. A row determines its columns.
 */
export interface Dependency {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** The ids that other ids determine. */
export interface Determined {
  has(id: string): boolean;
}

export class Dependencies {
  readonly all: Dependency[] = [];

  add(from: readonly string[], to: readonly string[]): void {
    this.all.push({ from, to });
  }

  /** Returns all ids that `start` determines. */
  closure(start: Iterable<string>): Determined {
    const ids = new Set(start);
    const has = (id: string) => ids.has(id) || ids.has(rowOf(id));
    let size = -1;
    while (size !== ids.size) {
      size = ids.size;
      for (const { from, to } of this.all) if (from.every(has)) for (const id of to) ids.add(id);
    }
    return { has };
  }
}

/** Returns the id of the row that contains a column. */
function rowOf(id: string): string {
  return id.startsWith('@') ? id : rowId(id.slice(0, id.indexOf('.')));
}

export function rowId(alias: string): string {
  return `${alias}.${ROW}`;
}

/** The name in ids that means the whole row. A column cannot have this name. */
export const ROW = '#';
