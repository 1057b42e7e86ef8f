import { open } from 'node:fs/promises';
import { OwnTableError } from './own-table-error.js';

/** The first line of a CSV file. */
export interface CsvHeader {
  readonly delimiter: string;
  readonly names: readonly string[];
}

/** Reads the names of the columns and the delimiter. `file` is for messages. Throws `OwnTableError`. */
export async function readCsvHeader(path: string, file: string): Promise<CsvHeader> {
  const line = decodeLine(await readStart(path), file);
  const delimiter = findDelimiter(line);
  const names = line.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  return { delimiter, names };
}

/** The header must be in the first bytes of the file. */
const MAX_HEADER_BYTES = 16_384;

async function readStart(path: string): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_HEADER_BYTES), 0, MAX_HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function decodeLine(start: Buffer, file: string): string {
  if (start.includes(0)) {
    const encoding = /^(?:\xff\xfe|\xfe\xff)/.test(start.toString('latin1')) ? 'UTF-16' : 'not text';
    throw new OwnTableError(`${file}: the file is ${encoding}. Save it as CSV in UTF-8.`);
  }
  const end = start.findIndex((byte) => byte === NEW_LINE || byte === CARRIAGE_RETURN);
  if (end === -1 && start.length === MAX_HEADER_BYTES) {
    throw new OwnTableError(
      `${file}: the first line has more than ${MAX_HEADER_BYTES} bytes, expected the names of the columns.`,
    );
  }
  try {
    // The decoder removes a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(end === -1 ? start : start.subarray(0, end));
  } catch {
    throw new OwnTableError(`${file}: line 1 is not UTF-8. Save the file as CSV in UTF-8.`);
  }
}

const NEW_LINE = 10;
const CARRIAGE_RETURN = 13;

/** Names contain none of these characters, so the most frequent one separates them. Without any, the file has one column. */
function findDelimiter(line: string): string {
  const counts = [',', ';', '\t'].map((delimiter) => [line.split(delimiter).length, delimiter] as const);
  return counts.reduce((best, next) => (next[0] > best[0] ? next : best))[1];
}
