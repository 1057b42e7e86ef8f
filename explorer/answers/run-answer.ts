import type { DeclaredChart } from '../../engine/charts/check-chart.js';
import { chooseChart } from '../../engine/charts/choose-chart.js';
import { withTitle } from '../../engine/charts/fitting-charts.js';
import { flattenRows } from '../../engine/charts/flatten-rows.js';
import { writeSentence } from '../../engine/charts/sentence.js';
import {
  type Answer,
  columnFields,
  type Engine,
  type ResultSet,
  writeNativeRows,
  writeResultRows,
} from '../../engine/index.js';
import { copyNotices } from '../playground/copy-notices.js';
import type { Playground } from '../playground/playground.js';
import { QuestionError } from '../questions/error-types.js';
import type { Question, QuestionResult } from '../questions/question.js';
import { toQuestionError } from './question-failure.js';
import { validateChart } from './validate-chart.js';

export interface RunParts {
  readonly engine: Engine;
  readonly playground: Playground;
  /** Returns the time of the newest event of the data set; undefined if there are no events. */
  readonly newestData: (signal: AbortSignal) => Promise<Date | undefined>;
}

/**
 * The result of a question and its chart. A result without rows counts as an error, but keeps its columns and notices. If the status is
 * `success`, `errorType` is set if the chart of the model does not fit the result.
 */
export interface AnsweredQuestion extends Pick<Question, 'result' | 'chart' | 'spent' | 'errorType' | 'error'> {
  readonly status: 'success' | 'error';
}

/** Runs the query of a prepared question. Throws `QuestionError`. */
export async function runAnswer(
  parts: RunParts,
  question: Pick<Question, 'definition' | 'querySQL' | 'revisedTitle' | 'title'>,
  proposedChart: unknown,
  signal: AbortSignal,
): Promise<AnsweredQuestion> {
  const started = performance.now();
  const result = await readResult(parts, question, signal).catch((error: unknown) => {
    throw toQuestionError(error);
  });
  const spent = Math.round(performance.now() - started) / 1000;
  if (result.rows.length === 0) {
    if (result.truncated) throw new QuestionError('error-query-execute', TOO_LARGE);
    const reasons = result.notices.length > 0 ? ` ${result.notices.join(' ')}` : '';
    const error = `The query returned no rows.${reasons}`;
    return { status: 'error', result, spent, chart: null, errorType: 'error-empty-result', error };
  }
  return {
    status: 'success',
    result,
    spent,
    ...chartOf(question.revisedTitle ?? question.title, result, declaredChart(parts, question), proposedChart),
  };
}

const TOO_LARGE = 'The first row of the result is too large to be stored. Ask for shorter texts or fewer columns.';

async function readResult(
  { engine, playground, newestData }: RunParts,
  { definition, querySQL }: Pick<Question, 'definition' | 'querySQL'>,
  signal: AbortSignal,
): Promise<QuestionResult> {
  if (definition !== null) {
    const { name, parameters } = definition;
    return resultOfAnswer(await engine.run(engine.endpoint(name), { path: {}, query: parameters }, { signal }));
  }
  if (querySQL === null) throw new Error('A question in the queue has neither a definition nor SQL.');
  const [rows, asOf] = await Promise.all([playground.run(querySQL, { signal }), newestData(signal)]);
  return resultOfRows(rows, asOf);
}

function resultOfAnswer(answer: Answer): QuestionResult {
  const { endpoint, truncated, notices, sources, emptyNotices, dataAsOf } = answer;
  const { columns, sentence: template } = endpoint.definition;
  const fields = columnFields(columns);
  const rows = flattenRows(fields, writeNativeRows(endpoint, answer.rows));
  const sentence =
    template && writeSentence(template, fields, rows, { isFirst: true, isWhole: !truncated, locale: 'en' });
  return limitResult({
    ...(sentence !== undefined && { sentence }),
    fields,
    rows,
    truncated,
    notices: [...notices, ...emptyNotices],
    ...(sources !== undefined && sources?.length !== 0 && { sources }),
    dataAsOf: dataAsOf?.toISOString() ?? null,
  });
}

function resultOfRows(set: ResultSet, dataAsOf: Date | undefined): QuestionResult {
  const { fields, rows } = writeResultRows(set);
  const asOf = dataAsOf?.toISOString() ?? null;
  return limitResult({ fields, rows, truncated: set.more, notices: copyNotices(set.copiedAt), dataAsOf: asOf });
}

/** Returns the chart that the file of the answering definition declares. */
function declaredChart({ engine }: RunParts, { definition }: Pick<Question, 'definition'>): DeclaredChart | undefined {
  return definition === null ? undefined : engine.endpoint(definition.name).definition.chart;
}

function chartOf(
  title: string,
  { fields, rows }: QuestionResult,
  declared: DeclaredChart | undefined,
  proposed: unknown,
): Pick<AnsweredQuestion, 'chart' | 'errorType' | 'error'> {
  if (declared !== undefined) return { chart: withTitle(declared, title), errorType: null, error: null };
  const chosen = { chart: chooseChart(title, fields, rows), errorType: null, error: null };
  if (proposed === null || proposed === undefined) return chosen;
  const validated = validateChart(proposed, fields, rows);
  if ('chart' in validated) return { ...chosen, chart: validated.chart };
  const error = `The model proposed a chart that does not fit the result: ${validated.error}`;
  return { ...chosen, errorType: 'error-validate-chart', error };
}

/** The maximum number of rows of a stored result. */
const MAX_ROWS = 1_000;
/** The maximum size of the rows of a stored result, as characters of JSON. */
const MAX_CHARACTERS = 1_000_000;

/** Truncates a result to the limits of stored results, and marks it as truncated. */
function limitResult(result: QuestionResult): QuestionResult {
  let characters = 0;
  const end = result.rows.slice(0, MAX_ROWS).findIndex((row) => {
    characters += JSON.stringify(row).length + 1;
    return characters > MAX_CHARACTERS;
  });
  const rows = result.rows.slice(0, end < 0 ? MAX_ROWS : end);
  if (rows.length === result.rows.length) return result;
  const count = `${result.truncated ? 'at least ' : ''}${result.rows.length}`;
  const notice = `The result has ${count} rows; the first ${rows.length} are stored.`;
  return { ...result, rows, truncated: true, notices: [...result.notices, notice] };
}
