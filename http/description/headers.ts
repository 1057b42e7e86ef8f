import type { JsonSchema } from '../json-schema.js';
import { LIMIT_HEADERS } from '../limits/request-limits.js';
import type { DescribedHeader } from './description.js';

/** What every answer carries. */
export const EVERY_ANSWER = {
  'X-Request-Id': header('The id under which the log has this request: the one that came, or a new one.'),
};

export const NEXT_PAGE = {
  Link: optional('Where there is a next page: `<its address>; rel="next"`.'),
};

const RETRY_AFTER = {
  'Retry-After': header('After how many seconds to ask again.', { type: 'integer', minimum: 1 }),
};

/** What answers of these statuses carry beside. */
export const OF_STATUS: Readonly<Record<number, Readonly<Record<string, DescribedHeader>>>> = {
  401: {
    'WWW-Authenticate': header('What kind of credential is expected, and what was wrong with the one that came.'),
  },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
};

const [LIMIT, REMAINING, LIMIT_MINUTE, REMAINING_MINUTE] = LIMIT_HEADERS;
const COUNT = { type: 'integer', minimum: 0 };

/** What answers of limited operations tell, where the limits are not turned off. */
export const LIMITS = {
  [LIMIT]: optional('Requests an hour that one address may send.', COUNT),
  [REMAINING]: optional('Those that are left to this address.', COUNT),
  [LIMIT_MINUTE]: optional('Requests a minute that all addresses together may send.', COUNT),
  [REMAINING_MINUTE]: optional('Those that are left to all.', COUNT),
};

function header(description: string, schema: JsonSchema = { type: 'string' }): DescribedHeader {
  return { description, schema, required: true };
}

function optional(description: string, schema?: JsonSchema): DescribedHeader {
  return { ...header(description, schema), required: false };
}
