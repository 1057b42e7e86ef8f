import type { EndedRequest } from '../../http/records/request-record.js';
import { maskText, maskUrl } from './mask-secrets.js';

/** The limits protect the memory from clients that send many different targets. */
const MAX_TEXTS = 1_000;
const MAX_LENGTH = 1_000;

/** The facts that are equal for most requests with one target. Their addresses and statuses often differ. */
type Repeated = Pick<EndedRequest, 'method' | 'target' | 'operation' | 'rows' | 'cache'>;

/**
 * Creates the function that writes the part of a line that repeats: the target with the facts of its answer, after the address of the
 * client. Masking is slow, so the last text of each target is kept.
 */
export function createRepeatedText(): (request: Repeated) => string {
  const texts = new Map<string, Repeated & { readonly text: string }>();
  return (request) => {
    const known = texts.get(request.target);
    if (known !== undefined && areEqual(known, request)) return known.text;
    const { method, target, operation, rows, cache } = request;
    if (target.length > MAX_LENGTH) return write(request);
    const text = joinParts(write(request));
    if (texts.size >= MAX_TEXTS) texts.clear();
    texts.set(target, { method, target, operation, rows, cache, text });
    return text;
  };
}

function areEqual(one: Repeated, other: Repeated): boolean {
  return (
    one.method === other.method &&
    one.operation === other.operation &&
    one.rows === other.rows &&
    one.cache === other.cache
  );
}

function write({ method, target, operation, rows, cache }: Repeated): string {
  let text = `,"method":"${method}","url":${maskedJson(maskUrl(target))}}`;
  if (operation !== undefined) text += `,"operation":"${operation}"`;
  if (rows !== undefined) text += `,"rows":${rows}`;
  return cache === undefined ? text : `${text},"cache":"${cache}"`;
}

/** Returns the same text as one part in memory. A text of many parts would be joined again for each line. */
export function joinParts(text: string): string {
  return Buffer.from(text).toString();
}

/** The JSON of a text without its secrets. */
export function maskedJson(text: string): string {
  return maskText(JSON.stringify(text));
}
