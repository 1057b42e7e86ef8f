import type { Cell, ResultSet } from '../../databases/interface/database.js';
import type { ColumnDefinition, EndpointDefinition } from '../../definitions/definition.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import { ADDED_COLUMN } from '../../sql/paging/page-order.js';
import { createNativeWriter, createTextWriter } from './cells.js';

type Rows = readonly (readonly Cell[])[];
export type TextRow = Record<string, string>;
export type NativeRow = Record<string, string | number | null>;

/** Writes rows as objects of text cells. */
export function writeTextRows({ definition }: Endpoint, rows: Rows): TextRow[] {
  return writeRows(writersOf(textWriters, definition.columns, createTextWriter), rows);
}

/** Writes rows as objects of text cells. A cell that does not fit its declared type is written as the database returned it. */
export function writePlainRows({ definition }: Endpoint, rows: Rows): TextRow[] {
  return writeRows(writersOf(plainWriters, definition.columns, createPlainWriter), rows);
}

function createPlainWriter(column: ColumnDefinition): (cell: Cell) => string {
  const write = createTextWriter(column);
  return (cell) => {
    try {
      return write(cell);
    } catch {
      return String(cell);
    }
  };
}

/** Writes rows as objects of native JSON values. */
export function writeNativeRows({ definition }: Endpoint, rows: Rows): NativeRow[] {
  return writeRows(writersOf(nativeWriters, definition.columns, createNativeWriter), rows);
}

/** Throws if the columns of a result differ from the declared columns. */
export function requireColumns({ definition }: Endpoint, { columns }: Pick<ResultSet, 'columns'>): void {
  const names = columns.map(({ name }) => name);
  const difference = findColumnDifference(definition, names);
  if (difference !== undefined) throw new Error(difference);
}

/** Describes how column names of the database differ from the declared ones, for example for `SELECT *`; undefined if they are equal. */
export function findColumnDifference({ columns }: EndpointDefinition, all: readonly string[]): string | undefined {
  const names = all.filter((name, index) => index < columns.length || !ADDED_COLUMN.test(name));
  if (names.length === columns.length && columns.every(({ col }, index) => names[index] === col)) return undefined;
  const declared = columns.map(({ col }) => col).join(', ');
  return `the database returned other columns than declared: expected ${declared}, got ${names.join(', ')}`;
}

type Writers<Value> = readonly { readonly col: string; readonly write: (cell: Cell) => Value }[];
type Columns = readonly ColumnDefinition[];

const plainWriters = new WeakMap<Columns, Writers<string>>();
const textWriters = new WeakMap<Columns, Writers<string>>();
const nativeWriters = new WeakMap<Columns, Writers<string | number | null>>();

/** Returns the cell writers for the columns of an endpoint. They are created once per endpoint. */
function writersOf<Value>(
  known: WeakMap<Columns, Writers<Value>>,
  columns: Columns,
  createWriter: (column: ColumnDefinition) => (cell: Cell) => Value,
): Writers<Value> {
  const existing = known.get(columns);
  if (existing !== undefined) return existing;
  const writers = columns.map((column) => ({ col: column.col, write: createWriter(column) }));
  known.set(columns, writers);
  return writers;
}

function writeRows<Value>(writers: Writers<Value>, rows: Rows): Record<string, Value>[] {
  return rows.map((cells) => {
    const row: Record<string, Value> = {};
    for (let index = 0; index < writers.length; index += 1) {
      const writer = writers[index];
      if (writer !== undefined) row[writer.col] = writer.write(cells[index] ?? null);
    }
    return row;
  });
}
