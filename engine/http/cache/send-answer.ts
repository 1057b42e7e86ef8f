import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { addDataHeaders, addRowHeaders } from '../formats/answer-facts.js';
import { CONTENT_TYPES, dispositionOf, isRowFormat, type RowFormat } from '../formats/format.js';
import { HttpProblem } from '../problems/http-problem.js';
import { addCacheHeaders } from './cache-headers.js';
import { addDefinitionHeaders } from './definition-headers.js';
import { chooseEncoding, type Encoding } from './encoding-choice.js';
import type { CacheOutcome, ServedAnswer, StoredAnswer } from './stored-answer.js';

/** A response that is ready to be written. */
export interface PreparedResponse {
  readonly status: 200 | 206 | 304;
  /** All headers except `Vary`. Each name is followed by its value. */
  readonly headers: readonly string[];
  /** The body, or for status 206 the requested part. Undefined for HEAD and for status 304. */
  readonly body: Buffer | undefined;
  /** Whether the middleware `compression` must compress the body, because no stored form has an encoding that the client accepts. */
  readonly needsCompression: boolean;
}

/**
 * Sends a response, and keeps headers that are already set on it. The middleware `compression` must be installed with
 * the filter `canCompress`.
 */
export function sendPrepared(response: ServerResponse, prepared: PreparedResponse): void {
  const { status, headers, body, needsCompression } = prepared;
  if (!needsCompression) complete.add(response);
  response.statusCode = status;
  setHeaders(response, headers);
  response.setHeader('Vary', addVaryingHeaders(String(response.getHeader('Vary') ?? '')));
  response.end(body);
}

/** Sets headers. In `list`, each name is followed by its value. */
export function setHeaders(response: ServerResponse, list: readonly string[]): void {
  for (let index = 0; index < list.length; index += 2) {
    response.setHeader(list[index] as string, list[index + 1] as string);
  }
}

/** Prevents the middleware `compression` from compressing a response. */
export function sendUncompressed(response: ServerResponse): void {
  complete.add(response);
}

/** Whether the middleware `compression` may compress a response. This is false for responses that are already encoded. */
export function canCompress(response: ServerResponse): boolean {
  return !complete.has(response);
}

const complete = new WeakSet<ServerResponse>();

/**
 * Returns the response to a request with a stored answer, without sending it. `now` is in milliseconds since 1970. Throws
 * `range_not_satisfiable`.
 */
export function prepareResponse(
  { method, headers: sent }: Pick<IncomingMessage, 'method' | 'headers'>,
  served: ServedAnswer,
  target: string,
  now: number,
): PreparedResponse {
  const { answer, outcome } = served;
  const { encoding, bytes } = chooseEncoding(answer, sent['accept-encoding'], isRepeated(outcome));
  const isStale = outcome.kind === 'stale';
  const etag = bytes === undefined ? `W/"${answer.hash}-${encoding}"` : strongTag(answer.hash, encoding);
  const headers: string[] = [];
  // A stale answer has no ETag: a 304 would hide from the client that its copy is not current.
  if (!isStale) headers.push('ETag', etag);
  addDefinitionHeaders(headers, answer.endpoint);
  addCacheHeaders(headers, served, now);
  if (!isStale && isUnchanged(sent, etag)) return { status: 304, headers, body: undefined, needsCompression: false };
  if (isRowFormat(answer.representation)) addFormatHeaders(headers, answer, answer.representation);
  else headers.push('Content-Type', 'application/json; charset=utf-8');
  const isHead = method === 'HEAD';
  const needsCompression = bytes === undefined && !isHead;
  const body = bytes ?? answer.body;
  const canResume = bytes !== undefined && hasRanges(served);
  if (canResume) headers.push('Accept-Ranges', 'bytes');
  const range = canResume && method === 'GET' ? findRange(sent, etag, body.length) : undefined;
  // When it compresses, the middleware replaces `Content-Length` by `Content-Encoding`, except for HEAD.
  if (encoding !== 'identity' && !needsCompression) headers.push('Content-Encoding', encoding);
  const sentBody = range === undefined ? body : body.subarray(range.start, range.end);
  if (range !== undefined) headers.push('Content-Range', contentRange(range, body.length));
  if (bytes !== undefined || needsCompression) headers.push('Content-Length', String(sentBody.length));
  const next = nextPageOf(answer);
  if (next !== undefined) headers.push('Link', linkOf(answer, target, next));
  if (range !== undefined) return { status: 206, headers, body: sentBody, needsCompression };
  return { status: 200, headers, body: isHead ? undefined : body, needsCompression };
}

/** Whether clients can request byte ranges of an answer: only in row formats, and only if later requests get the same bytes. */
export function hasRanges({ answer, outcome }: ServedAnswer): boolean {
  if (!isRowFormat(answer.representation)) return false;
  return outcome.kind === 'hit' || (outcome.kind === 'miss' && outcome.isStored);
}

/** Whether other requests will probably get the same answer. */
function isRepeated(outcome: CacheOutcome): boolean {
  return outcome.kind === 'miss' ? outcome.isCollapsed : outcome.kind !== 'bypass';
}

/** Adds to the value of `Vary` the request headers that select the format and the encoding of an answer. */
export function addVaryingHeaders(vary: string): string {
  if (vary === '*') return vary;
  const names = vary === '' ? [] : vary.split(/\s*,\s*/);
  const present = new Set(names.map((name) => name.toLowerCase()));
  return [...names, ...VARYING.filter((name) => !present.has(name.toLowerCase()))].join(', ');
}

const VARYING = ['Accept', 'Accept-Encoding'];

function addFormatHeaders(headers: string[], { endpoint, facts }: StoredAnswer, format: RowFormat): void {
  headers.push('Content-Type', CONTENT_TYPES[format]);
  headers.push('Content-Disposition', dispositionOf(endpoint.definition.name, format));
  if (facts === undefined) return;
  addDataHeaders(headers, facts);
  addRowHeaders(headers, facts);
}

/** Whether the request accepts a cached answer without a new check of its version. */
export function acceptsCached({ 'cache-control': control, pragma }: IncomingMessage['headers']): boolean {
  if (control !== undefined) return !NO_CACHE.test(control);
  return pragma === undefined || !NO_CACHE.test(pragma);
}

const NO_CACHE = /(?:^|,)\s*no-cache\s*(?:,|=|$)/i;

/** Each encoding has a separate ETag, because a strong ETag identifies exact bytes. */
function strongTag(hash: string, encoding: Encoding): string {
  return encoding === 'identity' ? `"${hash}"` : `"${hash}-${encoding}"`;
}

/**
 * Whether the client already has this answer, so that 304 is enough. ETags are compared weakly (RFC 9110, section
 * 13.1.2). `*` never matches, and a client that sends `no-cache` gets a complete answer.
 */
export function isUnchanged(sent: IncomingMessage['headers'], etag: string): boolean {
  const tags = sent['if-none-match'];
  if (tags === undefined || !acceptsCached(sent)) return false;
  if (tags === etag) return true;
  const opaque = etag.startsWith('W/') ? etag.slice(2) : etag;
  return tags.match(/"[^"]*"/g)?.includes(opaque) ?? false;
}

/** The last `Link` header of each answer, with the target for which it was written. */
const links = new WeakMap<StoredAnswer, { readonly target: string; readonly link: string }>();

/** Returns the parameter for the next page: its number, or its cursor if this page was requested by a cursor. */
export function nextPageOf({ nextPage, nextCursor }: StoredAnswer): NextPage | undefined {
  if (nextPage !== undefined) return { page: String(nextPage) };
  return nextCursor === undefined ? undefined : { cursor: nextCursor };
}

type NextPage = Readonly<Record<string, string>>;

function linkOf(answer: StoredAnswer, target: string, page: NextPage): string {
  const last = links.get(answer);
  if (last?.target === target) return last.link;
  const link = `<${pageUrl(target, page)}>; rel="next"`;
  links.set(answer, { target, link });
  return link;
}

/** Returns the URL of another page. The URL has no host, so that it is valid behind any proxy. */
export function pageUrl(target: string, page: NextPage): string {
  const withoutHost = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').replace(/#.*/, '');
  const start = withoutHost.indexOf('?');
  const query = new URLSearchParams(start < 0 ? '' : withoutHost.slice(start + 1));
  if (page.cursor !== undefined) query.delete('page');
  for (const [name, value] of Object.entries(page)) query.set(name, value);
  return `${start < 0 ? withoutHost : withoutHost.slice(0, start)}?${query}`;
}

/** A part of a body: the first byte, and the byte after the last one. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the part of a body that a GET request asks for (RFC 9110, section 14); undefined for the whole body. Lists of
 * ranges and invalid ranges are ignored. If `If-Range` does not match the ETag, the client gets the whole body; a date
 * in `If-Range` never matches. Throws `range_not_satisfiable`.
 */
function findRange(sent: IncomingHttpHeaders, etag: string, length: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(sent.range ?? '') ?? [];
  const condition = sent['if-range'];
  if ((first === '' && last === '') || (condition !== undefined && condition !== etag)) return undefined;
  const isSuffix = first === '';
  if (!isSuffix && last !== '' && Number(last) < Number(first)) return undefined;
  const start = isSuffix ? Math.max(0, length - Number(last)) : Number(first);
  const end = isSuffix || last === '' ? length : Math.min(length, Number(last) + 1);
  if (start < end) return { start, end };
  const message = `The answer has ${length} bytes, and the range ${first}-${last} contains none of them.`;
  throw new HttpProblem('range_not_satisfiable', message, { headers: { 'Content-Range': `bytes */${length}` } });
}

/** Returns the value of `Content-Range`. */
function contentRange({ start, end }: ByteRange, length: number): string {
  return `bytes ${start}-${end - 1}/${length}`;
}
