import Negotiator from 'negotiator';
import { remember } from '../remember.js';
import { FORMATS, type Format, MEDIA_TYPES } from './format.js';

/** The format that a client prefers; `none` if it accepts no format. */
export type AcceptedFormat = Format | 'none';

/**
 * Returns the format that the header `Accept` prefers (RFC 9110, section 12.5.1). JSON takes precedence over formats that
 * match equally well, so that browsers and programs that accept everything get JSON.
 */
export function acceptedFormat(accept: string | undefined): AcceptedFormat {
  return accept === undefined || accept === '*/*' ? 'json' : negotiate(accept);
}

/** A browser that accepts only pages shows JSON as text. */
const FORMAT_OF_TYPE: ReadonlyMap<string, Format> = new Map([
  ...FORMATS.flatMap((format) => MEDIA_TYPES[format].map((type) => [type, format] as const)),
  ['text/html', 'json'],
]);
const TYPES = [...FORMAT_OF_TYPE.keys()];

/** Parameters such as `charset` do not select a format. */
const OTHER_PARAMETERS = /;\s*(?!q\s*=)[\w-]+\s*=\s*(?:"[^"]*"|[^;,]*)/gi;

/** Clients send few different headers. */
const negotiate = remember<AcceptedFormat>(
  (accept) => {
    const negotiator = new Negotiator({ headers: { accept: accept.replace(OTHER_PARAMETERS, '') } });
    return FORMAT_OF_TYPE.get(negotiator.mediaType(TYPES) ?? '') ?? 'none';
  },
  { maxResults: 500, maxLength: 200 },
);
