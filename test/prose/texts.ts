import jsTokens from 'js-tokens';

/** A part of a file that people read, and the line on which it starts. */
export interface Text {
  readonly line: number;
  readonly text: string;
  /** Whether it is an identifier, and not prose. */
  readonly isName?: boolean;
}

/** The texts of a file, by its kind: prose; comments, literals and identifiers of code; descriptions in JSON. */
export function textsOf(file: string, content: string): Text[] {
  if (/\.c?ts$/.test(file)) return textsOfCode(content);
  if (file.endsWith('.md')) return [{ line: 1, text: withoutCode(content) }];
  if (file.endsWith('.json')) return descriptionsIn(content);
  return [{ line: 1, text: content }];
}

/** Code in Markdown becomes spaces: it quotes names and messages that are defined elsewhere. */
function withoutCode(markdown: string): string {
  const blank = (code: string) => code.replace(/[^\n]/g, ' ');
  return markdown.replace(/^ *```[\s\S]*?^ *```/gm, blank).replace(/(`+)[^`][\s\S]*?\1/g, blank);
}

function descriptionsIn(json: string): Text[] {
  const lines = json.split('\n').map((text, index) => ({ line: index + 1, text }));
  return lines.filter(({ text }) => /"(title|description)":/.test(text));
}

function textsOfCode(source: string): Text[] {
  const texts: Text[] = [];
  let line = 1;
  for (const { type, value } of jsTokens(source)) {
    if (type === 'IdentifierName' || type === 'PrivateIdentifier') {
      texts.push({ line, text: wordsOf(value), isName: true });
    } else if (PROSE.test(type)) {
      texts.push({ line, text: value.replace(/^ *\*/gm, ' ') });
    }
    line += linesIn(value);
  }
  return texts;
}

const PROSE = /Comment|String|Template/;

/** `isOpenFor` → `is open for`. Names with `_` are codes and columns, which are permanent. */
function wordsOf(identifier: string): string {
  return identifier
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')

    .toLowerCase();
}

export function linesIn(text: string): number {
  return text.split('\n').length - 1;
}
