/** Why a question has no answer. The list is closed, and its entries are permanent. */
export const ERROR_TYPES = [
  'error-sql-can-not-answer',
  'error-answer-generate',
  'error-answer-parse',
  'error-validate-sql',
  'error-validate-chart',
  'error-query-execute',
  'error-query-timeout',
  'error-empty-result',
  'error-question-too-long',
  'error-unknown',
] as const;

export type ErrorType = (typeof ERROR_TYPES)[number];

/** A failure of a step of a question. The message is for the author of the question. */
export class QuestionError extends Error {
  override readonly name = 'QuestionError';

  constructor(
    readonly type: ErrorType,
    message: string,
    readonly details: {
      /** Similar questions that can be answered. */
      readonly recommendedQuestions?: readonly string[];
      /** The cause, which is only logged. */
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
  }
}
