/**
 * What of a text in the MySQL dialect is not code: quoted texts and names, and comments. The source of a regular expression
 * with the flag `s`. `--` starts a comment only before a space, and `/*` ends at the first `*` `/`, or not at all.
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

/** The begin of a comment that MySQL, MariaDB or TiDB runs: `/*!`, `/*M!` and `/*T!`. */
export const RUN_COMMENT = /^\/\*[mt]?!/i;

/**
 * The text with as many characters and the same code, in which comments are blank and quoted texts have no quotes or
 * backslashes, so that no parser can take code for a text or a comment, or them for code. It leaves `#` comments.
 */
export function codeOf(sql: string): string {
  return sql.replace(PARTS, (part: string, noCode: string | undefined) => {
    if (noCode === undefined) return SIGNS[part] ?? part;
    if (part.startsWith('#')) return part;
    if (part.startsWith('-') || part.startsWith('/')) return part.replace(/[^\n]/gu, ' ');
    const quote = part.charAt(0);
    return `${quote}${part.slice(1, -1).replace(/['"`\\]/g, 'x')}${quote}`;
  });
}

/** Why a text is refused before any parser reads it, and the place; undefined where it is not. */
export function lexicalFault(sql: string): { readonly message: string; readonly start: number } | undefined {
  for (const { 0: part, 1: noCode, index: start } of sql.matchAll(SUSPECTS)) {
    const message = noCode === undefined ? codeFault(part, sql.slice(start + 1)) : commentFault(noCode);
    if (message !== undefined) return { message, start };
  }
  return undefined;
}

/** Signs that the parser takes for the begin of a comment, or does not know, and others in their place that it knows. */
const SIGNS: Readonly<Record<string, string>> = { '--': '+ ', '!': '~' };

const PARTS = new RegExp(`(${NOT_CODE})|--|!(?!=)`, 'gs');
const SUSPECTS = new RegExp(`(${NOT_CODE})|[$;]`, 'gs');

function commentFault(part: string): string | undefined {
  if (RUN_COMMENT.test(part)) return 'a comment /*! … */ is run by some databases only: leave it out';
  return part.startsWith('/*') && !/^\/\*.*\*\/$/s.test(part) ? 'a comment is not closed' : undefined;
}

function codeFault(part: string, rest: string): string | undefined {
  if (part === '$') return 'a name with $ stands between backticks';
  if (rest.trim() === '') return undefined;
  return /[^\s;]/.test(codeOf(rest))
    ? 'the SQL is more than one statement'
    : 'nothing may follow the semicolon: leave it out';
}
