import { toCell, widthOf } from './cells.js';

/** How a table uses a terminal that is too narrow for it. */
export interface TableOptions {
  /**
   * Columns that are hidden first, the least important one first. Then columns of long texts are hidden, then the last columns, but
   * never the first column.
   */
  readonly optional?: readonly string[];
  /** Columns of sentences. Their cells are wrapped; those of other columns are shortened. */
  readonly prose?: readonly string[];
}

export interface Column {
  readonly title: string;
  readonly cells: readonly string[];
  readonly isNumber: boolean;
  readonly isProse: boolean;
  readonly width: number;
}

/** A table whose columns fit a width. */
export interface FittedTable {
  readonly columns: readonly Column[];
  /** The titles of the hidden columns. */
  readonly hidden: readonly string[];
}

/** Chooses the columns and their widths. Without a width, the table has all columns with their complete values. */
export function fitTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  width: number | undefined,
  { optional = [], prose = [] }: TableOptions = {},
): FittedTable {
  const all = head.map((title, at): Column => {
    const cells = rows.map((row) => toCell(row[at] ?? ''));
    const natural = Math.max(widthOf(title), ...cells.map(widthOf));
    const isNumber = natural <= MOST_DIGITS && areNumbers(cells);
    return { title: toCell(title), cells, isNumber, isProse: prose.includes(title), width: natural };
  });
  if (width === undefined) return { columns: all, hidden: [] };
  const first = all[0];
  const leastOf = (column: Column) => leastWidth(column, column === first ? Math.floor(width / 2) : undefined);
  let columns = all;
  while (columns.length > 1 && sum(columns.map(leastOf)) > spaceFor(columns, width)) {
    const least = leastImportant(columns, optional);
    columns = columns.filter((column) => column !== least);
  }
  const hidden = all.filter((column) => !columns.includes(column)).map(({ title }) => title);
  const space = spaceFor(columns, width);
  const limit = limitOf(columns, leastOf, space);
  const fitted = columns.map((column) => {
    const most = Math.min(column.width, Math.max(limit, leastOf(column)));
    return { ...column, width: columns.length === 1 ? Math.min(column.width, space) : most };
  });
  return { columns: fitted, hidden };
}

/** The column that is hidden next: an optional one, otherwise the widest of the long texts, otherwise the last one. */
function leastImportant(columns: readonly Column[], optional: readonly string[]): Column | undefined {
  const others = columns.slice(1);
  const named = optional.flatMap((title) => others.filter((column) => column.title === title));
  const long = others.filter(({ isProse, width }) => !isProse && width > LONG_TEXT).sort((a, b) => b.width - a.width);
  return named[0] ?? long[0] ?? others.at(-1);
}

const LONG_TEXT = 40;

/** A longer number is treated as text. */
const MOST_DIGITS = 24;

function areNumbers(cells: readonly string[]): boolean {
  return cells.some((cell) => cell !== '') && cells.every((cell) => /^(-?[\d,]+(\.\d+)?( %)?)?$/.test(cell));
}

/** The width without the borders, and a space on both sides of each cell. */
function spaceFor(columns: readonly Column[], width: number): number {
  return Math.max(1, width - 3 * columns.length - 1);
}

/** A column that needs more space is hidden instead. Numbers are never shortened. */
function leastWidth({ title, width, isNumber, isProse }: Column, ofFirst: number | undefined): number {
  if (isNumber) return width;
  return Math.min(width, ofFirst ?? Math.max(widthOf(title), isProse ? LEAST_PROSE : LEAST_TEXT));
}

const LEAST_TEXT = 16;
const LEAST_PROSE = 20;

/** Returns the largest width of a column with which all columns fit into the space. */
function limitOf(columns: readonly Column[], leastOf: (column: Column) => number, space: number): number {
  const needed = (limit: number) =>
    sum(columns.map((column) => Math.min(column.width, Math.max(limit, leastOf(column)))));
  let limit = Math.min(space, Math.max(...columns.map(({ width }) => width)));
  while (limit > 1 && needed(limit) > space) limit -= 1;
  return limit;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
