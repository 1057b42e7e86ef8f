import { EXECUTABLE_COMMENT, NOT_CODE } from '../../reading/lexemes.js';
import { reject } from './tree.js';

/**
 * Rewrites the text so that the parser reads it as MySQL does. The parser does not know `#` comments, `!x`, `&&` as AND and `LIMIT a,
 * b`. It reads `--2` as a comment, drops the backslash of `\\%` that LIKE needs, and does not distinguish LENGTH from CHAR_LENGTH.
 */
export function prepareForParser(sql: string): string {
  return sql.replace(TOKENS, prepareToken);
}

/** Converts a place in the prepared text, which the parser counts in code points, to the offset in the original text. */
export function placeInSource(sql: string, place: number): number {
  const wanted = [...prepareForParser(sql)].slice(0, place).join('').length;
  let longer = 0;
  for (const { 0: token, index } of sql.matchAll(TOKENS)) {
    if (index + longer >= wanted) break;
    longer += prepareToken(token).length - token.length;
  }
  return wanted - longer;
}

function prepareToken(token: string): string {
  if (token.startsWith("'") || token.startsWith('"'))
    return token.replace(LIKE_ESCAPE, (pair) => (pair === '\\\\' ? pair : `\\${pair}`));
  if (token.startsWith('`')) return token;
  if (EXECUTABLE_COMMENT.test(token)) return reject('A comment that only some versions execute (/*! … */)');
  if (token === '-') return '- ';
  if (token.startsWith('#') || token.startsWith('--') || token.startsWith('/*')) return ' ';
  if (token === '!') return NOT_OPERATOR;
  if (token === '&&') return ' AND ';
  if (token === '||') return ' OR ';
  const limit = LIMIT_WITH_COMMA.exec(token);
  return limit === null ? 'OCTET_LENGTH(' : `LIMIT ${limit[2]} OFFSET ${limit[1]}`;
}

/**
 * The text that replaces `!`. The operator `!` binds tighter than NOT, and of the operators that the parser knows, only
 * signs such as `~` bind equally tight. Real queries do not contain three `~` in a row.
 */
const NOT_OPERATOR = ' ~ ~ ~ ';

const LIMIT_WITH_COMMA = /^limit\s+(\d+|:p\d+)\s*,\s*(\d+|:p\d+)$/i;

/**
 * Matches `\\%` and `\\_`, whose backslash MySQL keeps. The pattern also matches `\\\\` as a pair, so that it does not
 * find an escape in `\\\\%`.
 */
const LIKE_ESCAPE = /\\[%_]|\\\\/g;

/** Matches quoted texts and comments, then the tokens to rewrite. */
const TOKENS = new RegExp(
  [
    NOT_CODE,
    /-(?=-)/.source,
    /\blength\s*\(/.source,
    /\blimit\s+(?:\d+|:p\d+)\s*,\s*(?:\d+|:p\d+)/.source,
    /&&|\|\||!(?!=)/.source,
  ].join('|'),
  'gis',
);
