import type { TextRow } from '../cells/row-writer.js';

/** Where two lists of rows part first, such as `row 3, weight`, and what each has there. */
export interface RowDifference {
  readonly at: string;
  readonly one: string;
  readonly other: string;
}

/** Rows must be equal to the byte, in order. */
export function findRowDifference(one: readonly TextRow[], other: readonly TextRow[]): RowDifference | undefined {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const [left, right] = [one[index], other[index]];
    const at = `row ${index + 1}`;
    if (left === undefined || right === undefined) return { at, one: shown(left), other: shown(right) };
    const column = Object.keys(left).find((name) => left[name] !== right[name]);
    if (column !== undefined) return { at: `${at}, ${column}`, one: shown(left[column]), other: shown(right[column]) };
  }
  return undefined;
}

function shown(value: TextRow | string | undefined): string {
  return value === undefined ? 'no row' : JSON.stringify(value);
}
