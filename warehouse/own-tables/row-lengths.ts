import { createReadStream } from 'node:fs';
import { OwnTableError } from './own-table-name.js';

/** The maximum length of a row of a CSV file. */
export const MAX_ROW_BYTES = 2 * 1024 * 1024;

/**
 * Throws `OwnTableError` if a row of a CSV file is longer than `MAX_ROW_BYTES`, because DuckDB drops a row that exceeds its buffer without
 * an error. A row can have several lines, because quoted cells can contain line breaks.
 */
export async function requireShortRows(path: string, file: string): Promise<void> {
  let isQuoted = false;
  let length = 0;
  let line = 1;
  let firstLine = 1;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === QUOTE) isQuoted = !isQuoted;
      const isEnd = byte === NEW_LINE || byte === CARRIAGE_RETURN;
      if (byte === NEW_LINE) line++;
      length = isEnd && !isQuoted ? 0 : length + 1;
      if (length === 1) firstLine = line;
      if (length <= MAX_ROW_BYTES) continue;
      throw new OwnTableError(
        `${file}:${firstLine}: the row has more than ${MAX_ROW_BYTES} bytes, which is the limit; is a quote missing?`,
      );
    }
  }
}

const QUOTE = 0x22;
const NEW_LINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
