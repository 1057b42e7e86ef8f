import type { ColumnDefinition } from '../../engine/index.js';
import type { AnswerFacts } from './answer-facts.js';
import { createArrowEncoder } from './arrow.js';
import { createCsvEncoder } from './csv.js';
import type { ClosedFormat, RowFormat } from './format.js';
import { createNdjsonEncoder } from './ndjson.js';
import type { RowEncoder, Rows } from './row-encoder.js';

export function createRowEncoder(format: RowFormat, columns: readonly ColumnDefinition[]): RowEncoder {
  const closed = format.replace(/-unclosed$/, '') as ClosedFormat;
  const encoder = createClosedEncoder(closed, columns);
  return closed === format ? encoder : { ...encoder, end: () => '' };
}

function createClosedEncoder(format: ClosedFormat, columns: readonly ColumnDefinition[]): RowEncoder {
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
