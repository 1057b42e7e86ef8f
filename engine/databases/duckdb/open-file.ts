import { chmod, type FileHandle, open, stat } from 'node:fs/promises';
import { unavailableError } from '../failures.js';
import type { EngineError } from '../interface/errors.js';

/** The database file that this process has open. Checks whether it is still the file at its path, and whether it is damaged. */
export class OpenFile {
  readonly path: string;
  readonly #inode: bigint | undefined;
  readonly #onNotice: ((message: string) => void) | undefined;
  #damage: EngineError | undefined;

  private constructor(path: string, inode: bigint | undefined, onNotice: ((message: string) => void) | undefined) {
    this.path = path;
    this.#inode = inode;
    this.#onNotice = onNotice;
  }

  /** `isInMemory` means that the database has no file. */
  static async of(path: string, isInMemory: boolean, onNotice?: (message: string) => void): Promise<OpenFile> {
    return new OpenFile(path, isInMemory ? undefined : await inodeOf(path), onNotice);
  }

  /**
   * Restricts the file, which contains e-mail addresses, and its write-ahead log to the account of this process. Reports if that is not
   * possible. DuckDB creates both with default permissions, and creates a new log after every checkpoint.
   */
  async makePrivate(): Promise<void> {
    if (this.#inode === undefined) return;
    const reasons = await Promise.all([removePermissions(this.path), this.makeLogPrivate()]);
    const reason = reasons.find((one) => one !== undefined);
    if (reason === undefined) return;
    this.#onNotice?.(`Other accounts may be able to read ${this.path}, because its mode cannot be changed: ${reason}`);
  }

  /** Restricts only the write-ahead log, after a commit. Returns the reason if that is not possible. */
  async makeLogPrivate(): Promise<string | undefined> {
    if (this.#inode === undefined) return undefined;
    // The second log contains the commits during a checkpoint; later it replaces the first log.
    const logs = ['.wal', '.wal.checkpoint'].map((end) => removePermissions(this.path + end));
    return (await Promise.all(logs)).find((reason) => reason !== undefined);
  }

  /** Throws `database_unavailable` if the file at the path was removed or replaced, because later writes would be lost. */
  async requirePresent(): Promise<void> {
    if (this.#inode === undefined || (await inodeOf(this.path)) === this.#inode) return;
    const message = `${this.path} was removed or replaced while it was open. Stop this process; put the file back, or start with the new one.`;
    throw unavailableError('The database file was removed or replaced.', new Error(message));
  }

  /** Throws `database_unavailable` if a statement found damage, or if the file at the path was removed or replaced. */
  async requireUsable(): Promise<void> {
    if (this.#damage !== undefined) throw this.#damage;
    await this.requirePresent();
  }

  /** Converts the error of a statement that found damage, and reports the damage to the operator once. Returns other errors unchanged. */
  explain(error: unknown): unknown {
    if (!(error instanceof Error) || !DAMAGE.test(causeOf(error))) return error;
    const message = `${this.path} is damaged: ${causeOf(error)} Run \`repo-insight data verify\`, and restore a backup.`;
    if (this.#damage === undefined) this.#onNotice?.(message);
    this.#damage ??= unavailableError('The database file is damaged.', new Error(message, { cause: error }));
    return this.#damage;
  }
}

/** Removes the permissions of other accounts from a file, if it exists. Returns the reason if that is not possible. */
async function removePermissions(path: string): Promise<string | undefined> {
  try {
    await chmod(path, 0o600);
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? undefined : message;
  }
}

/** The errors of DuckDB for a block with another content than it wrote. */
const DAMAGE = /Corrupt database file|computed checksum .* does not match|Could not read enough bytes/;

function causeOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** Returns the inode of a file; undefined if the file does not exist. */
async function inodeOf(path: string): Promise<bigint | undefined> {
  const facts = await stat(path, { bigint: true }).catch(() => undefined);
  return facts?.ino;
}

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
