import type { TextRow } from '../cells/row-writer.js';

/** The first difference of two lists of rows: its place, such as `row 3, weight`, and both values. */
export interface RowDifference {
  readonly at: string;
  readonly one: string;
  readonly other: string;
}

/** Compares two lists of rows. Undefined if they are byte-equal and in the same order. */
export function findRowDifference(one: readonly TextRow[], other: readonly TextRow[]): RowDifference | undefined {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const [left, right] = [one[index], other[index]];
    const at = `row ${index + 1}`;
    if (left === undefined || right === undefined) return { at, one: formatValue(left), other: formatValue(right) };
    const column = Object.keys(left).find((name) => left[name] !== right[name]);
    if (column !== undefined) {
      return { at: `${at}, ${column}`, one: formatValue(left[column]), other: formatValue(right[column]) };
    }
  }
  return undefined;
}

function formatValue(value: TextRow | string | undefined): string {
  return value === undefined ? 'no row' : JSON.stringify(value);
}
