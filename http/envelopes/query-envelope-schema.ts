import type { JsonSchema } from '../json-schema.js';
import { exactObject } from '../json-schema.js';

const TIME: JsonSchema = { type: 'string', format: 'date-time' };

/** The members of an answer with rows, for schemas. */
export const QUERY_MEMBERS = {
  requestedAt: { ...TIME, description: 'When the request came.' },
  finishedAt: { ...TIME, description: 'When the rows were there.' },
  spent: { type: 'number', minimum: 0, description: 'Seconds between them.' },
  sql: { type: 'string', description: 'The query.' },
  fields: {
    type: 'array',
    description: 'The columns, in their order.',
    items: exactObject('Field', {
      name: { type: 'string' },
      columnType: { type: 'string', description: 'Such as BIGINT.' },
    }),
  },
  data: {
    type: 'array',
    description: 'The rows: numbers where JSON has them exactly, else text; null for what is missing.',
    items: { type: 'object', additionalProperties: { title: 'Cell', type: ['string', 'number', 'null'] } },
  },
} as const;

export const TRUNCATED: JsonSchema = {
  type: 'boolean',
  description: 'Whether there were more rows than are shown.',
};

export const NOTICES: JsonSchema = {
  type: 'array',
  items: { type: 'string' },
  description: 'What a reader of the answer should know, such as gaps in the data.',
};

const ENVELOPE_MEMBERS = {
  params: { type: 'object', additionalProperties: true, description: 'The parameters, with their defaults.' },
  expiresAt: { ...TIME, description: 'Until when the same answer may be given again.' },
  ...QUERY_MEMBERS,
} as const;

const NAMED_QUERY_MEMBERS = {
  ...ENVELOPE_MEMBERS,
  dataAsOf: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'The newest event behind the answer; null where it is not known.',
  },
  stale: {
    type: 'boolean',
    description: 'Whether the data are older than they may be, or of an age that is not known.',
  },
  truncated: TRUNCATED,
  notices: NOTICES,
} as const;

/** The body of results that no definition tells more about; `data` are the rows. */
export const QUERY_ENVELOPE: JsonSchema = exactObject('QueryEnvelope', ENVELOPE_MEMBERS);

/** The body of `/q/{name}`. */
export const NAMED_QUERY_ENVELOPE = namedQueryEnvelope('NamedQueryEnvelope', QUERY_MEMBERS.data);

/** The same envelope, with a schema of its rows. */
export function namedQueryEnvelope(title: string, data: JsonSchema): JsonSchema {
  return exactObject(title, { ...NAMED_QUERY_MEMBERS, data });
}
