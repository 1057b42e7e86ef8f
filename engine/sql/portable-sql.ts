import { addNames } from './outline/unnamed-columns.js';
import { NOT_CODE } from './reading/lexemes.js';

/**
 * Rewrites a SELECT of the MySQL dialect so that MySQL, MariaDB and TiDB can run it:
 *
 * - `ANY_VALUE(x)`, which MariaDB does not know, becomes `MIN(x)`, so that every database returns the same value.
 * - `IN (SELECT … LIMIT n)`, which MySQL and MariaDB reject, reads a derived table. The same applies to ANY, SOME and ALL.
 * - `LAG(x, n, otherwise) OVER w`, which MariaDB does not know, becomes a CASE. The same applies to LEAD.
 * - `x -> 'path'` and `x ->> 'path'`, which MariaDB does not know, become calls of JSON_EXTRACT.
 *
 * All other text stays unchanged, including spaces and comments. A rewritten column without a name gets its text as its name. The parser must
 * already have accepted the text.
 */
export function toPortableSql(sql: string): string {
  if (!NEEDS_REWRITE.test(sql)) return sql;
  const tokens = [...addNames(sql, (column) => NEEDS_REWRITE.test(column)).matchAll(TOKENS)].map(([token]) => token);
  return writeParts(readParts(tokens[Symbol.iterator]()), { count: 0 });
}

const NEEDS_REWRITE = /\b(?:any_value|limit|lag|lead)\b|->/i;

/** Matches quoted texts and comments, blanks, words and placeholders, then any other character. */
const TOKENS = new RegExp(`${NOT_CODE}|\\s+|[\\w$:.@]+|.`, 'gsu');

/** A token, or the content of a pair of parentheses. */
type Part = string | Parts;
interface Parts extends ReadonlyArray<Part> {}

/** Counts the derived tables, so that each has a unique name. */
interface Derived {
  count: number;
}

function readParts(tokens: Iterator<string>): Parts {
  const parts: Part[] = [];
  for (let token = tokens.next(); token.done !== true && token.value !== ')'; token = tokens.next()) {
    parts.push(token.value === '(' ? readParts(tokens) : token.value);
  }
  return parts;
}

function writeParts(parts: Parts, derived: Derived): string {
  let text = '';
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] ?? '';
    if (typeof part !== 'string') {
      text += isLimitedSet(parts, index, part) ? writeDerivedTable(part, derived) : `(${writeParts(part, derived)})`;
      continue;
    }
    const rewritten = REWRITES[wordOf(part)]?.(parts, index, derived) ?? rewriteArrow(parts, index);
    text += rewritten?.text ?? part;
    index = rewritten?.last ?? index;
  }
  return text;
}

/** The text that replaces some parts, and the index of the last of these parts. */
interface Replacement {
  readonly text: string;
  readonly last: number;
}

const REWRITES: Readonly<Record<string, (parts: Parts, index: number, derived: Derived) => Replacement | undefined>> = {
  ANY_VALUE: rewriteAnyValue,
  LAG: rewriteRowShift,
  LEAD: rewriteRowShift,
};

function rewriteAnyValue(parts: Parts, index: number, derived: Derived): Replacement | undefined {
  const last = findCodeAfter(parts, index);
  const args = parts[last];
  return typeof args === 'object' ? { text: `MIN(${writeParts(args, derived)})`, last } : undefined;
}

function writeDerivedTable(query: Parts, derived: Derived): string {
  derived.count += 1;
  const name = `limited_${derived.count}`;
  return `(SELECT * FROM (${writeParts(query, derived)}) AS ${name})`;
}

/** Returns true for a subquery with a LIMIT after IN, ANY, SOME or ALL. */
function isLimitedSet(parts: Parts, index: number, list: Parts): boolean {
  const before = findCodeBefore(parts, index);
  if (!SET_COMPARISONS.has(wordOf(parts[before]))) return false;
  if (COMBINATIONS.has(wordOf(parts[findCodeBefore(parts, before)]))) return false;
  return isQuery(list) && hasLimit(list);
}

/** Returns true if the parentheses contain a query and not a list. In a list with commas, each query is one value. */
function isQuery(parts: Parts): boolean {
  const first = parts[findCodeAfter(parts, -1)];
  if (typeof first !== 'object') return ['SELECT', 'WITH'].includes(wordOf(first));
  return isQuery(first) && !parts.includes(',');
}

const SET_COMPARISONS = new Set(['IN', 'ANY', 'SOME', 'ALL']);
/**
 * If one of these words precedes ALL, the ALL belongs to a set operation: `UNION ALL (SELECT … LIMIT n)` is not a
 * comparison.
 */
const COMBINATIONS = new Set(['UNION', 'INTERSECT', 'EXCEPT']);

/** Returns true if the query itself, or a side of its UNION, has a LIMIT. */
function hasLimit(parts: Parts): boolean {
  return parts.some((part, index) => {
    if (typeof part === 'string') return wordOf(part) === 'LIMIT';
    const previous = findCodeBefore(parts, index);
    const before = wordOf(parts[previous]);
    return (previous < 0 || COMBINATIONS.has(before) || before === 'ALL') && hasLimit(part);
  });
}

/** Rewrites `LAG(x, n, otherwise) OVER w`. If `LAG(1, n)` is NULL, the shifted row does not exist, and the value is `otherwise`. */
function rewriteRowShift(parts: Parts, index: number, derived: Derived): Replacement | undefined {
  const name = wordOf(parts[index]);
  const list = findCodeAfter(parts, index);
  const over = findCodeAfter(parts, list);
  const last = findCodeAfter(parts, over);
  const args = parts[list];
  if (typeof args !== 'object' || wordOf(parts[over]) !== 'OVER') return undefined;
  const [x, rows, otherwise] = splitAtCommas(args).map((arg) => writeParts(arg.filter(isNoComment), derived).trim());
  if (otherwise === undefined) return undefined;
  const w = writeParts(parts.slice(last, last + 1), derived);
  const isMissing = `${name}(1, ${rows}) OVER ${w} IS NULL`;
  return { text: `(CASE WHEN ${isMissing} THEN ${otherwise} ELSE ${name}(${x}, ${rows}) OVER ${w} END)`, last };
}

/** Rewrites `x -> 'path'` and `x ->> 'path'` after a column. The result of `->>` is a CHAR, which all databases compare like other text. */
function rewriteArrow(parts: Parts, index: number): Replacement | undefined {
  const name = readName(parts, index);
  if (name === undefined) return undefined;
  const arrow = findCodeAfter(parts, name.last);
  if (parts[arrow] !== '-' || parts[arrow + 1] !== '>') return undefined;
  const isText = parts[arrow + 2] === '>';
  const last = findCodeAfter(parts, arrow + (isText ? 2 : 1));
  const path = parts[last];
  if (typeof path !== 'string' || !/^['"]/.test(path)) return undefined;
  const value = `JSON_EXTRACT(${name.text}, ${path})`;
  return { text: isText ? `CAST(JSON_UNQUOTE(${value}) AS CHAR)` : value, last };
}

/** Reads the name of a column, such as `t.x`. A name in backticks and the period before it are separate parts. */
function readName(parts: Parts, index: number): Replacement | undefined {
  let text = '';
  let last = index - 1;
  for (let next = parts[index]; typeof next === 'string' && /^[\w$.`]/.test(next); next = parts[last + 1]) {
    text += next;
    last += 1;
  }
  return last < index ? undefined : { text, last };
}

/** Returns false for a line comment, because text that is added after it on the same line would be part of the comment. */
function isNoComment(part: Part): boolean {
  return typeof part !== 'string' || !/^(?:#|--)/.test(part);
}

function splitAtCommas(parts: Parts): Parts[] {
  const commas = parts.flatMap((part, index) => (part === ',' ? [index] : []));
  return [-1, ...commas].map((comma, index) => parts.slice(comma + 1, commas[index] ?? parts.length));
}

/** Returns the word in capital letters, or an empty text if the part is not a word. */
function wordOf(part: Part | undefined): string {
  return typeof part === 'string' && /^\w+$/.test(part) ? part.toUpperCase() : '';
}

/** Returns the index of the next part that is not blank and not a comment, or the number of parts if there is no such part. */
function findCodeAfter(parts: Parts, index: number): number {
  let next = index + 1;
  while (next < parts.length && !isCode(parts[next])) next += 1;
  return next;
}

/** Returns the index of the previous part that is not blank and not a comment, or -1 if there is no such part. */
function findCodeBefore(parts: Parts, index: number): number {
  let previous = index - 1;
  while (previous >= 0 && !isCode(parts[previous])) previous -= 1;
  return previous;
}

function isCode(part: Part | undefined): boolean {
  return typeof part !== 'string' || !/^(?:\s|\/\*|#|--)/.test(part);
}
