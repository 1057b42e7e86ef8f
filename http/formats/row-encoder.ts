import type { Cell, ColumnDefinition } from '../../engine/index.js';
import type { AnswerFacts } from './answer-facts.js';
import { createArrowEncoder } from './arrow.js';
import { createCsvEncoder } from './csv.js';
import type { RowFormat } from './format.js';
import { createNdjsonEncoder } from './ndjson.js';

export type Rows = readonly (readonly Cell[])[];

/** Writes the rows of one answer in their order. Text is in UTF-8. */
export interface RowEncoder {
  /** Returns what precedes the first row. */
  start(): string | Buffer;
  /** Returns a batch of rows. Throws a `TypeError` if a cell does not fit the declared type of its column. */
  rows(rows: Rows): string | Buffer;
  /** Returns what follows the last row. */
  end(facts: AnswerFacts): string | Buffer;
}

export function createRowEncoder(format: RowFormat, columns: readonly ColumnDefinition[]): RowEncoder {
  switch (format) {
    case 'csv':
    case 'csv-safe':
      return createCsvEncoder(columns, format === 'csv-safe');
    case 'ndjson':
      return createNdjsonEncoder(columns);
    case 'arrow':
      return createArrowEncoder(columns);
  }
}

/** Writes a whole answer. `end` is the part that contains metadata. */
export function encodeAnswer(
  format: RowFormat,
  columns: readonly ColumnDefinition[],
  rows: Rows,
  facts: AnswerFacts,
): { readonly body: Buffer; readonly endBytes: number } {
  const encoder = createRowEncoder(format, columns);
  const parts = [encoder.start()];
  for (let first = 0; first < rows.length; first += BATCH_ROWS) {
    parts.push(encoder.rows(rows.slice(first, first + BATCH_ROWS)));
  }
  const end = toBuffer(encoder.end(facts));
  return { body: Buffer.concat([...parts.map(toBuffer), end]), endBytes: end.length };
}

/** The rows of a batch. Larger batches need more memory. */
const BATCH_ROWS = 8_192;

function toBuffer(part: string | Buffer): Buffer {
  return typeof part === 'string' ? Buffer.from(part) : part;
}
