import type { EngineError } from '../../engine/index.js';

/**
 * Returns the message of an error for an operator. An error of the engine hides its cause from API clients, but the
 * command line shows the cause.
 */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return isEngineError(error) && error.cause instanceof Error ? error.cause.message : error.message;
}

/**
 * Checks the name of the error instead of its class, because loading the class from the engine takes longer than most
 * commands.
 */
function isEngineError(error: Error): error is EngineError {
  return error.name === ('EngineError' satisfies EngineError['name']);
}
