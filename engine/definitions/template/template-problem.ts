import { didYouMean } from '../../sql/did-you-mean.js';

/** A mistake at a character of a template. The loader converts it to a problem with a line and a column. */
export interface TemplateProblem {
  readonly offset: number;
  readonly message: string;
  readonly expected?: string;
}

export type ReportTemplateProblem = (offset: number, message: string, expected?: string) => void;

/** Thrown to stop parsing an invalid tag. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';

  constructor(
    readonly offset: number,
    message: string,
    readonly expected?: string,
  ) {
    super(message);
  }
}

/**
 * Formats the message for an unknown parameter. The message says "of this SQL", because `data_as_of` and `computed_at`
 * cannot use parameters that the definition declares.
 */
export function unknownParameterMessage(name: string, known: readonly string[]): string {
  return `${name} is not a parameter of this SQL${didYouMean(name, known)}`;
}

/** Converts a message of liquidjs to a message for authors. */
export function formatTokenizerMessage(message: string): string {
  if (message.startsWith('output ')) return '{{ is not closed';
  if (message.startsWith('tag ')) return '{% is not closed';
  return message.split(', line:')[0] ?? message;
}
