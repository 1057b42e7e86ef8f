import { styleText } from 'node:util';

export type Colour = 'green' | 'yellow' | 'red' | 'dim' | 'bold';

/** Adds the codes of a colour to a text. The caller must check that the stream can show colours. */
export function paint(colour: Colour, text: string): string {
  return styleText(colour, text, { validateStream: false });
}

/**
 * Whether output to a stream is coloured: it is for a terminal, unless NO_COLOR is set. FORCE_COLOR overrides both conditions, as in Node.
 * A command line flag is applied later and takes precedence.
 */
export function isColoured(isTerminal: boolean, environment: Readonly<Record<string, string | undefined>>): boolean {
  const { NO_COLOR = '', FORCE_COLOR, TERM } = environment;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && NO_COLOR === '' && TERM !== 'dumb';
}
