import { EXECUTABLE_COMMENT, NOT_CODE } from '../../reading/lexemes.js';
import { reject } from './tree.js';

/**
 * The text as the parser can read it. The parser does not know `#` comments, `!x`, `&&` as AND and `LIMIT a, b`, takes `--2` for a comment, drops
 * the backslash of `\\%` that LIKE needs, and does not keep LENGTH apart from CHAR_LENGTH.
 */
export function prepareForParser(sql: string): string {
  return sql.replace(TOKENS, prepareToken);
}

/** The place in the text of a place in its readable form, which the parser counts in characters. */
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
  if (EXECUTABLE_COMMENT.test(token)) return reject('A comment that only some versions run (/*! … */)');
  if (token === '-') return '- ';
  if (token.startsWith('#') || token.startsWith('--') || token.startsWith('/*')) return ' ';
  if (token === '!') return NOT_OPERATOR;
  if (token === '&&') return ' AND ';
  if (token === '||') return ' OR ';
  const limit = LIMIT_WITH_COMMA.exec(token);
  return limit === null ? 'OCTET_LENGTH(' : `LIMIT ${limit[2]} OFFSET ${limit[1]}`;
}

/** How `!x` is told to the parser: it binds tighter than NOT, as only sign operators do. Nobody writes three `~`. */
const NOT_OPERATOR = ' ~ ~ ~ ';

const LIMIT_WITH_COMMA = /^limit\s+(\d+|:p\d+)\s*,\s*(\d+|:p\d+)$/i;

/** `\\%` and `\\_` keep their backslash in MySQL. Other escapes are consumed in pairs, so that `\\\\%` is none. */
const LIKE_ESCAPE = /\\[%_]|\\\\/g;

/** What must be left alone, comments, then what is rewritten. */
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
