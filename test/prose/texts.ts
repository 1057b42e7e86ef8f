import jsTokens from 'js-tokens';

/** A part of a file that people read, and the line on which it starts. */
export interface Text {
  readonly line: number;
  readonly text: string;
  /** Whether the text is an identifier of code, and not prose. */
  readonly isName?: boolean;
}

/**
 * Returns the texts of a file. These are, depending on its type, the prose of a document, the comments, literals and identifiers of code,
 * or the descriptions in JSON.
 */
export function textsOf(file: string, content: string): Text[] {
  if (/\.c?tsx?$/.test(file)) return textsOfCode(content, file.endsWith('x'));
  if (file.endsWith('.md')) return [{ line: 1, text: withoutCode(content) }];
  if (file.endsWith('.json')) return descriptionsIn(content);
  return [{ line: 1, text: content }];
}

/** In Markdown, replaces code by spaces, because it quotes names and messages that are defined in other files. */
function withoutCode(markdown: string): string {
  const blank = (code: string) => code.replace(/[^\n]/g, ' ');
  return markdown.replace(/^ *```[\s\S]*?^ *```/gm, blank).replace(/(`+)[^`][\s\S]*?\1/g, blank);
}

function descriptionsIn(json: string): Text[] {
  const lines = json.split('\n').map((text, index) => ({ line: index + 1, text }));
  return lines.filter(({ text }) => /"(title|description)":/.test(text));
}

function textsOfCode(source: string, jsx: boolean): Text[] {
  const texts: Text[] = [];
  let line = 1;
  for (const { type, value } of jsTokens(source, { jsx })) {
    if (type === 'IdentifierName' || type === 'PrivateIdentifier') {
      texts.push({ line, text: wordsOf(value), isName: true });
    } else if (PROSE.test(type)) {
      texts.push({ line, text: value.replace(/^ *\*/gm, ' ') });
    }
    line += linesIn(value);
  }
  return texts;
}

const PROSE = /Comment|String|Template|JSXText/;

/**
 * Splits an identifier into words: `isOpenFor` becomes `is open for`. Names with `_` are not split, because they are permanent codes and
 * columns.
 */
function wordsOf(identifier: string): string {
  return splitWords(identifier).toLowerCase();
}

export function splitWords(text: string): string {
  return text.replace(/([a-z\d])([A-Z])/g, '$1 $2');
}

export function linesIn(text: string): number {
  return text.split('\n').length - 1;
}
