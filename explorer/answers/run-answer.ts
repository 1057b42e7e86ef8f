import {
  type Answer,
  createNativeWriter,
  DATA_TYPES,
  type Engine,
  EngineError,
  type ResultSet,
  writeNativeRows,
} from '../../engine/index.js';
import { chooseChart } from '../charts/choose-chart.js';
import { validateChart } from '../charts/validate-chart.js';
import type { Playground } from '../playground/playground.js';
import { SqlFailedError } from '../playground/query-failure.js';
import { type ErrorType, QuestionError } from '../questions/error-types.js';
import type { Question, QuestionResult } from '../questions/question.js';
import { limitResult } from '../results/limit-result.js';

export interface RunParts {
  readonly engine: Engine;
  readonly playground: Pick<Playground, 'run'>;
}

/** The result of a question and its chart. `errorType` is set if the chart of the model does not fit the result. */
export type AnsweredQuestion = Pick<Question, 'result' | 'chart' | 'spent' | 'errorType' | 'error'>;

/** Runs the query of a prepared question. Throws `QuestionError`. */
export async function runAnswer(
  parts: RunParts,
  question: Pick<Question, 'definition' | 'querySQL' | 'revisedTitle' | 'title'>,
  proposedChart: unknown,
  signal: AbortSignal,
): Promise<AnsweredQuestion> {
  const started = performance.now();
  const result = await readResult(parts, question, signal).catch(explain);
  const spent = Math.round(performance.now() - started) / 1000;
  if (result.rows.length === 0) {
    const reasons = result.notices.length > 0 ? ` ${result.notices.join(' ')}` : '';
    throw new QuestionError('error-empty-result', `The query returned no rows.${reasons}`);
  }
  return { result, spent, ...chartOf(question.revisedTitle ?? question.title, result, proposedChart) };
}

async function readResult(
  { engine, playground }: RunParts,
  { definition, querySQL }: Pick<Question, 'definition' | 'querySQL'>,
  signal: AbortSignal,
): Promise<QuestionResult> {
  if (definition !== null) {
    const { name, parameters } = definition;
    return resultOfAnswer(await engine.run(engine.endpoint(name), { path: {}, query: parameters }, { signal }));
  }
  if (querySQL === null) throw new Error('A question in the queue has neither a definition nor SQL.');
  return resultOfRows(await playground.run(querySQL, { signal }));
}

function resultOfAnswer(answer: Answer): QuestionResult {
  const { endpoint, rows, truncated, notices, emptyNotices, dataAsOf } = answer;
  return limitResult({
    fields: endpoint.definition.columns.map(({ col, data_type }) => ({ name: col, columnType: data_type })),
    rows: writeNativeRows(endpoint, rows),
    truncated,
    notices: [...notices, ...emptyNotices],
    dataAsOf: dataAsOf?.toISOString() ?? null,
  });
}

function resultOfRows({ columns, rows, more, copiedAt }: ResultSet): QuestionResult {
  throw new Error('TODO');
}
