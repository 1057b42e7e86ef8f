import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface DownloadOptions {
  /** The folder of the downloads. An interrupted download in it is continued. */
  readonly folder: string;
  /** The number of attempts after the first one. Default 5. */
  readonly retries?: number;
  /**
   * The wait before the second attempt in milliseconds, 1,000 by default. The wait doubles for each further attempt, and is multiplied by a
   * random factor between 1 and 2.
   */
  readonly waitMs?: number;
  /** An attempt is aborted if no bytes are received for this many milliseconds. Default 30,000. */
  readonly stallMs?: number;
  /** An attempt is aborted after this many milliseconds, so that a slow server cannot delay it forever. Default one hour. */
  readonly attemptMs?: number;
  /** Larger files are rejected. Default 4 GB. The files of the archive are smaller than 0.3 GB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** The download has failed. The message contains the URL, the cause and the number of attempts. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  /** The milliseconds that the server asked to wait before the next request. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.retryAfterMs = cause instanceof StatusError ? cause.retryAfterMs : undefined;
  }
}

/**
 * Downloads `url` into the folder as `name`, unless this file exists. Returns the path of the file, or undefined if the server does not
 * have it (404, 410). Throws `DownloadError`.
 */
export async function download(url: string, name: string, options: DownloadOptions): Promise<string | undefined> {
  await mkdir(options.folder, { recursive: true });
  const path = join(options.folder, name);
  if (await exists(path)) return path;
  const { retries = 5, waitMs = 1_000, signal } = options;
  // The retry policy of cockatiel is not used, because it cannot be aborted during a wait.
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt(url, path, options);
    } catch (error) {
      signal?.throwIfAborted();
      if (isFinal(error) || attempts > retries) throw downloadError(url, attempts, error);
      const wait = pause(waitBeforeNext(error, attempts, waitMs), undefined, signal ? { signal } : {});
      await wait.catch(() => signal?.throwIfAborted());
    }
  }
}

const MAX_BYTES = 4_000_000_000;
const MAX_REDIRECTS = 5;
/** The longest wait between two attempts, even if the server asks for a longer one. */
const MAX_WAIT_MS = 60_000;

/** The milliseconds before the next attempt. The time that the server asked for is added to the usual wait. */
function waitBeforeNext(error: unknown, attempts: number, waitMs: number): number {
  const usual = waitMs * 2 ** (attempts - 1) * (1 + Math.random());
  const asked = error instanceof StatusError ? (error.retryAfterMs ?? 0) : 0;
  return Math.min(usual, MAX_WAIT_MS) + Math.min(asked, MAX_WAIT_MS);
}

function downloadError(url: string, attempts: number, error: unknown): DownloadError {
  const tries = attempts === 1 ? '' : ` after ${attempts} attempts`;
  // For errors of `fetch`, only the cause contains the reason.
  const reason = error instanceof TypeError ? (error.cause ?? error) : error;
  return new DownloadError(`${url} could not be downloaded${tries}: ${(reason as Error).message}`, error);
}

/** Whether another attempt would have the same result. Only statuses that may be temporary are retried. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof StatusError)) return error instanceof FinalError;
  return error.status < 500 && ![408, 416, 425, 429].includes(error.status);
}

class FinalError extends Error {}

/** Whether a complete download exists. The file of an incomplete download has another name. */
async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function attempt(url: string, path: string, options: DownloadOptions): Promise<string | undefined> {
  const watch = new StallWatch(options);
  try {
    const partial = await readPartialFile(path, url);
    const response = await request(url, partial, watch.signal);
    if (response.status === 404 || response.status === 410) return undefined;
    if (response.status === 416) await rm(`${path}.part`, { force: true });
    if (!response.ok) throw new StatusError(response.status, response.headers);
    await receive(response, url, path, partial, { watch, maxBytes: options.maxBytes ?? MAX_BYTES });
    await rename(`${path}.part`, path);
    await rm(`${path}.meta`, { force: true });
    return path;
  } finally {
    watch.stop();
  }
}

class StatusError extends Error {
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly status: number,
    headers: Headers,
  ) {
    super(`the server returned status ${status}`);
    this.retryAfterMs = retryAfterOf(headers);
  }
}

/** Returns the milliseconds of `Retry-After`, which is a number of seconds or a date. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

interface PartialFile {
  readonly bytes: number;
  /**
   * The ETag or Last-Modified date of the version whose download was started. If undefined, the next attempt starts from the first byte.
   */
  readonly version: string | undefined;
}

async function readPartialFile(path: string, url: string): Promise<PartialFile> {
  try {
    const [bytes, version] = [(await stat(`${path}.part`)).size, JSON.parse(await readFile(`${path}.meta`, 'utf8'))];
    return version.url === url ? { bytes, version: version.version } : { bytes: 0, version: undefined };
  } catch {
    return { bytes: 0, version: undefined };
  }
}

async function request(url: string, partial: PartialFile, signal: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (partial.bytes > 0 && partial.version !== undefined) {
    headers.range = `bytes=${partial.bytes}-`;
    headers['if-range'] = partial.version;
  }
  let address = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await fetch(address, { headers, signal, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    const next = new URL(location, address);
    // This check is needed because the SDK of the SQL parser replaces `fetch` by a function that also reads `file:` URLs.
    if (!/^https?:$/.test(next.protocol))
      throw new FinalError(`expected a redirect to http or https, got ${next.protocol}`);
    address = next.href;
  }
  throw new FinalError(`more than ${MAX_REDIRECTS} redirects`);
}

async function receive(
  response: Response,
  url: string,
  path: string,
  partial: PartialFile,
  { watch, maxBytes }: { readonly watch: StallWatch; readonly maxBytes: number },
): Promise<void> {
  const from = response.status === 206 ? partial.bytes : 0;
  const range = response.headers.get('content-range');
  if (from > 0 && range?.startsWith(`bytes ${from}-`) !== true) {
    await rm(`${path}.part`, { force: true });
    throw new Error(`expected the bytes from ${from}, the server sent ${range ?? 'a part without content-range'}`);
  }
  const version = strongVersion(response.headers);
  await writeFile(`${path}.meta`, JSON.stringify({ url, version }));
  const length = response.headers.get('content-length');
  const expected = length === null || response.headers.has('content-encoding') ? undefined : from + Number(length);
  if (response.body === null) throw new Error('the response has no body');
  const file = await open(`${path}.part`, from > 0 ? 'a' : 'w');
  let size = from;
  try {
    // Writes each piece immediately, so that the next attempt can continue after an error.
    for await (const piece of response.body) {
      watch.postpone();
      size += piece.length;
      if (size > maxBytes) break;
      await file.writeFile(piece);
    }
  } finally {
    await file.close();
  }
  if (size > maxBytes) {
    for (const suffix of ['.part', '.meta']) await rm(path + suffix, { force: true });
    throw new FinalError(`the file has more than ${maxBytes} bytes`);
  }
  if (expected !== undefined && size !== expected) {
    throw new Error(`the response ended after ${size} of ${expected} bytes`);
  }
}

/**
 * Returns the version with which an interrupted download can be continued. A weak ETag is not used, because it does not guarantee equal
 * bytes.
 */
function strongVersion(headers: Headers): string | undefined {
  const etag = headers.get('etag');
  if (etag !== null && !etag.startsWith('W/')) return etag;
  return headers.get('last-modified') ?? undefined;
}

/** Aborts its signal when no bytes arrive for some time, or when the attempt takes too long. */
class StallWatch {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #ms: number;
  readonly #end: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;

  constructor({ stallMs = 30_000, attemptMs = 3_600_000, signal }: DownloadOptions) {
    this.#ms = stallMs;
    this.signal = signal === undefined ? this.#controller.signal : AbortSignal.any([signal, this.#controller.signal]);
    const tooLong = new Error(`the download was not complete after ${attemptMs / 1000} s`);
    this.#end = setTimeout(() => this.#controller.abort(tooLong), attemptMs);
    this.postpone();
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#end);
  }

  /** Must be called when bytes were received. */
  postpone(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#controller.abort(new Error(`no bytes were received for ${this.#ms / 1000} s`));
    }, this.#ms);
  }
}
