import type { ResultSet } from '../../databases/interface/database.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import { type TextRow, writeTextRows } from './cells.js';

/** One difference between two lists of rows: its position, such as `row 3, weight`, and both values. */
export interface RowDifference {
  readonly at: string;
  readonly one: string;
  readonly other: string;
}

/** The rows of an endpoint, as its database returned them. */
export interface EndpointRows extends Pick<ResultSet, 'rows' | 'more'> {
  readonly endpoint: Endpoint;
}

/** Compares the formatted rows of two results, and whether more rows exist. Returns undefined if there is no difference. */
export function findResultDifference(one: EndpointRows, other: EndpointRows): RowDifference | undefined {
  const rows = findRowDifference(writeTextRows(one.endpoint, one.rows), writeTextRows(other.endpoint, other.rows));
  if (rows !== undefined || one.more === other.more) return rows;
  return { at: 'whether there are more rows', one: String(one.more), other: String(other.more) };
}

/** Returns the first difference between two lists of rows; undefined if the rows are byte-equal and in the same order. */
export function findRowDifference(one: readonly TextRow[], other: readonly TextRow[]): RowDifference | undefined {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const [difference] = compareRows(index + 1, one[index], other[index]);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/**
 * Lists at most `max` differences between two lists of rows. Equal rows at the start and at the end are skipped, so
 * that one additional row is one difference. A row number counts from the start of both lists.
 */
export function listRowDifferences(one: readonly TextRow[], other: readonly TextRow[], max: number): RowDifference[] {
  const shorter = Math.min(one.length, other.length);
  const isEqual = (left: number, right: number) => compareRows(0, one[left], other[right]).length === 0;
  let start = 0;
  while (start < shorter && isEqual(start, start)) start += 1;
  let end = 0;
  while (end < shorter - start && isEqual(one.length - 1 - end, other.length - 1 - end)) end += 1;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  const differences: RowDifference[] = [];
  for (let index = 0; index < Math.max(left.length, right.length) && differences.length < max; index += 1) {
    differences.push(...compareRows(start + index + 1, left[index], right[index]));
  }
  return differences.slice(0, max);
}

function compareRows(number: number, one: TextRow | undefined, other: TextRow | undefined): RowDifference[] {
  const at = `row ${number}`;
  if (one === undefined && other === undefined) return [];
  if (one === undefined || other === undefined) return [{ at, one: formatValue(one), other: formatValue(other) }];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names
    .filter((name) => one[name] !== other[name])
    .map((name) => ({ at: `${at}, ${name}`, one: formatCell(one[name]), other: formatCell(other[name]) }));
}

function formatValue(row: TextRow | undefined): string {
  return row === undefined ? 'no row' : JSON.stringify(row);
}

function formatCell(cell: string | undefined): string {
  return cell === undefined ? 'no cell' : JSON.stringify(cell);
}
