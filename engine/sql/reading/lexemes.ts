import { RESERVED_WORDS } from './reserved-words.js';

/**
 * Matches the parts of a text in the MySQL dialect that are not code: quoted texts, quoted names and comments. The text
 * is the source of a regular expression that needs the flag `s`. `--` starts a comment only before a space. A comment
 * `/*` ends at the first `*` `/`, or otherwise at the end of the text.
 */
export const NOT_CODE = [
  /'(?:[^'\\]|\\.|'')*'/,
  /"(?:[^"\\]|\\.|"")*"/,
  /`[^`]*`/,
  /\/\*.*?(?:\*\/|$)/,
  /#[^\n]*/,
  /--(?=\s|$)[^\n]*/,
]
  .map((pattern) => pattern.source)
  .join('|');

export const SEVERAL_STATEMENTS = 'the SQL has more than one statement: write one SELECT';

/** The start of a comment that MySQL, MariaDB or TiDB executes: `/*!`, `/*M!` and `/*T!`. */
const EXECUTABLE_COMMENT = /^\/\*[mt]?!/i;

/**
 * Returns a text of the same length in which comments and the inner quotes and backslashes of quoted texts are masked.
 * So a parser cannot confuse code with a quoted text or a comment.
 */
export function maskNonCode(sql: string): string {
  return sql.replace(PARTS, (part: string, noCode: string | undefined) => {
    if (noCode === undefined) return READABLE_SIGNS[part] ?? part;
    if (/^[-/#]/.test(part)) return part.replace(/[^\n]/gu, ' ');
    const quote = part.charAt(0);
    return `${quote}${part.slice(1, -1).replace(/['"`\\]/g, 'x')}${quote}`;
  });
}

/** The reason why a text is rejected, and the offset of the mistake. */
export interface LexicalFault {
  readonly message: string;
  readonly start: number;
}

/** Finds a comment that only some databases execute, or that is not closed. */
export function findCommentFault(sql: string): LexicalFault | undefined {
  for (const { 0: part, index: start } of sql.matchAll(QUOTED_OR_COMMENT)) {
    const message = explainComment(part);
    if (message !== undefined) return { message, start };
  }
  return undefined;
}

/** Finds a character that a definition must not contain: `$` in a name, and `;` unless it ends the text. */
export function findForbiddenSign(sql: string): LexicalFault | undefined {
  for (const { 0: part, 1: noCode, index: start } of sql.matchAll(SIGNS)) {
    const message = noCode === undefined ? explainSign(part, sql.slice(start + 1)) : undefined;
    if (message !== undefined) return { message, start };
  }
  return undefined;
}

/** Operators that the parser does not know or would read as the start of a comment, with their replacements. */
const READABLE_SIGNS: Readonly<Record<string, string>> = { '--': '+ ', '!': '~' };

const PARTS = new RegExp(`(${NOT_CODE})|--|!(?!=)`, 'gs');
const QUOTED_OR_COMMENT = new RegExp(NOT_CODE, 'gs');
const SIGNS = new RegExp(`(${NOT_CODE})|[$;]`, 'gs');

function explainComment(part: string): string | undefined {
  if (EXECUTABLE_COMMENT.test(part)) return 'only some databases execute a comment of the form /*! … */: remove it';
  return part.startsWith('/*') && !/^\/\*.*\*\/$/s.test(part) ? 'a comment is not closed' : undefined;
}

function explainSign(part: string, rest: string): string | undefined {
  if (part === '$') return 'a name with $ needs backticks';
  if (rest.trim() === '') return undefined;
  return /[^\s;]/.test(maskNonCode(rest)) ? SEVERAL_STATEMENTS : 'no text is allowed after the semicolon: remove it';
}

/** Writes an SQL name, in backticks if it is a reserved word or contains characters other than letters, digits and _. */
export function quoteName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !RESERVED_WORDS.has(name.toUpperCase())
    ? name
    : `\`${name.replaceAll('`', '``')}\``;
}
