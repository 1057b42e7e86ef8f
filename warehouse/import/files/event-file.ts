import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** A file that cannot be read as a whole: cut short, damaged, no event file, or not there. */
export class EventFileError extends Error {
  override readonly name = 'EventFileError';
}

/** SHA-256 of the file's bytes in hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path, { highWaterMark: READ_BYTES })) hash.update(piece);
  return hash.digest('hex');
}

export interface OpenedEventFile {
  /** The decompressed bytes. Throws `EventFileError`, at the latest at the end, when the file is not whole. */
  readonly text: AsyncIterable<Buffer>;
  /** SHA-256 of the file's own bytes, once `text` has been read to its end. */
  digest(): string;
}

/** Opens a file, gzip or plain by its content. `onBytes` hears how many of its own bytes were read. */
export async function openEventFile(path: string, onBytes: (bytes: number) => void): Promise<OpenedEventFile> {
  const start = await firstBytes(path);
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
  if (!isGzip) refuseBinary(start);
  const text = isGzip ? createGunzip({ chunkSize: TEXT_BYTES }) : counted;
  // Errors reach the reader through `text`, which the pipeline destroys with them.
  if (isGzip) pipeline(file, counted, text, () => undefined);
  else pipeline(file, counted, () => undefined);
  return { text: explained(text), digest: () => hash.digest('hex') };
}

const READ_BYTES = 256 * 1024;
const TEXT_BYTES = 1024 * 1024;
const START_BYTES = 512;

async function firstBytes(path: string): Promise<Buffer> {
  try {
    const facts = await stat(path);
    if (!facts.isFile()) throw new EventFileError('It is a folder, a pipe or a device, and no file.');
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

function refuseBinary(start: Buffer): void {
  if (!start.some((byte) => byte < 0x09)) return;
  const bytes = start
    .subarray(0, 4)
    .toString('hex')
    .replace(/..(?=.)/g, '$& ');
  throw new EventFileError(
    `The file is neither gzip nor text: expected gzip (1f 8b) or JSON lines, it begins with ${bytes}. ` +
      'Download it again.',
  );
}

function rejectArray(start: Buffer): void {
  if (!/^\uFEFF?\s*\[/.test(start.subarray(0, START_BYTES).toString())) return;
  throw new EventFileError(
    "The file is one JSON array: expected one JSON object a line. Convert it: jq -c '.[]' array.json > lines.json",
  );
}

async function* explained(text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
    return new EventFileError('The file is cut short: its gzip data end too early. Download it again.');
  }
  if (code?.startsWith('Z_')) {
    return new EventFileError(`The file is damaged: its gzip data are wrong (${message}). Download it again.`);
  }
  if (code === 'ENOENT') return new EventFileError('There is no such file.');
  if (code === 'ELOOP') return new EventFileError('The file is a link that leads to itself.');
  if (code === 'EACCES') return new EventFileError('The file may not be read by this user.');
  return error;
}
