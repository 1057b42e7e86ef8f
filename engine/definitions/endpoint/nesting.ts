import type { Cell } from '../../databases/interface/database.js';
import { EngineError } from '../../databases/interface/errors.js';
import type { EndpointDefinition } from '../definition.js';

type Row = readonly Cell[];

/** How the rows of a definition with `nest` become parents with a list. Columns are indexes of cells. */
export interface Nesting {
  /** The name of the list in the object of a parent. */
  readonly list: string;
  readonly parentColumns: readonly number[];
  readonly childColumns: readonly number[];
  /** The columns that identify a parent. */
  readonly keyColumns: readonly number[];
}

/** Returns the nesting of a definition; undefined without `nest`. */
export function nestingOf({ columns, nest }: Pick<EndpointDefinition, 'columns' | 'nest'>): Nesting | undefined {
  if (nest === undefined) return undefined;
  const placesOf = (isPart: (col: string) => boolean) =>
    columns.flatMap(({ col }, place) => (isPart(col) ? [place] : []));
  const parentColumns = placesOf((col) => !nest.columns.includes(col));
  return {
    list: nest.name,
    parentColumns,
    childColumns: placesOf((col) => nest.columns.includes(col)),
    keyColumns: nest.by === undefined ? parentColumns : placesOf((col) => nest.by?.includes(col) === true),
  };
}

/** Groups rows by their parents. All rows of a parent must be consecutive, see `WholeParents`. */
export function groupRows(nesting: Nesting, rows: readonly Row[]): Row[][] {
  const groups: Row[][] = [];
  for (const row of rows) {
    const open = groups.at(-1);
    if (open?.[0] !== undefined && isSameParent(nesting, open[0], row)) open.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** Returns the rows of the list of a parent. A LEFT JOIN returns one row without values for a parent without children. */
export function childrenOf(nesting: Nesting, group: readonly Row[]): readonly Row[] {
  return group.filter((row) => !isWithoutChild(nesting, row));
}

function isWithoutChild({ childColumns }: Nesting, row: Row): boolean {
  return childColumns.every((place) => (row[place] ?? null) === null);
}

function isSameParent({ keyColumns }: Nesting, one: Row, other: Row): boolean {
  return keyColumns.every((place) => one[place] === other[place]);
}

export interface ParentLimits {
  /** The row limit of the answer. Pass one row more, which shows whether the last parent is complete. */
  readonly maxRows: number;
  /**
   * Whether the ORDER BY of the query guarantees that the rows of a parent are consecutive. Otherwise the key of each
   * parent is kept, to find a parent that appears again.
   */
  readonly isOrdered: boolean;
}

/**
 * Passes on only the rows of complete parents, and checks them: the row limit must not cut the list of a parent, the
 * rows of a parent must be consecutive, and they must agree in all columns of the parent. Throws `query_failed`.
 */
export class WholeParents {
  readonly #definition: EndpointDefinition;
  readonly #nesting: Nesting;
  readonly #limits: ParentLimits;
  readonly #known = new Set<string>();
  #open: Row[] = [];
  #read = 0;
  #passed = 0;
  #isTruncated = false;

  constructor(definition: EndpointDefinition, nesting: Nesting, limits: ParentLimits) {
    this.#definition = definition;
    this.#nesting = nesting;
    this.#limits = limits;
  }

  /** The number of rows that were passed on. */
  get rows(): number {
    return this.#passed;
  }

  /** Whether more rows exist than were passed on. */
  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  /** Takes the next rows, and returns the rows of all parents that are now complete. */
  add(rows: readonly Row[]): Row[] {
    const complete: Row[] = [];
    for (const row of rows) {
      const [first] = this.#open;
      const isSame = first !== undefined && isSameParent(this.#nesting, first, row);
      if (isSame) this.#requireRoom(row);
      this.#read += 1;
      if (this.#read > this.#limits.maxRows) {
        this.#isTruncated = true;
        // The list of the last parent continues after the row limit.
        if (isSame) this.#open = [];
        else this.#requireNew(row);
        break;
      }
      if (isSame) {
        this.#requireEqual(first, row);
        this.#open.push(row);
      } else {
        // A spread of many rows would exceed the stack.
        for (const one of this.#closeParent()) complete.push(one);
        this.#requireNew(row);
        this.#open = [row];
      }
    }
    this.#passed += complete.length;
    return complete;
  }

  /** Returns the rows of the last parent; none if the row limit cut its list. */
  end(): Row[] {
    const last = this.#closeParent();
    this.#passed += last.length;
    return last;
  }

  #closeParent(): Row[] {
    const rows = this.#open;
    this.#open = [];
    if (rows.length > 1 && rows.some((row) => isWithoutChild(this.#nesting, row))) {
      throw this.#error(
        rows[0] as Row,
        `has several rows, one of them with NULL in all columns of ${this.#nesting.list}: add a column that is never NULL`,
      );
    }
    return rows;
  }

  #requireRoom(row: Row): void {
    const { rows } = this.#definition.limits;
    if (this.#open.length === rows) throw this.#error(row, `has more than ${rows} rows, which is limits.rows`);
  }

  #requireNew(row: Row): void {
    if (this.#limits.isOrdered) return;
    const key = JSON.stringify(this.#nesting.keyColumns.map((place) => textOf(row[place])));
    if (this.#known.has(key)) {
      throw this.#error(row, 'has rows that are not consecutive: ORDER BY must begin with the columns of the parent');
    }
    this.#known.add(key);
  }

  #requireEqual(first: Row, row: Row): void {
    const place = this.#nesting.parentColumns.find((one) => first[one] !== row[one]);
    if (place === undefined) return;
    const column = this.#definition.columns[place]?.col;
    throw this.#error(
      row,
      `has different values of ${column}: ${shown(first[place])} and ${shown(row[place])}. Add ${column} to nest, under by or under columns`,
    );
  }

  #error(row: Row, reason: string): EngineError {
    const { name, columns } = this.#definition;
    const key = this.#nesting.keyColumns.map((place) => `${columns[place]?.col} ${shown(row[place])}`);
    return new EngineError(
      'query_failed',
      `The rows of ${name} cannot be nested: the parent with ${key.join(', ')} ${reason}.`,
    );
  }
}

/** Returns a cell as text, because JSON has no 64-bit integers. */
function textOf(cell: Cell | undefined): string | null {
  return cell === null || cell === undefined ? null : String(cell);
}

const MAX_SHOWN = 60;

function shown(cell: Cell | undefined): string {
  const text = String(textOf(cell));
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
