import type { Cell } from '../../engine/index.js';
import type { ExecutedResult } from './executor.js';

/** The part of an expected result that an answer must contain. */
export interface Expectation {
  readonly result: ExecutedResult;
  /** The columns that an answer must contain, under any name and in any position. */
  readonly columns: readonly string[];
  /** The column by which the rows must be ordered; undefined if the order does not matter. */
  readonly order: string | undefined;
  /** Whether the question does not specify how many rows of a ranking it asks for. If so, only the first rows are compared. */
  readonly isOpenEnded: boolean;
  /** Whether a limit in the expected query excluded more rows, or may have done so. */
  readonly isCut: boolean;
}

/**
 * Returns whether a result answers the question of an expectation:
 *
 * 1. Each expected column equals one column of the result. Names, positions and additional columns are ignored.
 * 2. Numbers are equal to four significant decimals, `YYYY-MM` equals the first day of the month, and text is compared
 *    without regard to case.
 * 3. The rows are equal as a multiset. With `order`, the values of this column must also be in the same order. If the
 *    expected rows end at a limit, rows that tie with the last one can be any rows, because the limit selects any of
 *    them.
 * 4. If a result is truncated, or an open-ended ranking, only the rows that both results contain at their start are
 *    compared. An open-ended ranking needs at least ten rows, or all expected ones.
 * 5. An expected result without rows is only equal to a result without rows.
 */
export function equalsExpectation(result: ExecutedResult, expectation: Expectation): boolean {
  const { columns, order, isCut } = expectation;
  const expected = selectColumns(expectation.result, columns);
  const count = comparedRows(result, expectation);
  if (count === undefined) return false;
  const wanted = { rows: expected, count, isCut, orderIndex: order === undefined ? undefined : columns.indexOf(order) };
  return assignments(result.columns.length, columns.length).some((indexes) => {
    const got = result.rows.slice(0, count).map((row) => indexes.map((index) => canonical(row[index] ?? null)));
    return equalRows(got, wanted);
  });
}

const MIN_RANKING_ROWS = 10;
/** The maximum number of result columns. Of wider results, only the first columns are compared. */
const MAX_COLUMNS = 12;
const SEPARATOR = '\u0000';

type Row = readonly string[];

/** Returns the number of rows to compare; undefined if the numbers of rows show that the results differ. */
function comparedRows(result: ExecutedResult, { result: expected, isOpenEnded }: Expectation): number | undefined {
  const [got, wanted] = [result.rows.length, expected.rows.length];
  if (got === wanted) return got;
  if (got === 0 || wanted === 0) return undefined;
  const common = Math.min(got, wanted);
  if (isOpenEnded) return common >= Math.min(MIN_RANKING_ROWS, wanted) ? common : undefined;
  const isCut = got < wanted ? result.truncated : expected.truncated;
  return isCut ? common : undefined;
}

function selectColumns({ columns, rows }: ExecutedResult, selected: readonly string[]): Row[] {
  const indexes = selected.map((name) => columns.indexOf(name));
  const missing = selected.filter((_, index) => indexes[index] === -1);
  if (missing.length > 0) {
    throw new Error(`The expected result has no column ${missing.join(', ')}; it has ${columns.join(', ')}.`);
  }
  return rows.map((row) => indexes.map((index) => canonical(row[index] ?? null)));
}

/** Returns all ordered selections of `wanted` different columns. */
function assignments(available: number, wanted: number): number[][] {
  if (wanted === 0) return [[]];
  const indexes = Array.from({ length: Math.min(available, MAX_COLUMNS) }, (_, index) => index);
  return assignments(available, wanted - 1).flatMap((first) =>
    indexes.filter((index) => !first.includes(index)).map((index) => [...first, index]),
  );
}

interface WantedRows {
  readonly rows: readonly Row[];
  /** The number of rows to compare. */
  readonly count: number;
  readonly isCut: boolean;
  readonly orderIndex: number | undefined;
}

function equalRows(got: readonly Row[], { rows, count, isCut, orderIndex }: WantedRows): boolean {
  const expected = rows.slice(0, count);
  if (orderIndex === undefined) return equalMultisets(got, expected);
  if (!got.every((row, index) => row[orderIndex] === expected[index]?.[orderIndex])) return false;
  const last = expected.at(-1)?.[orderIndex];
  const [isTied, isBefore] = [(row: Row) => row[orderIndex] === last, (row: Row) => row[orderIndex] !== last];
  if (!equalMultisets(got.filter(isBefore), expected.filter(isBefore))) return false;
  if (isCut) return true;
  const known = new Set(rows.filter(isTied).map((row) => row.join(SEPARATOR)));
  return got.filter(isTied).every((row) => known.has(row.join(SEPARATOR)));
}

function equalMultisets(some: readonly Row[], others: readonly Row[]): boolean {
  const [left, right] = [some, others].map((rows) => rows.map((row) => row.join(SEPARATOR)).sort());
  return left?.length === right?.length && (left ?? []).every((row, index) => row === right?.[index]);
}

/** Writes a cell so that equal values have equal texts. */
function canonical(cell: Cell): string {
  if (cell === null) return '';
  const text = String(cell).trim();
  if (/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) {
    // Integers keep all digits, because a JavaScript number cannot represent every id.
    return /^-?\d+$/.test(text) ? text : String(Number(Number(text).toFixed(DECIMALS)));
  }
  if (/^\d{4}-\d{2}$/.test(text)) return `${text}-01`;
  return text.replace(/[ T]00:00:00(\.0+)?Z?$/, '').toLowerCase();
}

const DECIMALS = 4;
