import type { JsonSchema } from '../json-schema.js';
import { LIMIT_HEADERS } from '../limits/request-limits.js';
import type { DescribedHeader } from './description.js';

/** The headers of every answer. */
export const COMMON_HEADERS = {
  'X-Request-Id': header('The id of the request, which is also in the log: the id that the client sent, or a new one.'),
};

export const NEXT_PAGE_HEADER = {
  Link: optional('Set if there is a next page: `<its address>; rel="next"`.'),
};

/** The headers of answers that can be cached. They describe how the answer was obtained, and how old it is. */
export const KEPT_ANSWER_HEADERS = {
  'Cache-Status': optional('Whether the answer was kept or computed now (RFC 9211).'),
  'Cache-Control': optional('How other caches may use the answer.'),
  ETag: optional('Identifies the answer in its encoding. Absent for stale answers.'),
  Age: optional('Seconds since the answer was confirmed. Absent if the answer was computed now.', {
    type: 'integer',
    minimum: 0,
  }),
  'X-Data-Version': optional('The newest version of the tables behind the answer.'),
  'X-Data-Confirmed': optional('When the service last confirmed that the answer is exact.', {
    type: 'string',
    format: 'date-time',
  }),
  'Server-Timing': optional('How the answer was obtained, and the duration of its query.'),
};

/** The headers of answers in formats that contain only rows. In streamed answers, the counts and the notices are trailers. */
export const FORMAT_HEADERS = {
  'X-Row-Count': optional('The number of rows. Absent in JSON.', { type: 'integer', minimum: 0 }),
  'X-Truncated': optional('Whether more rows exist than the answer contains. Absent in JSON.'),
  'X-Next-Cursor': optional(
    'The value of `cursor` for the next page. Absent in JSON, and without such a page or cursor.',
  ),
  'X-Total-Count': optional('The number of all rows, if the definition declares it. Absent in JSON.', {
    type: 'integer',
    minimum: 0,
  }),
  'X-Data-As-Of': optional('The time of the newest data in the answer. Absent in JSON, and if it is not known.'),
  'X-Stale': optional('Whether the data are older than their limit. Absent in JSON.'),
  'X-Notices': optional('The notices as a JSON array in ASCII; the last ones are absent if they are too long.'),
  'X-Notice-Count': optional('The number of notices. Absent without notices and in JSON.', {
    type: 'integer',
    minimum: 1,
  }),
  'Content-Disposition': optional('The name of the file for a browser. Absent in JSON.'),
};

/** The headers of answers of a deprecated endpoint. */
export const DEPRECATION = {
  Deprecation: header('`@` and the time since which the endpoint is deprecated, in seconds since 1970 (RFC 9745).'),
};

/** The header of answers of an endpoint that may stop working at a known time. */
export const SUNSET = {
  Sunset: header('The time from which the endpoint may stop working, as an HTTP date (RFC 8594).'),
};

const RETRY_AFTER = {
  'Retry-After': header('Seconds to wait before a retry.', { type: 'integer', minimum: 1 }),
};

/** Additional headers of answers with these statuses. */
export const STATUS_HEADERS: Readonly<Record<number, Readonly<Record<string, DescribedHeader>>>> = {
  401: {
    'WWW-Authenticate': header('The expected kind of credential, and the fault of the one that was sent.'),
  },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

const [LIMIT, REMAINING, LIMIT_MINUTE, REMAINING_MINUTE] = LIMIT_HEADERS;
const COUNT = { type: 'integer', minimum: 0 };

/** The headers of answers of operations with a public rate limit. They are absent if the limit is disabled. */
export const RATE_LIMIT_HEADERS = {
  [LIMIT]: optional('Requests that one address may send per hour.', COUNT),
  [REMAINING]: optional('Requests that remain for this address.', COUNT),
  [LIMIT_MINUTE]: optional('Requests that all addresses together may send per minute.', COUNT),
  [REMAINING_MINUTE]: optional('Requests that remain for all addresses together.', COUNT),
};

function header(description: string, schema: JsonSchema = { type: 'string' }): DescribedHeader {
  return { description, schema, required: true };
}

function optional(description: string, schema?: JsonSchema): DescribedHeader {
  return { ...header(description, schema), required: false };
}
