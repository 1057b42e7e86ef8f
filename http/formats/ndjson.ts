import { type ColumnDefinition, createJsonWriter } from '../../engine/index.js';
import type { RowEncoder, Rows } from './row-encoder.js';
import { TextBuffer } from './text-buffer.js';

/**
 * Writes one JSON object per line, with the same values as `/q`: exact numbers as numbers, NULL as null. The last line is the
 * closing record, whose only member is `_end`.
 */
export function createNdjsonEncoder(columns: readonly ColumnDefinition[]): RowEncoder {
  const members = columns.map((column, index) => ({
    name: `${index === 0 ? '{' : ','}${JSON.stringify(column.col)}:`,
    write: createJsonWriter(column),
  }));
  const buffer = new TextBuffer();
  return {
    start: () => '',
    rows(rows: Rows) {
      for (const cells of rows) {
        let text = '';
        for (let index = 0; index < members.length; index += 1) {
          const { name, write } = members[index] as (typeof members)[number];
          text += name + write(cells[index] ?? null);
        }
        buffer.add(`${text}}\n`);
      }
      return buffer.take();
    },
    end: (facts) => `${JSON.stringify({ _end: facts })}\n`,
  };
}
