import type { EvaluationQuestion } from './evaluation-question.js';
import { type Score, type ScoringParts, scoreQuestion } from './score-question.js';

export interface Evaluation {
  readonly scores: readonly Score[];
  readonly ms: number;
  /** The number of model tokens for all questions; undefined if the answerer uses no model. */
  readonly tokens: number | undefined;
}

export interface EvaluateOptions extends ScoringParts {
  /** Returns the number of tokens that the answerer has used. */
  readonly usedTokens?: (() => number) | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Asks all questions, one after the other, so that questions do not affect each other's duration. */
export async function evaluate(
  questions: readonly EvaluationQuestion[],
  { usedTokens, onProgress, ...parts }: EvaluateOptions,
): Promise<Evaluation> {
  const started = performance.now();
  const before = usedTokens?.() ?? 0;
  const scores: Score[] = [];
  for (const question of questions) {
    scores.push(await scoreQuestion(question, parts));
    onProgress?.(scores.length, questions.length);
  }
  const tokens = usedTokens === undefined ? undefined : usedTokens() - before;
  return { scores, ms: performance.now() - started, tokens };
}
