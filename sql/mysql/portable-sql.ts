import { NOT_CODE } from '../reading/lexemes.js';

/**
 * A SELECT of the MySQL dialect in words that every server knows:
 *
 * - `ANY_VALUE(x)`, which MariaDB lacks, is `MIN(x)`, so that it is the same value on every database;
 * - `IN (SELECT … LIMIT n)`, which MySQL and MariaDB reject, also with ANY, SOME and ALL, reads a derived table;
 * - `LAG(x, n, otherwise) OVER w`, which MariaDB does not know, also LEAD, is a CASE.
 *
 * Everything else, its spaces and comments included, stays as it is written. The text is one that the parser has read.
 */
export function portableSql(sql: string): string {
  if (!CONCERNED.test(sql)) return sql;
  const tokens = [...sql.matchAll(TOKENS)].map(([token]) => token);
  return write(partsOf(tokens[Symbol.iterator]()), { count: 0 });
}

const CONCERNED = /\b(?:any_value|limit|lag|lead)\b/i;

/** What is no code, blanks, words with the markers of values, then any other sign. */
const TOKENS = new RegExp(`${NOT_CODE}|\\s+|[\\w$:.@]+|.`, 'gsu');

/** A token, or the content of two parentheses. */
type Part = string | Parts;
interface Parts extends ReadonlyArray<Part> {}

/** How many derived tables there are by now: each has a name of its own. */
interface Derived {
  count: number;
}

function partsOf(tokens: Iterator<string>): Parts {
  const parts: Part[] = [];
  for (let token = tokens.next(); token.done !== true && token.value !== ')'; token = tokens.next()) {
    parts.push(token.value === '(' ? partsOf(tokens) : token.value);
  }
  return parts;
}

function write(parts: Parts, derived: Derived): string {
  let text = '';
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] ?? '';
    if (typeof part !== 'string') {
      text += isLimitedSet(parts, index, part) ? derivedTable(part, derived) : `(${write(part, derived)})`;
      continue;
    }
    const rewritten = CALLS[wordOf(part)]?.(parts, index, derived);
    text += rewritten?.text ?? part;
    index = rewritten?.last ?? index;
  }
  return text;
}

/** The text that replaces some tokens, and the last of these tokens. */
interface Rewritten {
  readonly text: string;
  readonly last: number;
}

const CALLS: Readonly<Record<string, (parts: Parts, index: number, derived: Derived) => Rewritten | undefined>> = {
  ANY_VALUE: anyValue,
  LAG: shiftedRow,
  LEAD: shiftedRow,
};

function anyValue(parts: Parts, index: number, derived: Derived): Rewritten | undefined {
  const last = codeAfter(parts, index);
  const args = parts[last];
  return typeof args === 'object' ? { text: `MIN(${write(args, derived)})`, last } : undefined;
}

function derivedTable(query: Parts, derived: Derived): string {
  derived.count += 1;
  const name = `limited_${derived.count}`;
  return `(SELECT * FROM (${write(query, derived)}) AS ${name})`;
}

/** A query with a LIMIT that values are looked for in. */
function isLimitedSet(parts: Parts, index: number, list: Parts): boolean {
  const before = codeBefore(parts, index);
  if (!SETS.has(wordOf(parts[before]))) return false;
  if (COMBINATIONS.has(wordOf(parts[codeBefore(parts, before)]))) return false;
  return isQuery(list) && hasLimit(list);
}

/** A list with a comma holds values, which queries may be among. */
function isQuery(parts: Parts): boolean {
  const first = parts[codeAfter(parts, -1)];
  if (typeof first !== 'object') return ['SELECT', 'WITH'].includes(wordOf(first));
  return isQuery(first) && !parts.includes(',');
}

const SETS = new Set(['IN', 'ANY', 'SOME', 'ALL']);
/** `UNION ALL (SELECT … LIMIT n)` is no comparison. */
const COMBINATIONS = new Set(['UNION', 'INTERSECT', 'EXCEPT']);

/** The LIMIT of the query itself, or of a part of its UNION. */
function hasLimit(parts: Parts): boolean {
  return parts.some((part, index) => {
    if (typeof part === 'string') return wordOf(part) === 'LIMIT';
    const place = codeBefore(parts, index);
    const before = wordOf(parts[place]);
    return (place < 0 || COMBINATIONS.has(before) || before === 'ALL') && hasLimit(part);
  });
}

/** `LAG(x, n, otherwise) OVER w`: the row is missing where even 1 has no value there. */
function shiftedRow(parts: Parts, index: number, derived: Derived): Rewritten | undefined {
  const name = wordOf(parts[index]);
  const list = codeAfter(parts, index);
  const over = codeAfter(parts, list);
  const last = codeAfter(parts, over);
  const args = parts[list];
  if (typeof args !== 'object' || wordOf(parts[over]) !== 'OVER') return undefined;
  const [x, rows, otherwise] = separated(args).map((arg) => write(arg, derived).trim());
  if (otherwise === undefined) return undefined;
  const w = write(parts.slice(last, last + 1), derived);
  const isMissing = `${name}(1, ${rows}) OVER ${w} IS NULL`;
  return { text: `(CASE WHEN ${isMissing} THEN ${otherwise} ELSE ${name}(${x}, ${rows}) OVER ${w} END)`, last };
}

function separated(parts: Parts): Parts[] {
  const commas = parts.flatMap((part, index) => (part === ',' ? [index] : []));
  return [-1, ...commas].map((comma, place) => parts.slice(comma + 1, commas[place] ?? parts.length));
}

/** The word in capitals; empty for anything else. */
function wordOf(part: Part | undefined): string {
  return typeof part === 'string' && /^\w+$/.test(part) ? part.toUpperCase() : '';
}

/** The index of the next part that is neither blank nor a comment; the number of parts if there is no such part. */
function codeAfter(parts: Parts, index: number): number {
  let place = index + 1;
  while (place < parts.length && !isCode(parts[place])) place += 1;
  return place;
}

/** As `codeAfter`, backwards; -1 if there is no such part. */
function codeBefore(parts: Parts, index: number): number {
  let place = index - 1;
  while (place >= 0 && !isCode(parts[place])) place -= 1;
  return place;
}

function isCode(part: Part | undefined): boolean {
  return typeof part !== 'string' || !/^(?:\s|\/\*|#|--)/.test(part);
}
