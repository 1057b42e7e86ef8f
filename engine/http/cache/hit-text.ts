import { type IncomingMessage, validateHeaderValue } from 'node:http';
import { ageOf, isoTime } from './cache-headers.js';
import { hasRanges, isUnchanged, nextPageOf, type PreparedResponse, prepareResponse } from './send-answer.js';
import type { ServedAnswer, StoredAnswer } from './stored-answer.js';

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
