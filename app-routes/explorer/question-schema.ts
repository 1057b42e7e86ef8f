import { CHART_NAMES } from '../../engine/charts/chart.js';
import { SOURCES, withPresentation } from '../../engine/http/envelopes/query-envelope-schema.js';
import { enumOrNull, exactObject, type JsonSchema } from '../../engine/http/json-schema.js';
import { ERROR_TYPES } from '../../explorer/questions/error-types.js';
import { STATUSES } from '../../explorer/questions/question.js';

const STRING = { type: 'string' };
const TEXT_OR_NULL = { type: ['string', 'null'] };
const TIME_OR_NULL = { type: ['string', 'null'], format: 'date-time' };
const TEXTS = { type: 'array', items: STRING };
const ROW = { type: 'object', additionalProperties: { title: 'Cell', type: ['string', 'number', 'null'] } };
const ROWS = { type: 'array', items: ROW };

export const RESULT_FIELDS: JsonSchema = {
  type: 'array',
  items: withPresentation(exactObject('ResultField', { name: STRING, columnType: STRING })),
};

/** The schema of a result in responses. `stale` depends on the time of the request. */
function resultSchema(title: string): JsonSchema {
  return {
    ...exactObject(title, RESULT_PROPERTIES),
    properties: { ...RESULT_PROPERTIES, sentence: SENTENCE, sources: SOURCES },
  };
}

const SENTENCE = { ...STRING, description: 'A sentence about the rows, if the answering definition has one.' };

const RESULT_PROPERTIES = {
  fields: RESULT_FIELDS,
  rows: ROWS,
  truncated: { type: 'boolean', description: 'Whether the query has more rows than this result.' },
  notices: { ...TEXTS, description: 'Facts about the data, such as gaps.' },
  dataAsOf: { ...TIME_OR_NULL, description: 'Time of the newest data behind the result; null if it is unknown.' },
  stale: { type: 'boolean', description: 'Whether the data are older than the service allows, or of unknown age.' },
};

/** The result of `POST /explorer/answer/`. */
export const RESULT = resultSchema('AnswerResult');

export const CHART: JsonSchema = {
  title: 'Chart',
  type: ['object', 'null'],
  required: ['chartName', 'title'],
  properties: { chartName: { type: 'string', enum: CHART_NAMES }, title: STRING },
  additionalProperties: true,
  description: 'A chart of the result. Its other members name columns of the result.',
};

export const DEFINITION: JsonSchema = {
  title: 'ChosenDefinition',
  description: 'The definition that answers the question, with its parameters as text.',
  type: ['object', 'null'],
  required: ['name', 'parameters'],
  additionalProperties: false,
  properties: { name: STRING, parameters: { type: 'object', additionalProperties: STRING } },
};

const QUESTION_PROPERTIES = {
  id: { type: 'string', description: 'UUID.' },
  hash: { type: 'string', description: 'Equal questions have equal hashes.' },
  userId: { type: 'integer' },
  status: { type: 'string', enum: STATUSES, description: '`success`, `error` and `cancel` are final.' },
  title: { type: 'string', description: 'The question, with white space folded.' },
  answer: { ...TEXT_OR_NULL, description: 'The answer of the language model; null for the catalogue.' },
  revisedTitle: { ...TEXT_OR_NULL, description: 'The question as the service understood it.' },
  notClear: { ...TEXT_OR_NULL, description: 'What the question leaves open.' },
  assumption: { ...TEXT_OR_NULL, description: 'What the answer assumes.' },
  combinedTitle: { ...TEXT_OR_NULL, description: 'The understood question and the assumption in one sentence.' },
  sqlCanAnswer: { type: ['boolean', 'null'], description: 'Whether SQL can answer the question.' },
  querySQL: TEXT_OR_NULL,
  queryHash: TEXT_OR_NULL,
  engine: {
    ...enumOrNull(['catalogue', 'model']),
    description: '`catalogue`: a definition answers the question. `model`: SQL of a language model answers it.',
  },
  engines: { type: 'array', items: { type: 'string', enum: ['catalogue', 'model'] } },
  definition: DEFINITION,
  plan: {
    type: ['array', 'null'],
    items: ROW,
    description: 'The plan of the database for SQL of a model.',
  },
  lane: { ...enumOrNull(['cheap', 'expensive']), description: 'The queue of the query.' },
  queuePreceding: { type: 'integer', description: 'The number of questions that are taken before this one.' },
  recommendedQuestions: TEXTS,
  result: { ...resultSchema('QuestionResult'), type: ['object', 'null'] },
  chart: CHART,
  recommended: { type: 'boolean' },
  hitCache: { type: 'boolean', description: 'Whether an earlier, equal question provides the answer.' },
  createdAt: { type: 'string', format: 'date-time' },
  requestedAt: { ...TIME_OR_NULL, description: 'When the preparation of the answer began.' },
  executedAt: { ...TIME_OR_NULL, description: 'When the query began to run.' },
  finishedAt: TIME_OR_NULL,
  spent: { type: ['number', 'null'], description: 'Duration of the query in seconds.' },
  errorType: enumOrNull(ERROR_TYPES),
  error: TEXT_OR_NULL,
};

/** The schema of a question. */
export const QUESTION = exactObject('Question', QUESTION_PROPERTIES);

const { engine: _, queuePreceding: _1, ...STORED_PROPERTIES } = QUESTION_PROPERTIES;
const { stale: _2, ...STORED_RESULT } = RESULT_PROPERTIES;

/** The schema of a question as it is stored, without what depends on the time of a request. */
export const STORED_QUESTION = exactObject('StoredQuestion', {
  ...STORED_PROPERTIES,
  result: {
    ...exactObject('StoredResult', STORED_RESULT),
    type: ['object', 'null'],
    properties: { ...STORED_RESULT, sentence: SENTENCE, sources: SOURCES },
  },
});
