import { EngineError } from '../engine/index.js';

/** What went wrong, for an operator: no log has here what an answer over HTTP must not tell. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error instanceof EngineError ? error.cause : undefined;
  return cause instanceof Error ? cause.message : error.message;
}
