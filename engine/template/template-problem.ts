/** Something wrong at a character of a template; the loader turns it into a problem at a line of the file. */
export interface TemplateProblem {
  readonly offset: number;
  readonly message: string;
  readonly expected?: string;
}

export type ReportTemplateProblem = (offset: number, message: string, expected?: string) => void;

/** Ends the reading of a tag that makes no sense. */
export class TemplateProblemFound extends Error {
  override readonly name = 'TemplateProblemFound';

  constructor(
    readonly offset: number,
    message: string,
    readonly expected?: string,
  ) {
    super(message);
  }
}

/** What the reader of tags says, in words for authors. */
export function formatTokenizerMessage(message: string): string {
  if (message.startsWith('output ')) return '{{ is not closed';
  if (message.startsWith('tag ')) return '{% is not closed';
  return message.split(', line:')[0] ?? message;
}
