import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
  validateHeaderValue,
} from 'node:http';
import { addDataHeaders, addRowHeaders } from '../formats/answer-facts.js';
import { CONTENT_TYPES, dispositionOf, isRowFormat, type RowFormat } from '../formats/format.js';
import { HttpProblem } from '../problems/http-problem.js';
import { rememberLast } from '../remember.js';
import { chooseEncoding, type Encoding } from './answer-body.js';
import { addCacheHeaders, addDefinitionHeaders, ageOf, isoTime } from './cache-headers.js';
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

/** The response to a cache hit, as text. */
export interface HitText {
  readonly status: 200 | 304;
  /** The header lines, each with its line break, except `Vary`. */
  readonly lines: string;
  /** The body; a string contains one character per byte (Latin-1). Undefined for HEAD and for status 304. */
  readonly body: string | Buffer | undefined;
}

/**
 * Writes the same response as `prepareResponse`, but faster: responses to cache hits of one answer differ only in `Age` and
 * `X-Data-Confirmed`, so all other text is cached. Returns undefined if the response cannot be cached. `now` is in milliseconds since 1970.
 */
export function writeHit(
  { method, headers: sent }: Pick<IncomingMessage, 'method' | 'headers'>,
  served: ServedAnswer,
  target: string,
  now: number,
): HitText | undefined {
  const { outcome, queryMs, confirmedAt } = served;
  if (outcome.kind !== 'hit' || outcome.level !== 1 || queryMs !== undefined) return undefined;
  if (sent.range !== undefined && hasRanges(served)) return undefined;
  const form = formOf(served, sent['accept-encoding'], target);
  if (form === undefined) return undefined;
  let part: Part = form.complete;
  if (sent['if-none-match'] !== undefined && isUnchanged(sent, form.etag)) {
    form.unchanged ??= readPart(prepareFor(form.request, served, target, form.etag));
    part = form.unchanged;
  }
  const { status, start, end, body } = part;
  const lines = `${start}${ageOf(served, now)}\r\n${CONFIRMED}: ${isoTime(confirmedAt)}\r\n${end}`;
  return { status, lines, body: method === 'HEAD' ? undefined : body };
}

/** The cached response to cache hits in one encoding. */
interface Form {
  /** The header `Accept-Encoding` of the request. */
  readonly request: string | undefined;
  /** The target of the request, which the header `Link` contains. */
  readonly target: string;
  readonly etag: string;
  readonly complete: Part;
  unchanged: Part | undefined;
}

/** A response without the values of `Age` and `X-Data-Confirmed`, which are inserted between `start` and `end`. */
interface Part extends Pick<HitText, 'status' | 'body'> {
  readonly start: string;
  readonly end: string;
}

const AGE = 'Age';
const CONFIRMED = 'X-Data-Confirmed';

/** The forms of answers by `Accept-Encoding`, and their total size. When they are too large, a new map replaces this one. */
let forms = new WeakMap<StoredAnswer, Map<string | undefined, Form>>();
let formBytes = 0;
const MAX_FORM_BYTES = 8 * 1024 * 1024;
const OVERHEAD_BYTES = 2_000;
/** These limits prevent clients with unusual headers from filling the memory. */
const MAX_FORMS = 8;
const MAX_HEADER_LENGTH = 200;
/**
 * A body up to this size is a string. Node copies the head and such a body into one buffer, which is cheaper than
 * sending two buffers. A longer body stays a buffer, because copying it would cost more.
 */
const MAX_TEXT_BYTES = 8 * 1024;

function formOf(served: ServedAnswer, encodings: string | undefined, target: string): Form | undefined {
  const known = forms.get(served.answer)?.get(encodings);
  if (known !== undefined && (known.target === target || nextPageOf(served.answer) === undefined)) return known;
  if (encodings !== undefined && encodings.length > MAX_HEADER_LENGTH) return undefined;
  const form = createForm(served, encodings, target);
  if (form !== undefined) keep(served.answer, form);
  return form;
}

function keep(answer: StoredAnswer, form: Form): void {
  const { start, end, body } = form.complete;
  // The response with status 304 has the same texts, except for the body.
  formBytes += OVERHEAD_BYTES + form.target.length + 2 * (start.length + end.length);
  if (typeof body === 'string') formBytes += body.length;
  if (formBytes > MAX_FORM_BYTES) {
    forms = new WeakMap();
    formBytes = 0;
  }
  let ofAnswer = forms.get(answer);
  if (ofAnswer === undefined || ofAnswer.size >= MAX_FORMS) {
    ofAnswer = new Map();
    forms.set(answer, ofAnswer);
  }
  ofAnswer.set(form.request, form);
}

/** Creates the form of an answer. Returns undefined if the body must be compressed while it is sent. */
function createForm(served: ServedAnswer, encodings: string | undefined, target: string): Form | undefined {
  const prepared = prepareFor(encodings, served, target);
  const etag = prepared.headers[prepared.headers.indexOf('ETag') + 1];
  if (prepared.needsCompression || etag === undefined) return undefined;
  return { request: encodings, target, etag, complete: readPart(prepared), unchanged: undefined };
}

function prepareFor(
  encodings: string | undefined,
  served: ServedAnswer,
  target: string,
  etag?: string,
): PreparedResponse {
  const headers = {
    ...(encodings !== undefined && { 'accept-encoding': encodings }),
    ...(etag !== undefined && { 'if-none-match': etag }),
  };
  return prepareResponse({ method: 'GET', headers }, served, target, 0);
}

function readPart({ status, headers, body }: PreparedResponse): Part {
  if (status === 206) throw new Error('expected a response without a range');
  const age = headers.indexOf(AGE);
  if (age < 0 || headers[age + 2] !== CONFIRMED) throw new Error(`expected ${AGE} and ${CONFIRMED} in ${headers}`);
  const isText = body !== undefined && body.length <= MAX_TEXT_BYTES;
  return {
    status,
    start: `${headerLines(headers.slice(0, age))}${AGE}: `,
    end: headerLines(headers.slice(age + 4)),
    body: isText ? body.toString('latin1') : body,
  };
}

/** Writes headers as text. In `headers`, each name is followed by its value. Throws for values that HTTP does not allow. */
export function headerLines(headers: readonly string[]): string {
  let lines = '';
  for (let index = 0; index < headers.length; index += 2) {
    const [name, value] = [headers[index] as string, headers[index + 1] as string];
    validateHeaderValue(name, value);
    lines += `${name}: ${value}\r\n`;
  }
  return lines;
}

/** Sends a response whose headers are text, and returns its number of bytes. Returns undefined and does nothing if this is not possible. */
export type SendText = (request: IncomingMessage, response: ServerResponse, text: HitText) => number | undefined;

/**
 * Creates a function that passes the complete head of a response to Node. `writeHead` would check and copy each header of each response,
 * which costs as much as all other work for a cache hit. Node has no public API for this. So `writeHead` writes the first response. Only if
 * Node then stored the expected head in its private field, later heads are set there directly.
 */
export function createTextSender(): SendText {
  let tail: string | undefined;
  let isSupported = true;
  return (request, response, text) => {
    if (!isSupported || !isPlain(request, response)) return undefined;
    const { status, lines, body } = text;
    const bodyBytes = body?.length ?? 0;
    if (tail === undefined) {
      response.writeHead(status, headersOf(lines));
      tail = tailOf(response as OpenResponse, statusLine(status) + lines);
      isSupported = tail !== undefined;
      const headBytes = (response as OpenResponse)._header?.length ?? 0;
      endWith(response, body);
      return headBytes + bodyBytes;
    }
    const head = `${statusLine(status)}${lines}Date: ${httpDate(Math.floor(Date.now() / 1000))}\r\n${tail}`;
    response.statusCode = status;
    const isOneText = typeof body === 'string';
    (response as OpenResponse)._header = isOneText ? head + body : head;
    response.end(isOneText ? undefined : body);
    return head.length + bodyBytes;
  };
}

/** A response with the private field in which Node stores the text of the head until it is sent. */
interface OpenResponse extends ServerResponse {
  _header: string | null | undefined;
}

/** Whether status and headers determine the head: the connection stays open, and no header is already set. */
function isPlain({ httpVersion }: IncomingMessage, response: ServerResponse): boolean {
  return httpVersion === '1.1' && response.shouldKeepAlive && response.getHeaderNames().length === 0;
}

/** Returns the text that Node wrote after its header `Date`: the connection headers. Undefined if Node wrote an unexpected head. */
function tailOf(response: OpenResponse, start: string): string | undefined {
  const { _header: head } = response;
  if (!Object.getOwnPropertyDescriptor(response, '_header')?.writable) return undefined;
  if (typeof head !== 'string' || !head.startsWith(start)) return undefined;
  return /^Date: [^\r]{29}\r\n(Connection: keep-alive\r\n(?:Keep-Alive: [^\r]*\r\n)?\r\n)$/.exec(
    head.slice(start.length),
  )?.[1];
}

function statusLine(status: HitText['status']): string {
  return status === 200 ? OK : NOT_MODIFIED;
}

const OK = `HTTP/1.1 200 ${STATUS_CODES[200]}\r\n`;
const NOT_MODIFIED = `HTTP/1.1 304 ${STATUS_CODES[304]}\r\n`;

function headersOf(lines: string): string[] {
  return lines
    .split('\r\n')
    .slice(0, -1)
    .flatMap((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    });
}

function endWith(response: ServerResponse, body: HitText['body']): void {
  if (typeof body === 'string') response.end(body, 'latin1');
  else response.end(body);
}

const httpDate = rememberLast((second) => new Date(second * 1000).toUTCString());
