import { LRUCache } from 'lru-cache';
import { findCommentFault, maskNonCode, NOT_CODE, SEVERAL_STATEMENTS } from './lexemes.js';
import { Dialect, parse, tokenize, validate } from './parser.js';
import { RESERVED_WORDS } from './reserved-words.js';
import { type Fields, isFields, listOf, nodeOf } from './tree.js';

/** The syntax tree of a text, or the reason why the text cannot be parsed, with the offsets of the mistake. */
export type Reading =
  | { readonly tree: unknown }
  | { readonly message: string; readonly start: number; readonly end: number };

/** An SQL token: its text as the author wrote it, its offsets, and the number of enclosing parentheses. */
export interface SqlToken {
  readonly text: string;
  /** The text of the token in capital letters. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

/**
 * Parses a text of one statement in the MySQL dialect. All parts of the engine read SQL with it, so that they see the same tree. The
 * function corrects the tree where the parser differs from MySQL: for a WITH before a SELECT in parentheses, which the parser drops, and
 * for ROW. Each SELECT in an expression has the field `in_expression`, and each `span` has offsets in this text. Callers share the tree,
 * so they must not change it.
 */
export function readStatement(sql: string): Reading {
  const known = readings.get(sql);
  if (known !== undefined) return known;
  const reading = parseText(sql);
  readings.set(sql, reading);
  return reading;
}

/**
 * The most recent results. While definitions are loaded, their check, the lint rules and the translation read the same statements. After
 * 30 seconds a result is removed, so that the trees use no memory when nothing is loaded.
 */
const readings = new LRUCache<string, Reading>({
  maxSize: 100_000,
  sizeCalculation: (_, sql) => sql.length + 1,
  ttl: 30_000,
  ttlAutopurge: true,
});

function parseText(sql: string): Reading {
  const fault = findCommentFault(sql);
  if (fault !== undefined) return { ...fault, end: fault.start };
  const { text, places } = prepareForParser(sql);
  const { success, ast, error, errorStart, errorEnd } = parse(text, DIALECT);
  if (!success) {
    const place = { start: places.startOf(errorStart ?? 0), end: places.endOf(errorEnd ?? 0) };
    if (LOCK.test(sql.slice(place.start))) return { message: LOCKS_ROWS, ...place };
    return { message: `not SQL: ${explainParseError(error, sql, place)}`, ...place };
  }
  const comma = maskNonCode(sql).search(TRAILING_COMMA);
  if (comma >= 0 && validate(text, DIALECT, { strictSyntax: true }).errors.some(({ code }) => code === 'E005')) {
    return { message: 'not SQL: nothing follows the comma', start: comma, end: comma };
  }
  const [tree, second] = (ast as unknown[] | undefined) ?? [];
  if (tree === undefined) return { message: NOT_A_SELECT, start: 0, end: 0 };
  if (second !== undefined) return { message: SEVERAL_STATEMENTS, start: 0, end: 0 };
  const source: Source = { sql, places, mistake: undefined };
  const complete = restoreWith(tree, correct(tree, false, source), text, source);
  if (source.mistake !== undefined) return source.mistake;
  return complete === undefined ? explainLostWith(sql) : { tree: complete };
}

/** Returns the tokens of a text without comments, or an empty list if the text cannot be read. */
export function sqlTokens(sql: string): SqlToken[] {
  const { tokens } = tokenize(maskNonCode(sql), DIALECT);
  const offsetOf = createOffsets(sql);
  let depth = 0;
  return (tokens ?? []).map(({ span }) => {
    const [start, end] = [offsetOf(span.start), offsetOf(span.end)];
    const text = sql.slice(start, end);
    if (text === ')') depth -= 1;
    const token = { text, word: text.toUpperCase(), start, end, depth };
    if (text === '(') depth += 1;
    return token;
  });
}

/** Returns the first token that is this word or name, with or without quotes. */
export function findToken(tokens: readonly SqlToken[], name: string): SqlToken | undefined {
  const wanted = name.toUpperCase();
  return tokens.find(({ word }) => word === wanted || (/^['"`]/.test(word) && word.slice(1, -1) === wanted));
}

type PlaceOf = (place: number) => number;

/** Returns a function that converts offsets of the parser, which counts code points, to offsets in a JavaScript string. */
function createOffsets(text: string): PlaceOf {
  if (!/[\ud800-\udfff]/.test(text)) return (place) => place;
  const offsets: number[] = [];
  for (let offset = 0; offset < text.length; offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1)
    offsets.push(offset);
  return (place) => offsets[place] ?? text.length;
}

/** Converts the places at which the parser finds the start and the end of something to offsets in the text of the author. */
interface Places {
  readonly startOf: PlaceOf;
  readonly endOf: PlaceOf;
}

/** The offsets of a token in the text of the author, and in the text for the parser. */
interface PreparedToken {
  readonly start: number;
  readonly end: number;
  readonly startInText: number;
  readonly endInText: number;
}

/** Rewrites tokens that the parser reads differently from MySQL. */
function prepareForParser(sql: string): { readonly text: string; readonly places: Places } {
  const tokens: PreparedToken[] = [];
  let [text, done] = ['', 0];
  for (const { 0: token, index: start, groups } of sql.matchAll(TOKENS)) {
    if (groups?.unterminated !== undefined) break;
    const end = start + token.length;
    const isNextToText = /['"\w]/.test((sql[start - 1] ?? '') + (sql[end] ?? ''));
    text += sql.slice(done, start);
    const startInText = text.length;
    text += prepareToken(token, isNextToText);
    done = end;
    tokens.push({ start, end, startInText, endInText: text.length });
  }
  text += sql.slice(done);
  const offsetOf = createOffsets(text);
  const findOffset = (place: number, edge: 'start' | 'end') => {
    const offset = offsetOf(place);
    const next = findFirstAfter(offset, tokens);
    const token = tokens[next];
    const isInside =
      token !== undefined && (edge === 'start' ? offset >= token.startInText : offset > token.startInText);
    if (isInside) return token[edge];
    const { end, endInText } = tokens[next - 1] ?? { end: 0, endInText: 0 };
    return end + offset - endInText;
  };
  return {
    text,
    places: { startOf: (place) => findOffset(place, 'start'), endOf: (place) => findOffset(place, 'end') },
  };
}

/** Returns the index of the first token that ends after an offset in the text for the parser. */
function findFirstAfter(offset: number, tokens: readonly PreparedToken[]): number {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.endInText ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

const DIALECT = Dialect.MySQL;
/** A comma before a clause, which the parser accepts but databases do not. */
const TRAILING_COMMA = /,\s*(FROM|WHERE|GROUP|ORDER|HAVING|LIMIT|UNION|\))/i;
/** The message for a text that can be parsed but is empty or another statement. */
export const NOT_A_SELECT = 'the SQL is not a SELECT';

/**
 * Rewrites a token so that the parser reads it as MySQL does. The parser does not know `#` comments, `!x`, `&&` as AND,
 * `LIMIT a, b` and the quotes in `"a""b"`. The parser reads `--2` as a comment, drops the backslash of `\\%` that LIKE
 * needs, and does not distinguish LENGTH from CHAR_LENGTH.
 */
function prepareToken(token: string, isNextToText: boolean): string {
  if (token.startsWith('"')) {
    const text = prepareToken(`'${token.slice(1, -1).replace(QUOTES, writeQuote)}'`, false);
    // Blanks keep adjacent tokens separate: `"a"'b'` are two texts, and `n"a"` is a name with an alias.
    return isNextToText ? ` ${text} ` : text;
  }
  if (token.startsWith("'")) return token.replace(LIKE_ESCAPE, (pair) => (pair === '\\\\' ? pair : `\\${pair}`));
  if (token.startsWith('`')) return token;
  if (token === '-') return '- ';
  if (token.startsWith('#') || token.startsWith('--') || token.startsWith('/*')) return ' ';
  if (token === '!') return NOT_OPERATOR;
  if (token === '&&') return ' AND ';
  if (token === '||') return ' OR ';
  const limit = LIMIT_WITH_COMMA.exec(token);
  return limit === null ? 'OCTET_LENGTH' : `LIMIT ${limit[2]} OFFSET ${limit[1]}`;
}

/** Matches the quotes in a text with double quotes, and pairs of a backslash and a character. */
const QUOTES = /""|'|\\./gs;

/** Converts a match of `QUOTES` in a text with double quotes for a text with single quotes. */
function writeQuote(quote: string): string {
  if (quote === '""') return '"';
  return quote === "'" ? "''" : quote;
}

/**
 * The text that replaces `!`. The operator `!` binds tighter than NOT, and of the operators that the parser knows, only
 * unary ones such as `~` bind as tightly. Real queries do not contain three `~` in a row.
 */
const NOT_OPERATOR = ' ~ ~ ~ ';

const LIMIT_WITH_COMMA = /^limit\s+([\d:]\w*)\s*,\s*([\d:]\w*)$/i;

/**
 * Matches `\\%` and `\\_`, whose backslash MySQL keeps. The pattern also matches `\\\\` as a pair, so that it does not
 * find an escape in `\\\\%`.
 */
const LIKE_ESCAPE = /\\[%_]|\\\\/g;

/** Matches blanks and comments. There is only one way to match a text; otherwise matching many comments would take exponential time. */
const GAP = /(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|(?:#|--(?=\s|$))[^\n]*(?:\n|$))*/.source;

/** Matches quoted texts and comments, then the tokens to rewrite, then a quote without an end. */
const TOKENS = new RegExp(
  [
    NOT_CODE,
    /-(?=-)/.source,
    `(?<!\\.\\s*)\\blength(?=${GAP}\\((?!${GAP}(?:\\)|distinct\\b)))`,
    /\blimit\s+[\d:]\w*\s*,\s*[\d:]\w*/.source,
    /&&|\|\||!(?!=)/.source,
    // The text after a quote that is not closed is not code.
    /(?<unterminated>['"`]).*/.source,
  ].join('|'),
  'gis',
);

/** The text of the author, and the function that converts positions of the parser to offsets in this text. */
interface Source {
  readonly sql: string;
  readonly places: Places;
  /** A mistake that the parser does not find: an operator as a name, because it reads AND and OR as names after AS, or an unclear NOT. */
  mistake: { readonly message: string; readonly start: number; readonly end: number } | undefined;
}

/** The fields of a SELECT whose queries cannot use columns of this SELECT. */
const ISOLATED = new Set(['from', 'joins', 'with']);

/** Corrects a new tree in place, because a copy would make every start slower. Returns the number of WITH clauses in the tree. */
function correct(tree: unknown, inExpression: boolean, source: Source): number {
  if (typeof tree !== 'object' || tree === null) return 0;
  const parts = tree as Record<string, unknown>;
  let clauses = 0;
  for (const key of Object.keys(parts)) {
    const part = parts[key];
    if (typeof part !== 'object' || part === null) continue;
    if (key === 'with') clauses++;
    if (key === 'not') rejectUnclearNot(part, source);
    if (key === 'span') placeSpan(parts, part, source);
    else if (key === 'select') clauses += correctSelect(part as Record<string, unknown>, inExpression, source);
    else clauses += correct(part, inExpression, source);
    if (key === 'function') writeRowAsTuple(parts);
    if (key === 'lambda') writeLambdaAsArrow(parts);
    if (key in PREDICATES) bindTighter(parts, key);
    if (key === 'group_concat') markList(part as Record<string, unknown>, source);
  }
  return clauses;
}

/** Converts a span, and restores a name such as that in `WITH length (n) AS …`, which was rewritten like a function. */
function placeSpan(owner: Record<string, unknown>, span: { start?: unknown; end?: unknown }, source: Source): void {
  if (typeof span.start === 'number') span.start = source.places.startOf(span.start);
  if (typeof span.end === 'number') span.end = source.places.endOf(span.end);
  const [start, end] = [Number(span.start), Number(span.end)];
  const written = source.sql.slice(start, end);
  if ('name' in owner && (written === '&&' || written === '||')) {
    source.mistake = { message: `not SQL: "${written}" is unexpected here`, start, end };
  }
  if (owner.name !== 'OCTET_LENGTH' || 'args' in owner) return;
  if (/^length$/i.test(written)) owner.name = written;
}

function correctSelect(select: Record<string, unknown>, inExpression: boolean, source: Source): number {
  let clauses = 0;
  for (const [field, value] of Object.entries(select)) {
    if (field === 'with' && value !== null) clauses++;
    clauses += correct(value, !ISOLATED.has(field), source);
  }
  for (const item of listOf(select.expressions)) if (isFields(item)) moveAliasOut(item);
  if (inExpression) select.in_expression = true;
  return clauses;
}

/** Corrects `(1, 2) = (1, 2) AS a`, which the parser reads as `(1, 2) = ((1, 2) AS a)`: the alias belongs to the whole expression. */
function moveAliasOut(item: Record<string, unknown>): void {
  const { kind, fields } = nodeOf(item);
  const alias = kind === 'alias' ? undefined : takeAlias(fields);
  if (alias === undefined) return;
  delete item[kind];
  item.alias = { ...alias, this: { [kind]: fields } };
}

/** Replaces `row AS a` at the end of an expression by the row, and returns the alias. */
function takeAlias(fields: Record<string, unknown>): Fields | undefined {
  for (const place of LAST_OPERANDS) {
    const { kind, fields: inside } = nodeOf(fields[place]);
    if (kind === '') continue;
    if (kind !== 'alias') return OPERATORS.has(kind) ? takeAlias(inside) : undefined;
    fields[place] = inside.this;
    return inside;
  }
  return undefined;
}

/** The fields that contain the last operand: of binary operators, of BETWEEN, and of NOT and CASE. */
const LAST_OPERANDS = ['right', 'high', 'this'];
const OPERATORS = new Set('eq neq lt lte gt gte null_safe_eq and or xor not between'.split(' '));

/** Changes `ROW(1, 2)`, which the parser reads as a call, to `(1, 2)`. */
function writeRowAsTuple(parts: Record<string, unknown>): void {
  const { name, args } = parts.function as Fields;
  if (String(name).toUpperCase() !== 'ROW' || !Array.isArray(args) || args.length < 2) return;
  delete parts.function;
  parts.tuple = { expressions: args };
}

/** Changes `x -> '$.a'` as an argument, which the parser reads as a lambda, to the operator `->`. */
function writeLambdaAsArrow(parts: Record<string, unknown>): void {
  const { parameters, body: path } = parts.lambda as Fields;
  const [name, second] = listOf(parameters);
  if (second !== undefined || nodeOf(path).fields.literal_type !== 'string') return;
  delete parts.lambda;
  parts.json_extract = { this: { column: { name, table: null } }, path, arrow_syntax: true };
}

/**
 * Corrects `a = b IN (1, 2)`, which MySQL reads as `a = (b IN (1, 2))`, and the parser as `(a = b) IN (1, 2)`. The same applies to LIKE,
 * REGEXP and BETWEEN.
 */
function bindTighter(parts: Record<string, unknown>, predicate: string): void {
  const operand = PREDICATES[predicate] ?? '';
  const fields = parts[predicate] as Record<string, unknown>;
  const { kind, fields: comparison } = nodeOf(fields[operand]) as { kind: string; fields: Record<string, unknown> };
  const last = LAST_SIDES[kind];
  if (last === undefined) return;
  delete parts[predicate];
  fields[operand] = comparison[last];
  const moved = { [predicate]: fields };
  comparison[last] = moved;
  parts[kind] = comparison;
  bindTighter(moved, predicate);
}

/** Rejects `a = b NOT LIKE c`. The parser returns the same tree for it and for `NOT a = b LIKE c`. */
function rejectUnclearNot(negated: object, source: Source): void {
  const { kind, fields } = nodeOf((negated as Fields).this);
  if (kind !== 'like' && kind !== 'regexp_like') return;
  if (LAST_SIDES[nodeOf(fields[PREDICATES[kind] ?? '']).kind] === undefined) return;
  const message =
    'a comparison before LIKE or REGEXP with NOT is not clear: write parentheses, such as a = (b NOT LIKE c)';
  source.mistake = { message, start: 0, end: 0 };
}

/** The operators that bind tighter than comparisons, and the field of their first operand. */
const PREDICATES: Readonly<Record<string, string>> = { in: 'this', between: 'this', like: 'left', regexp_like: 'this' };
/** The operators that bind less tightly, and the field of their last operand. */
const LAST_SIDES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'null_safe_eq'].map((kind) => [kind, 'right'])),
  between: 'high',
};

/**
 * Marks `GROUP_CONCAT(DISTINCT a, b)`, which the parser reads as `GROUP_CONCAT(DISTINCT CONCAT(a, b))`. MySQL compares the values of the
 * list one by one.
 */
function markList(group: Record<string, unknown>, { sql }: Source): void {
  const { kind, fields } = nodeOf(group.this);
  if (group.distinct === true && kind === 'function' && fields.name === 'CONCAT' && !CONCAT_CALL.test(sql)) {
    group.values = fields.args;
  }
}

const CONCAT_CALL = /\bconcat\s*\(/i;

/** Adds a WITH that the parser has dropped, as in `WITH … (SELECT …) LIMIT 1`, to the tree. Returns undefined if this fails. */
function restoreWith(tree: unknown, found: number, text: string, source: Source): unknown {
  const written = countWith(text);
  if (found === written) return tree;
  const [[kind, fields] = ['', undefined]] = Object.entries(tree as Fields);
  const clauses = found < written && kind === 'subquery' ? readWith(text) : undefined;
  const isComplete = clauses !== undefined && found + 1 + correct(clauses, false, source) === written;
  return isComplete ? { [kind]: { ...(fields as Fields), with: clauses } } : undefined;
}

/** Returns the syntax tree of a WITH at the start of the text, if a SELECT in parentheses follows its list. */
function readWith(text: string): unknown {
  const end = endOfWith(text);
  if (end === undefined) return undefined;
  const { success, ast } = parse(`${text.slice(0, end)} SELECT 1`, DIALECT);
  const [first] = success ? (ast as unknown[]) : [];
  return isFields(first) && isFields(first.select) ? first.select.with : undefined;
}

/** Returns the offset after the list of a WITH at the start of the text. A SELECT in parentheses follows the list. */
function endOfWith(text: string): number | undefined {
  const code = withoutQuotes(text);
  if (!/^\s*with\b/i.test(code)) return undefined;
  let depth = 0;
  for (const { 0: sign, index } of code.matchAll(/[()]/g)) {
    depth += sign === '(' ? 1 : -1;
    if (depth === 0 && /^\)\s*\(/.test(code.slice(index))) return index + 1;
  }
  return undefined;
}

/** Explains why the tree has not all WITH of the text: the parser drops one before parentheses, and reads one after AS as a name. */
function explainLostWith(sql: string): Reading {
  const words = [...withoutQuotes(sql).matchAll(WITH)];
  const name = words.find(({ index }) => /\bas\s+$/i.test(sql.slice(0, index)));
  const message =
    name === undefined
      ? 'a WITH before a SELECT in parentheses cannot be read: remove the parentheses'
      : `not SQL: "${name[0]}" is unexpected here; write \`${name[0]}\` if it is a name`;
  const start = (name ?? words.at(-1))?.index ?? 0;
  return { message, start, end: start + 'with'.length };
}

function countWith(text: string): number {
  return [...withoutQuotes(text).matchAll(WITH)].length;
}

/** Matches the start of a WITH clause, but not the name `with` after a period, nor WITH QUERY EXPANSION of full-text search. */
const WITH = /(?<!\.\s*)\bwith\b(?!\s+(?:rollup\b(?!\s*(?:\(|as\b))|query\s+expansion\b))/gi;

const QUOTED = new RegExp(NOT_CODE, 'gs');

function withoutQuotes(text: string): string {
  return text.replace(QUOTED, (part) => 'x'.repeat(part.length));
}

/** The characters for the token names in the parser's messages. */
const SIGN_NAMES: Readonly<Record<string, string>> = {
  LParen: '(',
  RParen: ')',
  Comma: ',',
  Dot: '.',
  Eq: '=',
  Colon: ':',
};

/** The message for a SELECT that locks rows. */
export const LOCKS_ROWS = 'a query cannot lock rows: remove FOR';
const LOCK = /^(for\s+(update|share)|lock\s+in)\b/i;

function explainParseError(
  error: string | null | undefined,
  sql: string,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  const word = sql.slice(start, end);
  const message = (error ?? 'unreadable').replace(/^(Parse|Tokenization) error at line \d+, column \d+: /, '');
  if (/^E_GUARD|Maximum call stack/.test(message)) return 'the text is too long or nested too deeply';
  if (/\b[LR]Brace\b/.test(message)) return 'bind a value with {{ name }}, in two braces';
  const [, expected, kind, got] = /^Expected (\w+), got (\w+|end of input) \('([^']*)'\)/.exec(message) ?? [];
  if (expected !== undefined) {
    const sign = SIGN_NAMES[expected] ?? expected.toUpperCase();
    return kind === 'end of input'
      ? `a ${sign} is missing`
      : `expected ${sign} here, got ${JSON.stringify(word || got)}`;
  }
  const before = sqlTokens(sql.slice(0, start)).at(-1)?.word ?? '';
  if (RESERVED_WORDS.has(word.toUpperCase()) && /^(SELECT|AS|BY|,)$/.test(before)) {
    return `${JSON.stringify(word)} is unexpected here; write \`${word}\` if it is a name`;
  }
  const isVague = /^(Invalid expression|Unexpected token)/.test(message);
  return isVague ? `${JSON.stringify(word)} is unexpected here` : message;
}
