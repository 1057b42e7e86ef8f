import type { EngineError } from '../../engine/index.js';

/** Returns the message of an error for an operator. For an error of the engine, it contains the cause, which API clients must not see. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return isEngineError(error) && error.cause instanceof Error ? error.cause.message : error.message;
}

/** Compares the name instead of the class, because loading the class from the engine takes longer than most commands. */
function isEngineError(error: Error): error is EngineError {
  return error.name === ('EngineError' satisfies EngineError['name']);
}
