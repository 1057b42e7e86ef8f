import { readFile, stat } from 'node:fs/promises';
import { hidePassword } from '../../../../server/settings/read-settings.js';

/** Downloads a JSON document. Throws if it is too large or does not arrive in time. */
export async function downloadDocument(url: string, signal: AbortSignal): Promise<unknown> {
  const shown = hidePassword(url) ?? url;
  if (!URL.canParse(url)) throw new Error(`${shown} is not a URL`);
  const { username, password } = new URL(url);
  if (username !== '' || password !== '')
    throw new Error(`${shown} cannot be read: a URL with a password is not supported`);
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  let response: Response;
  try {
    response = await fetch(url, { signal: limited, headers: { accept: 'application/json' } });
  } catch (error) {
    throw new Error(`${shown} cannot be read: ${reasonOf(error)}`);
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${shown} cannot be read: expected status 200, got ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new Error(TOO_LARGE);
      chunks.push(chunk);
    }
  } catch (error) {
    throw new Error(`${shown} cannot be read: ${reasonOf(error)}`);
  }
  return parseDocument(Buffer.concat(chunks).toString(), shown);
}

/** Reads a JSON document from a file. Undefined if it is not an OpenAPI document, but probably a definition. */
export async function readDocumentFile(file: string): Promise<unknown> {
  if (!file.endsWith('.json')) return undefined;
  if ((await stat(file)).size > MAX_BYTES) throw new Error(`${file} cannot be read: ${TOO_LARGE}`);
  const text = await readFile(file, 'utf8');
  return /"openapi"\s*:/.test(text) ? parseDocument(text, file) : undefined;
}

/** A description of 1,000 endpoints has about 10 MB. */
const MAX_BYTES = 64 * 1024 * 1024;
const TOO_LARGE = `the document is too large: expected at most ${MAX_BYTES / 1024 / 1024} MB`;
const TIMEOUT_MS = 30_000;

function parseDocument(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${source} is not JSON: expected the openapi.json of a service`);
  }
}

/** `fetch` reports the reason of a network error as the cause. */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === 'TimeoutError') return `no complete answer within ${TIMEOUT_MS / 1000} s`;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
