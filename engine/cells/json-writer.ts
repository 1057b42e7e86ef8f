import { INTEGERS } from '../definition/definition.js';
import type { Cell } from '../interface/database.js';
import { createNativeWriter, isNumeric, type WrittenColumn } from './cells.js';

/**
 * Creates the writer of the JSON text of native values, see `createNativeWriter`. Frequent kinds of cells have shorter ways to the
 * same text, because an answer of a million rows has many cells.
 */
export function createJsonWriter(column: WrittenColumn): (cell: Cell) => string {
  const { data_type, scale } = column;
  const write = createNativeWriter(column);
  const writeAny = (cell: Cell) => (cell === null ? 'null' : JSON.stringify(write(cell)));
  if (INTEGERS.has(data_type)) return (cell) => (Number.isSafeInteger(cell) ? String(cell) : writeAny(cell));
  if (data_type === 'DECIMAL') {
    // A short text with exactly the digits of the scale needs no rounding, and a double represents it.
    const pattern = scale === undefined ? DECIMAL : new RegExp(`^-?\\d+${scale === 0 ? '' : `\\.\\d{${scale}}`}$`);
    return (cell) =>
      typeof cell === 'string' && cell.length <= EXACT_LENGTH && pattern.test(cell)
        ? String(Number(cell))
        : writeAny(cell);
  }
  if (isNumeric(data_type)) {
    return (cell) => (scale === undefined && Number.isFinite(cell) ? String(cell) : writeAny(cell));
  }
  if (data_type === 'DATETIME' || data_type === 'TIMESTAMP') {
    return (cell) => (typeof cell === 'string' && cell.length === TIME_LENGTH ? `"${cell}"` : writeAny(cell));
  }
  if (data_type === 'DATE') return writeAny;
  return (cell) => (typeof cell === 'string' && !NEEDS_ESCAPE.test(cell) ? `"${cell}"` : writeAny(cell));
}

const DECIMAL = /^-?\d+(?:\.\d+)?$/;
/** A double represents each decimal with up to 15 digits. The point and the sign are additional characters. */
const EXACT_LENGTH = 15;
/** The length of `YYYY-MM-DD HH:MM:SS`. */
const TIME_LENGTH = 19;
/** Not only printable characters: quotes, backslashes, control characters, and halves of surrogate pairs may need an escape. */
const NEEDS_ESCAPE = /["\\]|[^ -\ud7ff]/;
