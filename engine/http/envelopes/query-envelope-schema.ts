import { COLUMN_FORMATS } from '../../charts/column-presentation.js';
import type { Endpoint } from '../../definitions/endpoint/endpoint.js';
import { exactObject, type JsonSchema, readSchema } from '../json-schema.js';

const TIME: JsonSchema = { type: 'string', format: 'date-time' };

/** Schemas of the members that every answer with rows has. */
export const QUERY_MEMBERS = {
  requestedAt: { ...TIME, description: 'When the request arrived.' },
  finishedAt: { ...TIME, description: 'When the query ended.' },
  spent: { type: 'number', minimum: 0, description: 'Seconds from the request to the end of the query.' },
  sql: { type: 'string', description: 'The SQL of the query.' },
  fields: {
    type: 'array',
    description: 'The columns in the order of the query.',
    items: exactObject('Field', {
      name: { type: 'string' },
      columnType: { type: 'string', description: 'The SQL type, for example BIGINT.' },
    }),
  },
  data: {
    type: 'array',
    description:
      'The rows. Numbers that JSON represents exactly are numbers, all other values text; missing values are null.',
    items: { type: 'object', additionalProperties: { title: 'Cell', type: ['string', 'number', 'null'] } },
  },
} as const;

/** Adds the members that state how readers see a column. They are absent if the definition does not declare them. */
export function withPresentation(schema: JsonSchema): JsonSchema {
  return withMembers(schema, {
    label: { type: 'string', description: 'The name of the column in words.' },
    unit: { type: 'string', description: 'The unit of the numbers.' },
    format: { type: 'string', enum: COLUMN_FORMATS, description: 'How readers see the cells.' },
    nullAs: { type: 'string', description: 'The text for a missing cell.' },
  });
}

export const TRUNCATED: JsonSchema = {
  type: 'boolean',
  description: 'Whether the query has more rows than the answer contains.',
};

export const NOTICES: JsonSchema = {
  type: 'array',
  items: { type: 'string' },
  description: 'Notices about the answer, for example about gaps in the data.',
};

const ENVELOPE_MEMBERS = {
  params: {
    type: 'object',
    additionalProperties: true,
    description: 'The values of the parameters, including defaults.',
  },
  expiresAt: {
    ...TIME,
    description:
      'Until when the answer cannot change. It equals `finishedAt` if the next change of the data can change the answer.',
  },
  ...QUERY_MEMBERS,
} as const;

const { result } = readSchema('envelope').definitions as {
  readonly result: { readonly properties: { readonly sources: JsonSchema } };
};
/** The schema of `sources`, which only some definitions have. */
export const SOURCES = result.properties.sources;

/** Members that only some definitions have. */
const OPTIONAL_MEMBERS = {
  nextCursor: {
    type: ['string', 'null'],
    description:
      'Only with pages: the value of `cursor` for the next page; null if there is no next page or no cursor for it.',
  },
  total: {
    type: ['integer', 'null'],
    minimum: 0,
    description: 'Only if the definition declares it: the number of all rows; null if they could not be counted.',
  },
  sources: SOURCES,
} as const;

/** The schema of `fields` of definitions with `nest`. */
const NESTED_FIELDS: JsonSchema = {
  ...QUERY_MEMBERS.fields,
  items: withMembers(
    { ...QUERY_MEMBERS.fields.items, title: 'NestedField' },
    {
      list: {
        type: 'string',
        description: 'The list whose objects contain the column; absent for columns of the parents.',
      },
    },
  ),
};

const NAMED_QUERY_MEMBERS = {
  ...ENVELOPE_MEMBERS,
  dataAsOf: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'The time of the newest event behind the answer; null if it is not known.',
  },
  stale: {
    type: 'boolean',
    description:
      'Whether the data are older than their limit, or their age is not known. If the age is not known because other programs write the data, a notice states this instead.',
  },
  truncated: TRUNCATED,
  notices: NOTICES,
} as const;

/** The schema of an answer whose columns are not described by a definition. */
export const QUERY_ENVELOPE: JsonSchema = exactObject('QueryEnvelope', ENVELOPE_MEMBERS);

/** The schema of the body of `/q/{name}` for any definition. */
export const NAMED_QUERY_ENVELOPE: JsonSchema = withMembers(
  exactObject('NamedQueryEnvelope', { ...NAMED_QUERY_MEMBERS, fields: NESTED_FIELDS }),
  OPTIONAL_MEMBERS,
);

/** The optional members that the answers of a definition contain. */
export interface AnswerMembers {
  readonly hasCursors: boolean;
  readonly hasTotal: boolean;
  readonly hasSources: boolean;
}

export function answerMembersOf({
  cursors,
  total,
  statesSources,
}: Pick<Endpoint, 'cursors' | 'total' | 'statesSources'>): AnswerMembers {
  return { hasCursors: cursors !== undefined, hasTotal: total !== undefined, hasSources: statesSources };
}

/** Returns the schema of the body of `/q/{name}` for one definition; `row` is the schema of its rows. */
export function namedQueryEnvelope(
  title: string,
  { row, isNested }: { readonly row: JsonSchema; readonly isNested: boolean },
  { hasCursors, hasTotal, hasSources }: AnswerMembers,
): JsonSchema {
  const { nextCursor, total, sources } = OPTIONAL_MEMBERS;
  const members = { ...(hasCursors && { nextCursor }), ...(hasTotal && { total }), ...(hasSources && { sources }) };
  const data = { type: 'array', items: row };
  return exactObject(title, { ...NAMED_QUERY_MEMBERS, ...(isNested && { fields: NESTED_FIELDS }), data, ...members });
}

function withMembers(schema: JsonSchema, members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { ...schema, properties: { ...(schema.properties as object), ...members } };
}
