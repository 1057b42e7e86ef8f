import type { Model, ModelAnswer, ModelRequest } from '../model/model.js';
import { ANSWER_SCHEMA, QUESTIONS_SCHEMA } from '../prompts/answer-schema.js';
import type { PromptTexts } from '../prompts/prompt-file.js';
import type { Prompts } from '../prompts/prompts.js';
import { fromModelFailure } from './model-failure.js';
import type { Answerer } from './proposal.js';
import { cleanQuestions, readModelAnswer } from './read-model-answer.js';

/** The maximum number of tokens of one question: of its answer and its repair, each with all retries. */
const TOKENS_PER_QUESTION = 35_000;
/** The part for the answer. It is sufficient for two requests, so that an answer of a wrong form can be corrected. */
export const ANSWER_TOKENS = 21_600;
export const REPAIR_TOKENS = TOKENS_PER_QUESTION - ANSWER_TOKENS;
/** The maximum number of tokens of a request for recommended questions. */
const GENERATE_TOKENS = 20_000;
const MAX_GENERATED = 50;

export interface ModelAnswererParts {
  readonly model: Model;
  /** Returns the prompts for the current definitions. */
  readonly prompts: () => Prompts;
  readonly now: () => Date;
  /** The names of repositories for recommended questions, such as the most active ones. Default: none. */
  readonly readRepositories?: (signal: AbortSignal) => Promise<readonly string[]>;
}

export interface ModelAnswerer extends Required<Pick<Answerer, 'propose' | 'repair'>> {
  /** Returns at most `count` different questions that the tables can answer. Throws `QuestionError`. */
  generateQuestions(count: number, signal: AbortSignal): Promise<readonly string[]>;
}

/** Answers questions with SQL of a language model. The SQL is untrusted. */
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
