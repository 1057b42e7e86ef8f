import { INTEGERS } from '../../databases/interface/data-types.js';
import type { Cell } from '../../databases/interface/database.js';
import { createNativeWriter, isNumeric, isScaledDecimal, numberText, type WrittenColumn } from './cells.js';

/**
 * Creates the writer of the JSON text of native values, see `createNativeWriter`. Frequent kinds of cells are written
 * by faster code with the same result, because an answer can have millions of cells.
 */
export function createJsonWriter(column: WrittenColumn): (cell: Cell) => string {
  const { data_type, scale } = column;
  const write = createNativeWriter(column);
  const writeAny = (cell: Cell) => (cell === null ? 'null' : JSON.stringify(write(cell)));
  if (INTEGERS.has(data_type))
    return (cell) => (Number.isSafeInteger(cell) ? numberText(cell as number) : writeAny(cell));
  if (data_type === 'DECIMAL' && scale !== undefined && scale <= MAX_PLAIN_SCALE) {
    return (cell) =>
      typeof cell === 'string' && cell.length <= EXACT_LENGTH && isScaledDecimal(cell, scale)
        ? withoutZeros(cell, scale)
        : writeAny(cell);
  }
  if (isNumeric(data_type)) {
    // A DECIMAL that the driver returns as a floating point number can have too many digits for a JSON number.
    const isPlain = scale === undefined && data_type !== 'DECIMAL';
    return (cell) => (isPlain && Number.isFinite(cell) ? numberText(cell as number) : writeAny(cell));
  }
  if (data_type === 'DATETIME' || data_type === 'TIMESTAMP') {
    return (cell) => (typeof cell === 'string' && cell.length === TIME_LENGTH ? `"${cell}"` : writeAny(cell));
  }
  if (data_type === 'DATE') return writeAny;
  return (cell) => (typeof cell === 'string' && !NEEDS_ESCAPE.test(cell) ? `"${cell}"` : writeAny(cell));
}

/** The maximum number of decimals: JSON.stringify writes numbers below 0.000001 with an exponent. */
const MAX_PLAIN_SCALE = 6;
/** A double represents each decimal with up to 15 digits exactly. The point and the sign are additional characters. */
const EXACT_LENGTH = 15;
/** The length of `YYYY-MM-DD HH:MM:SS`. */
const TIME_LENGTH = 19;
/** Characters that may need an escape in JSON: quotes, backslashes, control characters, and halves of surrogate pairs. */
const NEEDS_ESCAPE = /["\\]|[^ -\ud7ff]/;

/** Removes zeros at the end of a fraction, and the point if no digit follows it, because JSON numbers are written without them. */
function withoutZeros(text: string, scale: number): string {
  if (scale === 0) return text;
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  if (text[end - 1] === '.') end -= 1;
  return end === text.length ? text : text.slice(0, end);
}
