import { INTEGERS } from '../../databases/interface/data-types.js';
import type { Cell } from '../../databases/interface/database.js';
import { createNativeWriter, isNumeric, isScaledDecimal, numberText, type WrittenColumn } from './cells.js';

/**
 * Creates the writer of the JSON text of native values, see `createNativeWriter`. Frequent kinds of cells have shorter ways to the
 * same text, because an answer of a million rows has many cells.
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
    // A DECIMAL that is a floating point number can have too many digits for a JSON number.
    const isPlain = scale === undefined && data_type !== 'DECIMAL';
    return (cell) => (isPlain && Number.isFinite(cell) ? numberText(cell as number) : writeAny(cell));
  }
  if (data_type === 'DATETIME' || data_type === 'TIMESTAMP') {
    return (cell) => (typeof cell === 'string' && cell.length === TIME_LENGTH ? `"${cell}"` : writeAny(cell));
  }
  if (data_type === 'DATE') return writeAny;
  return (cell) => (typeof cell === 'string' && !NEEDS_ESCAPE.test(cell) ? `"${cell}"` : writeAny(cell));
}

/** JSON writes smaller numbers than 0.000001 with an exponent. */
const MAX_PLAIN_SCALE = 6;
/** A double represents each decimal with up to 15 digits. The point and the sign are additional characters. */
const EXACT_LENGTH = 15;
/** The length of `YYYY-MM-DD HH:MM:SS`. */
const TIME_LENGTH = 19;
/** Not only printable characters: quotes, backslashes, control characters, and halves of surrogate pairs may need an escape. */
const NEEDS_ESCAPE = /["\\]|[^ -\ud7ff]/;

/** Removes the zeros at the end of a fraction, and the point of an empty fraction, as the text of a number has none. */
function withoutZeros(text: string, scale: number): string {
  if (scale === 0) return text;
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  if (text[end - 1] === '.') end -= 1;
  return end === text.length ? text : text.slice(0, end);
}
