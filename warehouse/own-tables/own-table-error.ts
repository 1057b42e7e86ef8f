import { formatProblem, type Problem } from '../../engine/index.js';

/** Thrown if a file cannot become an own table. Nothing was changed. */
export class OwnTableError extends Error {
  override readonly name = 'OwnTableError';
}

/** Creates the error for an invalid documentation file, with all problems and their positions. */
export function documentError(problems: readonly Problem[]): OwnTableError {
  return new OwnTableError(problems.map(formatProblem).join('\n'));
}

/** Formats a value of a file for a message: quoted and truncated. */
export function quoteValue(value: string): string {
  return JSON.stringify(value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value);
}

const MAX_SHOWN = 60;
