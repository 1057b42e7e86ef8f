import { exactObject } from './exact-object.js';
import type { JsonSchema } from './operation.js';

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
    items: exactObject({ name: { type: 'string' }, columnType: { type: 'string', description: 'Such as BIGINT.' } }),
  },
  data: {
    type: 'array',
    description: 'The rows: numbers where JSON has them exactly, else text; null for what is missing.',
    items: { type: 'object', additionalProperties: { type: ['string', 'number', 'null'] } },
  },
} as const;

/** The body of `/q/{name}` and its kin; `data` are the rows. */
export const QUERY_ENVELOPE: JsonSchema = {
  title: 'QueryEnvelope',
  ...exactObject({
    params: { type: 'object', description: 'The parameters, with their defaults.' },
    expiresAt: { ...TIME, description: 'Until when the same answer may be given again.' },
    ...QUERY_MEMBERS,
  }),
};
