/** A tag at the end of a comment, such as `@deprecated`. */
export interface CommentTag {
  readonly name: 'deprecated' | 'default';
  readonly text: string;
}

export interface CommentOptions {
  readonly tags?: readonly CommentTag[];
  /** The white space before each line. */
  readonly indent?: string;
}

/**
 * Returns a JSDoc comment; empty if there is no text. Descriptions are untrusted text, so they are escaped: they cannot
 * end the comment, add tags or contain invisible characters.
 */
export function writeComment(
  paragraphs: readonly (string | undefined)[],
  { tags = [], indent = '' }: CommentOptions = {},
): string {
  const lines = paragraphs.flatMap((paragraph) => paragraph?.split(LINE_BREAK) ?? []).map(printableLine);
  const text = lines.filter((line, index) => line !== '' || (index > 0 && lines[index - 1] !== ''));
  const all = [...text, ...tags.map((tag) => `@${tag.name} ${printableLine(tag.text)}`)];
  const [only, ...others] = all;
  if (only === undefined) return '';
  if (others.length === 0) return `${indent}/** ${only} */\n`;
  return [`${indent}/**`, ...all.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`, ''].join('\n');
}

/** Writes a value as a TypeScript literal with ASCII characters only. */
export function writeLiteral(value: unknown): string {
  return JSON.stringify(value).replace(NOT_ASCII, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;
const NOT_ASCII = /[^\x20-\x7e]/g;

function printableLine(line: string): string {
  const text = line.replace(/\p{C}/gu, ' ').trim();
  return text.replaceAll('*/', '*\\/').replace(/(^|\s)@(?=[a-z])/gi, '$1\\@');
}
