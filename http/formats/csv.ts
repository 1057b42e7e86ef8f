import { type ColumnDefinition, createTextWriter, isNumeric } from '../../engine/index.js';
import type { AnswerFacts } from './answer-facts.js';
import type { RowEncoder, Rows } from './row-encoder.js';
import { TextBuffer } from './text-buffer.js';

/**
 * Writes CSV as RFC 4180 defines it: a header record, CRLF, and quotes where a cell needs them. NULL is an empty field, an
 * empty text is `""`. In a result with one column, NULL is also `""`, because readers skip empty lines.
 *
 * A safe writer puts an apostrophe before texts that a spreadsheet would execute as a formula.
 */
export function createCsvEncoder(columns: readonly ColumnDefinition[], isSafe: boolean): RowEncoder {
  const nullField = columns.length === 1 ? '""' : '';
  const writers = columns.map((column) => {
    const write = createTextWriter(column);
    if (isNumeric(column.data_type)) return write;
    return isSafe
      ? (cell: Parameters<typeof write>[0]) => quote(neutralize(write(cell)))
      : (cell: Parameters<typeof write>[0]) => quote(write(cell));
  });
  const buffer = new TextBuffer();
  return {
    start: () => `${columns.map(({ col }) => col).join(',')}\r\n`,
    rows(rows: Rows) {
      for (const cells of rows) {
        let text = '';
        for (let index = 0; index < writers.length; index += 1) {
          const cell = cells[index] ?? null;
          if (index > 0) text += ',';
          text += cell === null ? nullField : (writers[index] as (typeof writers)[number])(cell);
        }
        buffer.add(`${text}\r\n`);
      }
      return buffer.take();
    },
    end: (facts) => (facts.truncated ? closingRecord(columns.length, facts) : ''),
  };
}

/** A truncated result must not look complete, so its last record is not a row. It has as many fields as a row. */
function closingRecord(columns: number, { rows }: AnswerFacts): string {
  const text = `_truncated: more rows exist than these ${rows}`;
  return `${text}${','.repeat(columns - 1)}\r\n`;
}

const NEEDS_QUOTES = /[",\r\n]/;

function quote(text: string): string {
  if (text === '') return '""';
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The first characters of formulas that OWASP lists, and their full-width forms, which spreadsheets convert. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

function neutralize(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
