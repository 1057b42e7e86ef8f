import { CHART_SCHEMA } from '../../engine/charts/chart-schema.js';

type JsonSchema = Readonly<Record<string, unknown>>;

/** The members of an answer of a model. The lengths of the texts are not limited. */
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
 * The schema of an answer to a question. Servers with strict output require every member. Without strict output, models may omit members or
 * write charts in another form. Their SQL is still accepted, because the chart is validated later, together with the result.
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

/** The schema of an answer to the request for recommended questions. */
export const QUESTIONS_SCHEMA = { name: 'questions', schema: objectOf({ questions: TEXTS }) } as const;

function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties };
}
