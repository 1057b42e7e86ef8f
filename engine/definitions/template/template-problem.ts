import { didYouMean } from '../../sql/did-you-mean.js';

/** A mistake at a character of a template. The loader converts it to a problem at a line of the file. */
export interface TemplateProblem {
  readonly offset: number;
  readonly message: string;
  readonly expected?: string;
}

export type ReportTemplateProblem = (offset: number, message: string, expected?: string) => void;

/** Thrown to stop reading an invalid tag. */
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
 * Formats the message for an unknown parameter. The definition may declare the parameter: `data_as_of` and
 * `computed_at` cannot use any parameter.
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
