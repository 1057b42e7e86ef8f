import { createHash } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import type { BatchFile } from './batch.js';
import { ahead } from './files/ahead.js';
import { type Chunk, writeChunks } from './files/chunks.js';
import { DownloadError, download } from './files/download.js';
import { digestOf, EventFileError, openEventFile } from './files/event-file.js';
import type { Source } from './files/sources.js';
import type { KnownFiles } from './known-files.js';
import { type FileOutcome, outcome } from './summary.js';

/** A source that is being unpacked into chunks, a few ahead of their reader. */
export interface OpenedSource extends BatchFile {
  readonly chunks: AsyncIterableIterator<Chunk>;
  /** SHA-256 of the file, once its chunks are read. */
  digest(): string;
  /** The file to delete when it is no longer needed. */
  readonly downloaded?: string;
}

export interface SourceOptions {
  /** Where chunks are written. */
  readonly folder: string;
  readonly downloadDirectory: string;
  readonly known: KnownFiles;
  readonly retries?: number;
  readonly retryWaitMs?: number;
  readonly stallMs?: number;
  readonly signal?: AbortSignal;
  /** Hears of bytes read from files. */
  readonly onBytes: (bytes: number) => void;
  /** Hears of the size of a file once it is known. */
  readonly onSize: (bytes: number) => void;
}

/** Fetches a source if need be and starts to unpack it; or tells why there is nothing to read. */
export async function openSource(
  source: Source,
  file: number,
  options: SourceOptions,
): Promise<OpenedSource | FileOutcome> {
  const { name, source: place, kind } = source;
  const end = (state: 'skipped' | 'missing' | 'failed', message: string) => outcome(file, name, place, state, message);
  let downloaded: string | undefined;
  try {
    if (kind === 'url' && options.known.hasSource(place)) return end('skipped', 'The file is imported already.');
    const path = kind === 'file' ? place : await fetched(source, options);
    if (kind === 'url') downloaded = path;
    if (path === undefined) return end('missing', 'The server has no such file; an hour may not be published yet.');
    const bytes = (await stat(path).catch(() => undefined))?.size ?? 0;
    options.onSize(bytes);
    const twin = options.known.hasSize(bytes) ? options.known.twinOf(await digestOf(path)) : undefined;
    if (twin !== undefined) {
      await discard(downloaded);
      return end('skipped', twin);
    }
    const { text, digest } = await openEventFile(path, options.onBytes);
    const chunks = ahead(writeChunks(text, options.folder, String(file)), CHUNKS_AHEAD);
    return { file, name, source: place, bytes, chunks, digest, ...(downloaded === undefined ? {} : { downloaded }) };
  } catch (error) {
    if (!(error instanceof EventFileError || error instanceof DownloadError || options.signal?.aborted)) throw error;
    // Else the next import would take it for a whole download and never ask for the file again.
    if (error instanceof EventFileError) await discard(downloaded);
    return end('failed', (error as Error).message);
  }
}

/** Ends the unpacking of a source that nobody reads on. */
export function closeSource(source: OpenedSource | FileOutcome): void {
  if ('chunks' in source) source.chunks.return?.()?.catch(() => undefined);
}

/** Chunks of a source that may lie on the disk: unpacking goes on while a batch is loaded, which keeps one core busy. */
const CHUNKS_AHEAD = 6;

/** What is of no use must not be there when the address is asked for again. */
async function discard(downloaded: string | undefined): Promise<void> {
  if (downloaded !== undefined) await rm(downloaded, { force: true });
}

/** The address is part of the name because addresses of different places may end in the same. */
function fetched(source: Source, options: SourceOptions): Promise<string | undefined> {
  const address = createHash('sha256').update(source.source).digest('hex').slice(0, 12);
  const name = `${address}-${source.name.replaceAll(/[^\w.-]/g, '_')}`;
  const { downloadDirectory: folder, retries, retryWaitMs: waitMs, stallMs, signal } = options;
  return download(source.source, name, {
    folder,
    ...(retries === undefined ? {} : { retries }),
    ...(waitMs === undefined ? {} : { waitMs }),
    ...(stallMs === undefined ? {} : { stallMs }),
    ...(signal === undefined ? {} : { signal }),
  });
}
