import type { EngineError } from '../../engine/index.js';

/** What went wrong, for an operator: an error of the engine hides its cause from callers, but not from the command line. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return isEngineError(error) && error.cause instanceof Error ? error.cause.message : error.message;
}

/** Checks the name of the error, because loading the class from the engine takes longer than most commands. */
function isEngineError(error: Error): error is EngineError {
  return error.name === ('EngineError' satisfies EngineError['name']);
}
