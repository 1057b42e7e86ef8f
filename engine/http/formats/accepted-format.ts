import Negotiator from 'negotiator';
import { remember } from '../remember.js';
import { FORMATS, type Format, MEDIA_TYPES } from './format.js';

/**
 * Returns the format that the header `Accept` prefers (RFC 9110, section 12.5.1). JSON takes precedence over formats
 * that match equally well, so that browsers and programs that accept everything get JSON. A header without a supported
 * format is ignored, which the RFC allows, because programs that ask for `text/plain` also expect JSON.
 */
export function acceptedFormat(accept: string | undefined): Format {
  if (accept === undefined || accept === '*/*' || accept.length > MAX_LENGTH) return 'json';
  return negotiate(accept);
}

/** Longer headers are ignored. Clients that name formats send short headers, and parsing takes longer for long ones. */
const MAX_LENGTH = 1_000;

const FORMAT_OF_TYPE: ReadonlyMap<string, Format> = new Map([
  ...FORMATS.flatMap((format) => MEDIA_TYPES[format].map((type) => [type, format] as const)),
  // A browser that accepts only HTML gets JSON, which it shows as text.
  ['text/html', 'json'],
]);
const TYPES = [...FORMAT_OF_TYPE.keys()];

/** Matches media type parameters except `q`. Parameters such as `charset` do not select a format. */
const OTHER_PARAMETERS = /;\s*(?!q\s*=)[\w-]+\s*=\s*(?:"[^"]*"|[^;,]*)/gi;

/** Results are cached, because clients send few different headers, and each request needs the result up to two times. */
const negotiate = remember<Format>(
  (accept) => {
    const negotiator = new Negotiator({ headers: { accept: accept.replace(OTHER_PARAMETERS, '') } });
    return FORMAT_OF_TYPE.get(negotiator.mediaType(TYPES) ?? '') ?? 'json';
  },
  { maxResults: 500, maxLength: MAX_LENGTH },
);
