import type { AnswerMembers } from '../envelopes/query-envelope-schema.js';
import { type JsonSchema, readSchema } from '../json-schema.js';
import { STATUSES } from './names.js';

/** The schema of an error code. Every error body has one. */
const CODE: JsonSchema = {
  title: 'ErrorCode',
  description: 'The permanent code of an error.',
  type: 'string',
  enum: Object.keys(STATUSES).sort(),
};

/** The schema of problem details (RFC 9457). */
export const PROBLEM = withProperties(readSchema('problem'), { code: CODE });

const ENVELOPE = readSchema('envelope');
const DATA = propertiesOf(ENVELOPE).data as JsonSchema;
const RESULT = (ENVELOPE.definitions as Schemas).result as JsonSchema;
const { error: _, request_id, errors, next_cursor, total, sources, ...RESULT_MEMBERS } = propertiesOf(RESULT);

/** Returns the schema of a successful answer under `/v1`. The names of its types begin with `name`. */
export function envelopeOf(
  name: string,
  rows: JsonSchema,
  { hasCursors, hasTotal, hasSources }: AnswerMembers,
): JsonSchema {
  const members = {
    ...(hasCursors && { next_cursor }),
    ...(hasTotal && { total }),
    ...(hasSources && { sources }),
  } as Schemas;
  // A type with additional members needs a separate name.
  const title = `${hasCursors ? 'Paged' : ''}${hasTotal ? 'Counted' : ''}${hasSources ? 'Sourced' : ''}${RESULT.title}`;
  return envelopeSchema(`${name}Answer`, 'Columns, rows and metadata.', {
    rows,
    result: { ...RESULT, title, properties: { ...RESULT_MEMBERS, ...members } },
  });
}

/** The schema of rows whose columns are unknown. Every cell is text. */
export const ANY_ROWS = propertiesOf(DATA).rows as JsonSchema;

/** The schema of an error under `/v1`. */
export const FAILURE = envelopeSchema('Failure', 'The body of every error under /v1.', {
  columns: { ...(propertiesOf(DATA).columns as JsonSchema), maxItems: 0 },
  rows: { ...ANY_ROWS, maxItems: 0 },
  result: {
    ...RESULT,
    title: 'FailureResult',
    required: [...(RESULT.required as string[]), 'error', 'request_id', 'errors'],
    properties: { ...RESULT_MEMBERS, error: CODE, request_id, errors } as Schemas,
  },
});

type Schemas = Readonly<Record<string, JsonSchema>>;

function envelopeSchema(title: string, description: string, members: Schemas): JsonSchema {
  const { definitions: _, ...schema } = ENVELOPE;
  const data = { ...withProperties(DATA, members), title: `${title.replace(/Answer$/, '')}Data` };
  return { ...withProperties(schema, { data }), title, description };
}

function withProperties(schema: JsonSchema, properties: Schemas): JsonSchema {
  return { ...schema, properties: { ...propertiesOf(schema), ...properties } };
}

function propertiesOf({ properties }: JsonSchema): Schemas {
  return properties as Schemas;
}
