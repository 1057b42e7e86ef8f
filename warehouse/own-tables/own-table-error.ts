import { formatProblem, type Problem } from '../../engine/index.js';

/** The error for a file that cannot become an own table. Nothing was changed. */
export class OwnTableError extends Error {
  override readonly name = 'OwnTableError';
}

/** The error for a documentation file, with all problems and their places. */
export function documentError(problems: readonly Problem[]): OwnTableError {
  return new OwnTableError(problems.map(formatProblem).join('\n'));
}

/** Formats a value of a file for a message: in quotes, and shortened. */
export function quoteValue(value: string): string {
  return JSON.stringify(value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value);
}

const MAX_SHOWN = 60;
