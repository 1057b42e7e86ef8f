import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pRetry, { AbortError } from 'p-retry';

export interface DownloadOptions {
  /** Where files are put; what a broken download left there is continued. */
  readonly folder: string;
  /** Further attempts after the first. Default 5. */
  readonly retries?: number;
  /** Milliseconds before the second attempt, doubled for each further one, up to twice as much by chance. Default 1,000. */
  readonly waitMs?: number;
  /** Milliseconds without a byte after which an attempt ends. Default 30,000. */
  readonly stallMs?: number;
  readonly signal?: AbortSignal;
}

/** The file could not be fetched; the message tells the address, what came and after how many attempts. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

/** Fetches `url` into the folder as `name`, if it is not there. Returns the path, or undefined when the server has no such file (404, 410). */
export async function download(url: string, name: string, options: DownloadOptions): Promise<string | undefined> {
  await mkdir(options.folder, { recursive: true });
  const path = join(options.folder, name);
  if (await isThere(path)) return path;
  const { retries = 5, waitMs = 1_000, signal } = options;
  let attempts = 0;
  try {
    return await pRetry(
      () => {
        attempts++;
        return attempt(url, path, options);
      },
      { retries, minTimeout: waitMs, factor: 2, maxTimeout: 60_000, randomize: true, ...(signal ? { signal } : {}) },
    );
  } catch (error) {
    signal?.throwIfAborted();
    const tries = attempts === 1 ? '' : ` after ${attempts} attempts`;
    throw new DownloadError(`${url} could not be downloaded${tries}: ${(error as Error).message}`, { cause: error });
  }
}

const MAX_REDIRECTS = 5;

/** Only a whole download gets its name. */
async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function attempt(url: string, path: string, options: DownloadOptions): Promise<string | undefined> {
  const stall = new Stall(options.stallMs ?? 30_000, options.signal);
  try {
    const partial = await partialFile(path, url);
    const response = await request(url, partial, stall.signal);
    if (response.status === 404 || response.status === 410) return undefined;
    if (response.status === 416) await rm(`${path}.part`, { force: true });
    if (!response.ok) throw refusal(response.status);
    await receive(response, url, path, partial, stall);
    await rename(`${path}.part`, path);
    await rm(`${path}.meta`, { force: true });
    return path;
  } catch (error) {
    // TypeErrors of fetch would end the attempts, and their messages hide what happened in the cause.
    if (error instanceof TypeError)
      throw new Error(String((error.cause as Error | undefined)?.message ?? error.message));
    throw error;
  } finally {
    stall.stop();
  }
}

/** Only what may be different the next time is tried again. */
function refusal(status: number): Error {
  const error = new Error(`the server answered ${status}`);
  return status >= 500 || [408, 416, 425, 429].includes(status) ? error : new AbortError(error);
}

interface PartialFile {
  readonly bytes: number;
  /** ETag or date of the version that was begun. Without one it cannot be known whether the rest still fits. */
  readonly version: string | undefined;
}

async function partialFile(path: string, url: string): Promise<PartialFile> {
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
    // The SDK of the SQL parser replaces fetch by one that also reads `file:` URLs.
    if (!/^https?:$/.test(next.protocol))
      throw new AbortError(`it is redirected to ${next.protocol}, not to http or https`);
    address = next.href;
  }
  throw new AbortError(`more than ${MAX_REDIRECTS} redirects`);
}

async function receive(
  response: Response,
  url: string,
  path: string,
  partial: PartialFile,
  stall: Stall,
): Promise<void> {
  const from = response.status === 206 ? partial.bytes : 0;
  const range = response.headers.get('content-range');
  if (from > 0 && range?.startsWith(`bytes ${from}-`) !== true) {
    await rm(`${path}.part`, { force: true });
    throw new Error(`asked for the bytes from ${from} on, the server sent ${range ?? 'a part without its place'}`);
  }
  const version = strongVersion(response.headers);
  await writeFile(`${path}.meta`, JSON.stringify({ url, version }));
  const length = response.headers.get('content-length');
  const expected = length === null || response.headers.has('content-encoding') ? undefined : from + Number(length);
  if (response.body === null) throw new Error('the answer has no body');
  const file = await open(`${path}.part`, from > 0 ? 'a' : 'w');
  let size = from;
  try {
    // Piece by piece, so that what came before a fault is there for the next attempt.
    for await (const piece of response.body) {
      stall.postpone();
      await file.writeFile(piece);
      size += piece.length;
    }
  } finally {
    await file.close();
  }
  if (expected !== undefined && size !== expected) {
    throw new Error(`it ended after ${size} of ${expected} bytes`);
  }
}

/** A weak ETag says "equal in meaning", which is not enough to append bytes. */
function strongVersion(headers: Headers): string | undefined {
  const etag = headers.get('etag');
  if (etag !== null && !etag.startsWith('W/')) return etag;
  return headers.get('last-modified') ?? undefined;
}

/** Ends an attempt that receives nothing for a while. */
class Stall {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #ms: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, outer: AbortSignal | undefined) {
    this.#ms = ms;
    this.signal = outer === undefined ? this.#controller.signal : AbortSignal.any([outer, this.#controller.signal]);
    this.postpone();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Something came. */
  postpone(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#controller.abort(new Error(`nothing came for ${this.#ms / 1000} s`));
    }, this.#ms);
  }
}
