import stringWidth from 'string-width';

/** Returns the number of terminal columns that a text occupies. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/**
 * Returns the text of a cell on one line. Control characters such as line breaks are replaced by visible characters, so that data cannot
 * move the cursor, change the text direction or split a row.
 */
export function toCell(value: string | number): string {
  return String(value)
    .replaceAll(/\r\n|\r|\n/g, '↵')
    .replaceAll('\t', ' ')
    .replaceAll(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Control characters, and characters that change the direction of the text. */
const INVISIBLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Truncates a text to a width. A truncated text ends with `…`. */
export function cutText(text: string, width: number): string {
  return widthOf(text) <= width ? text : `${beginningOf(text, width - 1)}…`;
}

/** Breaks a text between words into lines of at most this width. A longer word is split. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (widthOf(line) > width) {
      const part = beginningOf(line, width);
      lines.push(part);
      line = line.slice(part.length);
    }
  }
  return [...lines, line];
}

/** Returns the first characters that fit into a width, but at least one. */
function beginningOf(text: string, width: number): string {
  let beginning = '';
  let used = 0;
  for (const { segment } of CHARACTERS.segment(text)) {
    used += widthOf(segment);
    if (used > width && beginning !== '') break;
    beginning += segment;
    if (used > width) break;
  }
  return beginning;
}

const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });
