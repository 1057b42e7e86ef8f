import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** The file cannot be read completely: it is truncated, damaged, missing or not an event file. */
export class EventFileError extends Error {
  override readonly name = 'EventFileError';
}

/** Computes the SHA-256 digest of a file, in hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: READ_BYTES })) hash.update(piece);
  return hash.digest('hex');
}

export interface OpeningOptions {
  readonly requiresGzip?: boolean;
  /** The maximum decompressed size. Default: 50 GB, many times the largest hour of the archive. */
  readonly maxUnpackedBytes?: number;
}

export interface OpenedEventFile {
  /** The decompressed bytes. The iteration throws `EventFileError` if the file is not complete, at the latest at its end. */
  readonly text: AsyncIterable<Buffer>;
  /** The SHA-256 digest of the file. The digest is only available after `text` was read to its end. */
  digest(): string;
}

/**
 * Opens a file. The content of the file determines whether it is gzip or plain text. `onBytes` is called with the number of bytes of each
 * read. With `requiresGzip`, plain text is rejected: it has no checksum, so a truncated file would not be noticed. A gzip file with more
 * than `maxUnpackedBytes` decompressed bytes is rejected, because gzip can compress by a factor of 1,000.
 */
export async function openEventFile(
  path: string,
  onBytes: (bytes: number) => void,
  { requiresGzip = false, maxUnpackedBytes = MAX_UNPACKED_BYTES }: OpeningOptions = {},
): Promise<OpenedEventFile> {
  const start = await readStart(path);
  const hash = createHash('sha256');
  const counted = new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece);
      onBytes(piece.length);
      done(null, piece);
    },
  });
  const file = createReadStream(path, { highWaterMark: READ_BYTES });
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  if (!isGzip) rejectBinary(start);
  if (!isGzip && requiresGzip) throw new EventFileError('Expected a gzip file (1f 8b), got text without a checksum.');
  const text = isGzip ? createGunzip({ chunkSize: TEXT_BYTES }) : counted;
  // The pipeline destroys `text` with an error, so the reader gets all errors from `text`.
  if (isGzip) pipeline(file, counted, text, () => undefined);
  else pipeline(file, counted, () => undefined);
  const limited = isGzip ? limitBytes(text, maxUnpackedBytes) : text;
  return { text: explainErrors(limited), digest: () => hash.digest('hex') };
}

/** Reads a gzip file to its end, and verifies its checksum. Throws `EventFileError` if the file is not complete. */
export async function readToEnd(path: string, signal: AbortSignal): Promise<void> {
  const { text } = await openEventFile(path, () => {}, { requiresGzip: true });
  for await (const _ of text) signal.throwIfAborted();
}

const READ_BYTES = 256 * 1024;
const TEXT_BYTES = 1024 * 1024;
const START_BYTES = 512;
const MAX_UNPACKED_BYTES = 50_000_000_000;

async function readStart(path: string): Promise<Buffer> {
  try {
    const facts = await stat(path);
    if (!facts.isFile()) throw new EventFileError('Expected a file, got a folder, a pipe or a device.');
    if (facts.size === 0) throw new EventFileError('The file is empty.');
    const handle = await open(path);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw explain(error);
  }
}

function rejectBinary(start: Buffer): void {
  if (!start.some((byte) => byte < 0x09)) return;
  const bytes = start
    .subarray(0, 4)
    .toString('hex')
    .replace(/..(?=.)/g, '$& ');
  throw new EventFileError(
    `Expected a gzip file (1f 8b) or JSON lines, got a binary file that starts with ${bytes}. Download it again.`,
  );
}

function rejectArray(start: Buffer): void {
  if (!/^\uFEFF?\s*\[/.test(start.subarray(0, START_BYTES).toString())) return;
  throw new EventFileError(
    "Expected one JSON object per line, got a JSON array. Convert the file: jq -c '.[]' array.json > lines.json",
  );
}

async function* limitBytes(text: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of text) {
    bytes += piece.length;
    if (bytes > maxBytes) {
      const limit = `${(maxBytes / 1e6).toLocaleString('en')} MB`;
      throw new EventFileError(
        `The file has more than ${limit} when it is unpacked. If you trust its source, import it with a larger --max-unpacked.`,
      );
    }
    yield piece;
  }
}

async function* explainErrors(text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isStart = true;
  try {
    for await (const piece of text) {
      if (isStart) rejectArray(piece);
      isStart = false;
      yield piece;
    }
  } catch (error) {
    throw explain(error);
  }
}

function explain(error: unknown): Error {
  if (error instanceof EventFileError || !(error instanceof Error)) return error as Error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') {
    return new EventFileError('The file is truncated: its gzip data end too early. Download it again.');
  }
  if (code?.startsWith('Z_')) {
    return new EventFileError(`The file is damaged: its gzip data are invalid (${message}). Download it again.`);
  }
  if (code === 'ENOENT') return new EventFileError('The file does not exist.');
  if (code === 'ELOOP') return new EventFileError('The file is a symbolic link to itself.');
  if (code === 'EACCES') return new EventFileError('This user has no permission to read the file.');
  return error;
}
