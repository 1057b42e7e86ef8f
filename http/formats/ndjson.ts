import { type ColumnDefinition, createJsonWriter } from '../../engine/index.js';
import type { RowEncoder, Rows } from './row-encoder.js';

/**
 * Writes one JSON object per line, with the same values as `/q`: exact numbers as numbers, NULL as null. The last line is the
 * closing record, whose only member is `_end`.
 */
export function createNdjsonEncoder(columns: readonly ColumnDefinition[]): RowEncoder {
  const members = columns.map((column, index) => ({
    name: `${index === 0 ? '{' : ','}${JSON.stringify(column.col)}:`,
    write: createJsonWriter(column),
  }));
  return {
    start: () => '',
    rows(rows: Rows) {
      let text = '';
      for (const cells of rows) {
        for (let index = 0; index < members.length; index += 1) {
          const { name, write } = members[index] as (typeof members)[number];
          text += name + write(cells[index] ?? null);
        }
        text += '}\n';
      }
      return text;
    },
    end: (facts) => `${JSON.stringify({ _end: facts })}\n`,
  };
}
