import { INTEGERS } from '../definition/definition.js';
import type { Cell } from '../interface/database.js';
import { createNativeWriter, type WrittenColumn } from './cells.js';

/** Creates the writer of the JSON text of native values, see `createNativeWriter`. */
export function createJsonWriter(column: WrittenColumn): (cell: Cell) => string {
  const write = createNativeWriter(column);
  const writeAny = (cell: Cell) => JSON.stringify(write(cell));
  if (!INTEGERS.has(column.data_type)) return writeAny;
  // The native writer converts numbers to text and back, which costs more than the rest of a large answer.
  return (cell) => (Number.isSafeInteger(cell) ? String(cell) : writeAny(cell));
}
