import { remember } from '../remember.js';
import { MIN_COMPRESSED_BYTES } from './compress-answer.js';
import type { EncodedBody } from './stored-answer.js';

export type Encoding = 'br' | 'gzip' | 'deflate' | 'identity';

/** The encoding of a response, and the stored bytes with this encoding; no bytes if the body must be compressed while it is sent. */
export interface EncodingChoice {
  readonly encoding: Encoding;
  readonly bytes: Buffer | undefined;
}

/**
 * Chooses the encoding that the client prefers. Encodings with stored bytes take precedence over others. If the answer
 * is sent repeatedly (`isRepeated`), it is not compressed for each request: it is sent uncompressed, unless the client
 * does not accept this.
 */
export function chooseEncoding(
  answer: EncodedBody,
  acceptEncoding: string | undefined,
  isRepeated: boolean,
): EncodingChoice {
  if (acceptEncoding === undefined || answer.bodyBytes < MIN_COMPRESSED_BYTES) return plainForm(answer);
  const accepted = acceptedEncodings(acceptEncoding);
  let unstored: Encoding | undefined;
  for (const encoding of accepted) {
    if (encoding === 'identity') break;
    const bytes = bytesIn(answer, encoding);
    if (bytes !== undefined) return { encoding, bytes };
    unstored ??= encoding;
  }
  if (unstored === undefined || (isRepeated && accepted.includes('identity'))) return plainForm(answer);
  return { encoding: unstored, bytes: undefined };
}

function plainForm({ body }: EncodedBody): EncodingChoice {
  return { encoding: 'identity', bytes: body };
}

/**
 * Returns the encodings that the header `Accept-Encoding` accepts, the preferred one first. The order is the same as in
 * the middleware `compression`, so that stored answers and other responses have the same encoding.
 */
const acceptedEncodings = remember<readonly Encoding[]>((header) => orderOf(header), {
  // A small cache is enough, because browsers and libraries send few different headers.
  maxResults: 500,
  maxLength: 200,
});

const SUPPORTED: readonly Encoding[] = ['br', 'gzip', 'deflate', 'identity'];
/** Encodings that precede all others of equal quality. */
const PREFERRED: readonly Encoding[] = ['br', 'gzip'];

function bytesIn({ brotli, gzip }: EncodedBody, encoding: Encoding): Buffer | undefined {
  if (encoding === 'br') return brotli;
  return encoding === 'gzip' ? gzip : undefined;
}

/** One element of the header: `gzip;q=0.5`. */
interface Accepted {
  readonly name: string;
  readonly quality: number;
  readonly place: number;
}

function orderOf(header: string): Encoding[] {
  const elements = header.split(',');
  const list = elements.flatMap((element, place) => readElement(element.trim(), place));
  if (!list.some(({ name }) => name === 'identity' || name === '*')) {
    // A client that does not mention `identity` accepts it, but prefers every encoding that it does mention.
    const quality = Math.min(1, ...list.map((accepted) => accepted.quality || 1));
    list.push({ name: 'identity', quality, place: elements.length });
  }
  return SUPPORTED.flatMap((encoding) => {
    const best = bestFor(list, encoding) ?? bestFor(list, '*');
    return best !== undefined && best.quality > 0 ? [{ encoding, ...best }] : [];
  })
    .sort((a, b) => b.quality - a.quality || rank(a.encoding) - rank(b.encoding) || compareOthers(a, b))
    .map(({ encoding }) => encoding);
}

function readElement(text: string, place: number): Accepted[] {
  const [, name, parameters = ''] = /^([^\s;]+)\s*(?:;(.*))?$/.exec(text) ?? [];
  if (name === undefined) return [];
  const pair = parameters.split(';').map((parameter) => parameter.trim().split('='));
  const quality = pair.find(([key]) => key === 'q')?.[1];
  const isSet = pair.some(([key]) => key === 'q');
  return [{ name: name.toLowerCase(), quality: isSet ? Number.parseFloat(quality ?? '') : 1, place }];
}

function bestFor(list: readonly Accepted[], name: string): Accepted | undefined {
  return list
    .filter((accepted) => accepted.name === name)
    .reduce<Accepted | undefined>(
      (best, one) => (best === undefined || one.quality > best.quality ? one : best),
      undefined,
    );
}

function rank(encoding: Encoding): number {
  const index = PREFERRED.indexOf(encoding);
  return index < 0 ? PREFERRED.length : index;
}

/** Encodings that the header names precede those that match only `*`; then the order of the header applies. */
function compareOthers(a: Accepted, b: Accepted): number {
  return Number(a.name === '*') - Number(b.name === '*') || a.place - b.place;
}
