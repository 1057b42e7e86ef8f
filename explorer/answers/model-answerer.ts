import { type Model, type ModelAnswer, ModelError, type ModelRequest } from '../model/model.js';
import { ANSWER_SCHEMA, type ModelProposal, QUESTIONS_SCHEMA } from '../prompts/answer-schema.js';
import { cleanCode, cleanText, TEXT_LIMITS } from '../prompts/clean-text.js';
import type { PromptTexts } from '../prompts/prompt-file.js';
import type { Prompts } from '../prompts/prompts.js';
import { type ErrorType, QuestionError } from '../questions/error-types.js';
import type { Answerer, SqlProposal } from './proposal.js';

/** The maximum number of tokens of one question: for its answer and its repair, including all retries. */
const TOKENS_PER_QUESTION = 35_000;
/** The part of the limit that is for the answer. It suffices for two requests, so that an answer with a wrong form can be corrected. */
export const ANSWER_TOKENS = 21_800;
export const REPAIR_TOKENS = TOKENS_PER_QUESTION - ANSWER_TOKENS;
/** The maximum number of tokens of a request for generated questions. */
const GENERATE_TOKENS = 20_000;
const MAX_GENERATED = 50;

export interface ModelAnswererParts {
  readonly model: Model;
  /** Returns the prompts for the current definitions. */
  readonly prompts: () => Prompts;
  readonly now: () => Date;
  /** Returns names of repositories for generated questions, such as the most active ones. Default: none. */
  readonly readRepositories?: (signal: AbortSignal) => Promise<readonly string[]>;
}

export interface ModelAnswerer extends Required<Pick<Answerer, 'propose' | 'repair'>> {
  /** Returns at most `count` different questions that the tables can answer. Throws `QuestionError`. */
  generateQuestions(count: number, signal: AbortSignal): Promise<readonly string[]>;
}

/** Answers questions with SQL of a language model. The caller must treat the SQL as untrusted. */
export function createModelAnswerer({
  model,
  prompts,
  now: clock,
  readRepositories = async () => [],
}: ModelAnswererParts): ModelAnswerer {
  const ask = (texts: PromptTexts, request: Omit<ModelRequest, keyof PromptTexts>): Promise<ModelAnswer> =>
    model.ask({ ...texts, ...request }).catch((error: unknown) => {
      throw fromModelFailure(error);
    });
  return {
    propose: async (question, { context, now, signal }) => {
      const texts = prompts().answer(question, { repoName: context?.repoName, now });
      const answer = await ask(texts, { schema: ANSWER_SCHEMA, signal, maxTokens: ANSWER_TOKENS });
      return readModelAnswer(answer, question);
    },
    repair: async (question, { sql }, message, { context, now, signal }) => {
      const texts = prompts().repair(question, { sql, message }, { repoName: context?.repoName, now });
      const answer = await ask(texts, { schema: ANSWER_SCHEMA, signal, maxTokens: REPAIR_TOKENS });
      return readModelAnswer(answer, question);
    },
    generateQuestions: async (count, signal) => {
      const wanted = Math.min(count, MAX_GENERATED);
      const texts = prompts().recommend(wanted, await readRepositories(signal), clock());
      const { value } = await ask(texts, { schema: QUESTIONS_SCHEMA, signal, maxTokens: GENERATE_TOKENS });
      return cleanQuestions((value as { readonly questions: readonly string[] }).questions, wanted);
    },
  };
}

/** Converts a failure of the model to the failure of a question. The message contains the next step for the author of the question. */
function fromModelFailure(error: unknown): unknown {
  if (!(error instanceof ModelError)) return error;
  return new QuestionError(typeOf(error), `${error.message} ${nextStep(error)}`, { cause: error });
}

function typeOf({ failure, details }: ModelError): ErrorType {
  // The text of a question can make a model decline, so this is not a failure of the service.
  if (details.isDeclined) return 'error-sql-can-not-answer';
  return failure === 'invalid_output' ? 'error-answer-parse' : 'error-answer-generate';
}

function nextStep({ failure, details: { retryAfterMs, isOperatorFault } }: ModelError): string {
  if (isOperatorFault) return 'Inform the operator of this service.';
  switch (failure) {
    case 'unreachable':
      return 'Ask again later; if the error remains, inform the operator of this service.';
    case 'rate_limited':
      return `Ask again ${retryAfterMs === undefined ? 'later' : `in ${inWords(retryAfterMs)}`}.`;
    case 'refused':
      return 'Ask in other words.';
    case 'invalid_output':
      return 'Ask in other words.';
    case 'budget_used_up':
      return retryAfterMs === undefined ? 'Ask a shorter question.' : `Ask again in ${inWords(retryAfterMs)}.`;
  }
}

function inWords(ms: number): string {
  const [amount, unit] =
    ms < 90_000 ? [ms / 1000, 'second'] : ms < 5_400_000 ? [ms / 60_000, 'minute'] : [ms / 3_600_000, 'hour'];
  const count = Math.max(1, Math.ceil(amount));
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/**
 * Reads the validated answer of a model to a question. All texts are untrusted, so they are cleaned and truncated. Throws `QuestionError`
 * if the model wrote no SQL.
 */
function readModelAnswer({ value, text }: ModelAnswer, question: string): SqlProposal {
  const proposal = value as ModelProposal;
  const recommendedQuestions = cleanQuestions(proposal.recommendedQuestions ?? [], TEXT_LIMITS.questions);
  if (!proposal.sqlCanAnswer) {
    const reason = cleanText(proposal.reason ?? '', TEXT_LIMITS.reason) || NO_REASON;
    throw new QuestionError('error-sql-can-not-answer', reason, { recommendedQuestions });
  }
  const sql = cleanCode(proposal.sql ?? '', TEXT_LIMITS.answer).trim();
  if (sql === '') {
    const message = 'The language model wrote no SQL for this question. Ask in other words.';
    throw new QuestionError('error-answer-parse', message, { recommendedQuestions });
  }
  const revisedTitle =
    cleanText(proposal.revisedTitle ?? '', TEXT_LIMITS.title) || cleanText(question, TEXT_LIMITS.title);
  return {
    engine: 'model',
    revisedTitle,
    notClear: cleanText(proposal.notClear ?? '', TEXT_LIMITS.remark),
    assumption: cleanText(proposal.assumption ?? '', TEXT_LIMITS.remark),
    combinedTitle: cleanText(proposal.combinedTitle ?? '', TEXT_LIMITS.remark) || revisedTitle,
    recommendedQuestions,
    sql,
    chart: cleanValue(proposal.chart ?? null, MAX_DEPTH),
    answer: cleanCode(text, TEXT_LIMITS.answer),
  };
}

/** Cleans the questions that a model generated, and removes empty and duplicate ones. */
function cleanQuestions(questions: readonly string[], count: number): string[] {
  const found = new Map<string, string>();
  for (const question of questions.slice(0, MAX_READ)) {
    const text = cleanText(question, TEXT_LIMITS.question);
    const key = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    if (key !== '' && !found.has(key)) found.set(key, text);
  }
  return [...found.values()].slice(0, count);
}

const NO_REASON = 'The tables of this service cannot answer this question.';
const MAX_READ = 200;
/** Limits for the JSON of a chart, which is validated later. */
const MAX_DEPTH = 3;
const MAX_MEMBERS = 50;

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value, TEXT_LIMITS.question);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.slice(0, MAX_MEMBERS).map((item) => cleanValue(item, depth - 1));
  const members = Object.entries(value).slice(0, MAX_MEMBERS);
  return Object.fromEntries(
    members.map(([name, member]) => [cleanText(name, TEXT_LIMITS.question), cleanValue(member, depth - 1)]),
  );
}
