import { CHART_SCHEMA } from '../../engine/charts/chart-schema.js';

type JsonSchema = Readonly<Record<string, unknown>>;

/** The members of an answer. Their lengths are not limited. */
export interface ModelProposal {
  readonly revisedTitle?: string | null;
  readonly notClear?: string | null;
  readonly assumption?: string | null;
  readonly combinedTitle?: string | null;
  readonly sqlCanAnswer: boolean;
  readonly sql?: string | null;
  readonly chart?: unknown;
  readonly recommendedQuestions?: readonly string[] | null;
  readonly reason?: string | null;
}

const TEXT: JsonSchema = { type: ['string', 'null'] };
const TEXTS: JsonSchema = { type: 'array', items: { type: 'string' } };
const MEMBERS: Readonly<Record<keyof ModelProposal, JsonSchema>> = {
  revisedTitle: { type: 'string' },
  notClear: TEXT,
  assumption: TEXT,
  combinedTitle: TEXT,
  sqlCanAnswer: { type: 'boolean' },
  sql: TEXT,
  chart: { anyOf: [...(CHART_SCHEMA.anyOf as readonly JsonSchema[]), { type: 'null' }] },
  recommendedQuestions: TEXTS,
  reason: TEXT,
};

/**
 * The answer to a question. Servers with strict output require every member. Other models omit members and write charts
 * of other forms, which is not a reason to reject their SQL: the chart is validated later, with the result.
 */
export const ANSWER_SCHEMA = {
  name: 'answer',
  schema: objectOf(MEMBERS),
  accepts: {
    type: 'object',
    required: ['sqlCanAnswer'],
    properties: {
      ...MEMBERS,
      revisedTitle: TEXT,
      chart: {},
      recommendedQuestions: { ...TEXTS, type: ['array', 'null'] },
    },
  },
} as const;

/** The answer to the request for recommended questions. */
export const QUESTIONS_SCHEMA = { name: 'questions', schema: objectOf({ questions: TEXTS }) } as const;

function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties };
}
