import Negotiator from 'negotiator';
import { remember } from '../remember.js';
import { FORMATS, type Format, MEDIA_TYPES } from './format.js';

/**
 * Returns the format that the header `Accept` prefers (RFC 9110, section 12.5.1). JSON takes precedence over formats that
 * match equally well, so that browsers and programs that accept everything get JSON. A header that names no format is disregarded,
 * which the RFC allows: programs that ask for `text/plain` expect JSON too.
 */
export function acceptedFormat(accept: string | undefined): Format {
  if (accept === undefined || accept === '*/*' || accept.length > MAX_LENGTH) return 'json';
  return negotiate(accept);
}

/** Longer headers are not read: clients that name formats send short ones, and the time to read a header grows with its length. */
const MAX_LENGTH = 1_000;

const FORMAT_OF_TYPE: ReadonlyMap<string, Format> = new Map([
  ...FORMATS.flatMap((format) => MEDIA_TYPES[format].map((type) => [type, format] as const)),
  // A browser that accepts only pages shows JSON as text.
  ['text/html', 'json'],
]);
const TYPES = [...FORMAT_OF_TYPE.keys()];

/** Parameters such as `charset` do not select a format. */
const OTHER_PARAMETERS = /;\s*(?!q\s*=)[\w-]+\s*=\s*(?:"[^"]*"|[^;,]*)/gi;

/** Clients send few different headers. Each request asks up to two times. */
const negotiate = remember<Format>(
  (accept) => {
    const negotiator = new Negotiator({ headers: { accept: accept.replace(OTHER_PARAMETERS, '') } });
    return FORMAT_OF_TYPE.get(negotiator.mediaType(TYPES) ?? '') ?? 'json';
  },
  { maxResults: 500, maxLength: MAX_LENGTH },
);
