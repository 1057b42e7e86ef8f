import { type FileHandle, open } from 'node:fs/promises';

/**
 * Checks the write-ahead log of a database file before DuckDB opens it. Returns a message for the operator about the part that DuckDB will
 * discard; undefined if DuckDB will discard nothing. DuckDB itself does not report the loss: it opens the file without the commits that it
 * cannot read. DuckDB reports an error only if a record has a wrong checksum.
 */
export async function findDiscardedLog(file: string): Promise<string | undefined> {
  const path = `${file}.wal`;
  const log = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (log === undefined) return undefined;
  try {
    const { size } = await log.stat();
    const kept = await lengthOfCommits(log, size);
    if (kept === size && size > 0) return undefined;
    return kept === 0
      ? `The write-ahead log ${path} (${size} bytes) is discarded: it is damaged or belongs to another program. ${ALL_LOST}`
      : `The write-ahead log ${path} ends in the middle of a commit: ${size - kept} of its ${size} bytes are discarded. ${LAST_LOST}`;
  } finally {
    await log.close();
  }
}

const ALL_LOST = 'All commits after the last checkpoint are lost. Import their files again, or restore a backup.';
const LAST_LOST =
  'After a crash these are changes that were not confirmed. If the file was damaged in another way, confirmed commits are lost.';

/** The `WAL_VERSION` record. Version 2 is the latest one without encryption. */
const HEADER = /^6400626500(01|02)ffff$/;
const HEADER_BYTES = 8;
/** The number of bytes before each record: its length and its checksum, 8 bytes each. */
const FRAME_BYTES = 16;
/** The types of records that end a commit: `CHECKPOINT` and `WAL_FLUSH`. */
const LAST_OF_COMMIT = new Set([99, 100]);

/**
 * Returns the number of bytes up to the end of the last complete commit. Returns 0 if the file is not a write-ahead
 * log.
 */
async function lengthOfCommits(log: FileHandle, size: number): Promise<number> {
  const header = await bytesAt(log, 0, HEADER_BYTES);
  if (!HEADER.test(header.toString('hex'))) return 0;
  let [kept, at] = [HEADER_BYTES, HEADER_BYTES];
  while (at + FRAME_BYTES < size) {
    const frame = await bytesAt(log, at, FRAME_BYTES + 3);
    const end = at + FRAME_BYTES + Number(frame.readBigUInt64LE());
    if (frame.length < FRAME_BYTES + 3 || end > size) break;
    at = end;
    // The type is the third byte of the record, after the two bytes of the field number.
    if (LAST_OF_COMMIT.has(frame[FRAME_BYTES + 2] ?? 0)) kept = end;
  }
  return kept;
}

async function bytesAt(log: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await log.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
