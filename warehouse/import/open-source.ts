import { createHash } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import type { BatchFile } from './batch.js';
import { type Chunk, writeChunks } from './files/chunks.js';
import { DownloadError, download } from './files/download.js';
import { digestOf, EventFileError, openEventFile } from './files/event-file.js';
import type { Source } from './files/sources.js';
import type { ImportOptions } from './import-options.js';
import type { KnownFiles } from './ledger.js';
import { createOutcome, type FileOutcome } from './summary.js';

/** A source that is unpacked into chunk files. A few chunks are unpacked in advance. */
export interface OpenedSource extends BatchFile {
  readonly chunks: AsyncIterableIterator<Chunk>;
  /** The SHA-256 digest of the file. The digest is only available after all chunks were read. */
  digest(): string;
  /** The path of the download, to be deleted after the import. Undefined for a local file. */
  readonly downloaded?: string;
}

/** The options for one source, see `ImportOptions`. */
export type FetchOptions = Pick<
  ImportOptions,
  'downloadDirectory' | 'retries' | 'retryWaitMs' | 'stallMs' | 'attemptMs' | 'signal'
>;

export interface SourceOptions extends FetchOptions, Pick<ImportOptions, 'archiveHours' | 'maxUnpackedBytes'> {
  /** The folder for the chunk files. */
  readonly folder: string;
  readonly known: KnownFiles;
  /** Called with the number of bytes of each read, or with the size of a file that is skipped. */
  readonly onBytes: (bytes: number) => void;
  /** Called with the number and the size of a file when the size is known. */
  readonly onSize: (file: number, bytes: number) => void;
}

/** Downloads a source if necessary and starts to unpack it. Returns an outcome if there is nothing to read. */
export async function openSource(
  source: Source,
  file: number,
  options: SourceOptions,
): Promise<OpenedSource | FileOutcome> {
  const { name, source: place, kind } = source;
  const end = (state: 'skipped' | 'missing' | 'failed', message: string) =>
    createOutcome(file, name, place, state, message);
  const { archiveHours: requiresGzip = false, maxUnpackedBytes } = options;
  let downloaded: string | undefined;
  try {
    if (kind === 'url' && options.known.hasSource(place)) return end('skipped', 'The file was already imported.');
    const path = kind === 'file' ? place : await fetchSource(source, options);
    if (kind === 'url') downloaded = path;
    if (path === undefined) return end('missing', NOT_ON_SERVER);
    const bytes = (await stat(path).catch(() => undefined))?.size ?? 0;
    options.onSize(file, bytes);
    const reason = options.known.hasSize(bytes) ? options.known.reasonToSkip(await digestOf(path)) : undefined;
    if (reason !== undefined) {
      options.onBytes(bytes);
      await removeDownload(downloaded);
      return end('skipped', reason);
    }
    const { text, digest } = await openEventFile(path, options.onBytes, {
      requiresGzip,
      ...(maxUnpackedBytes !== undefined && { maxUnpackedBytes }),
    });
    const chunks = readAhead(writeChunks(text, options.folder, String(file)), CHUNKS_AHEAD);
    return { file, name, source: place, bytes, chunks, digest, ...(downloaded === undefined ? {} : { downloaded }) };
  } catch (error) {
    if (!(error instanceof EventFileError || error instanceof DownloadError || options.signal?.aborted)) throw error;
    // Without this deletion, the next import would use the same invalid download.
    if (error instanceof EventFileError) await removeDownload(downloaded);
    const { retryAfterMs } = error as DownloadError;
    return { ...end('failed', (error as Error).message), ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
}

/** Stops unpacking a source. Must be called for every source that is not read to its end. */
export function closeSource(source: OpenedSource | FileOutcome): void {
  if ('chunks' in source) source.chunks.return?.()?.catch(() => undefined);
}

export const NOT_ON_SERVER = 'The server does not have this file. A recent hour may not be published yet.';

/** Downloads a source. The file name contains a digest of the URL, because different URLs can end with the same name. */
export function fetchSource(source: Source, options: FetchOptions): Promise<string | undefined> {
  const address = createHash('sha256').update(source.source).digest('hex').slice(0, 12);
  const name = `${address}-${source.name.replaceAll(/[^\w.-]/g, '_')}`;
  const { downloadDirectory: folder, retries, retryWaitMs: waitMs, stallMs, attemptMs, signal } = options;
  return download(source.source, name, {
    folder,
    ...(retries === undefined ? {} : { retries }),
    ...(waitMs === undefined ? {} : { waitMs }),
    ...(stallMs === undefined ? {} : { stallMs }),
    ...(attemptMs === undefined ? {} : { attemptMs }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The number of chunks per source that are unpacked in advance, so that unpacking continues while a batch is loaded. */
const CHUNKS_AHEAD = 6;

async function removeDownload(downloaded: string | undefined): Promise<void> {
  if (downloaded !== undefined) await rm(downloaded, { force: true });
}

/** Reads up to `limit` values of `source` before they are requested. Reading starts immediately. */
function readAhead<T>(source: AsyncGenerator<T>, limit: number): AsyncIterableIterator<T> {
  const pending: Promise<IteratorResult<T>>[] = [];
  const pull = () => {
    const next = source.next();
    // The consumer gets the error when it calls `next`. Without this handler, an error that occurs earlier would be an unhandled rejection
    // and end the process.
    next.catch(() => undefined);
    pending.push(next);
  };
  for (let count = 0; count < limit; count++) pull();
  return {
    next() {
      pull();
      return pending.shift() as Promise<IteratorResult<T>>;
    },
    return() {
      return source.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
