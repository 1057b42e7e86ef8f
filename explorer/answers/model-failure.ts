import { ModelError } from '../model/model.js';
import { type ErrorType, QuestionError } from '../questions/error-types.js';

/** Converts a failure of the model to the failure of a question, with the next step of its author. */
export function fromModelFailure(error: unknown): unknown {
  if (!(error instanceof ModelError)) return error;
  return new QuestionError(typeOf(error), `${error.message} ${nextStep(error)}`, { cause: error });
}

function typeOf({ failure, details }: ModelError): ErrorType {
  // The text of a question can cause this, so it is not a failure of the service.
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
