import { MACRO_DATABASE, MACROS } from './macros/macros.js';

/**
 * A text of DuckDB, and its number of words after the expansion of its macros. A macro that names an argument five times copies it
 * five times. Nested calls can therefore create a text that DuckDB plans for minutes. Meanwhile DuckDB does not count the memory and
 * cannot be interrupted.
 */
export interface Expansion {
  readonly sql: string;
  readonly words: number;
}

/** Rewrites macro calls that would copy a long argument: the argument becomes a field of a lambda parameter, which exists once. */
export function bindLongArguments(sql: string): Expansion {
  return readCalls(sql, () => 1);
}

/** Copies of up to this many words cost a few milliseconds per query. A lambda parameter costs some hundred nanoseconds per row. */
const MAX_COPIED = 4_000;

/** The number of words of a macro without its arguments, and how often it copies each argument. */
interface Size {
  readonly ownWords: number;
  readonly copies: readonly number[];
}

const TOKENS = new RegExp(
  [
    /'(?:[^']|'')*'|"(?:[^"]|"")*"/.source,
    `${MACRO_DATABASE}\\.(?<macro>\\w+)\\(`,
    // A field, which may have the same name as an argument.
    /\.\w+/.source,
    /(?<word>\w+)/.source,
    /(?<blank>\s+)/.source,
    /[^\s\w]/.source,
  ].join('|'),
  'g',
);

/** The content of an open bracket up to the current token. The bracket belongs to a macro call or to any other construct. */
interface Call {
  readonly opening: string;
  readonly macro: string | undefined;
  readonly args: Expansion[];
}

/** Reads the text in one pass. */
function readCalls(sql: string, sizeOfWord: (word: string) => number): Expansion {
  const calls: Call[] = [startCall('', undefined)];
  for (const { 0: token, groups } of sql.matchAll(TOKENS)) {
    if (OPENING.has(token.slice(-1)) && !QUOTES.has(token.charAt(0))) calls.push(startCall(token, groups?.macro));
    else if (token === ',') calls.at(-1)?.args.push(NOTHING);
    else if (CLOSING.has(token) && calls.length > 1) append(calls, finishCall(calls.pop(), token));
    else append(calls, { sql: token, words: countWords(groups, sizeOfWord) });
  }
  while (calls.length > 1) append(calls, finishCall(calls.pop(), ''));
  return finishCall(calls.pop(), '');
}

const OPENING = new Set(['(', '[', '{']);
const CLOSING = new Set([')', ']', '}']);
const QUOTES = new Set(["'", '"']);
const NOTHING: Expansion = { sql: '', words: 0 };

function startCall(opening: string, macro: string | undefined): Call {
  return { opening, macro, args: [NOTHING] };
}

function countWords(groups: Record<string, string> | undefined, sizeOfWord: (word: string) => number): number {
  if (groups?.blank !== undefined) return 0;
  return groups?.word === undefined ? 1 : sizeOfWord(groups.word);
}

function append(calls: readonly Call[], { sql, words }: Expansion): void {
  const args = calls.at(-1)?.args;
  const last = args?.pop() ?? NOTHING;
  args?.push({ sql: last.sql + sql, words: last.words + words });
}

function finishCall(call: Call | undefined, closing: string): Expansion {
  if (call === undefined) return NOTHING;
  const { opening, macro, args } = call;
  const size = macro === undefined ? undefined : measureMacro(macro);
  const written = `${opening}${args.map(({ sql }) => sql).join(',')}${closing}`;
  if (size === undefined) return { sql: written, words: args.reduce((sum, { words }) => sum + words, args.length) };
  const copied = args.reduce((sum, { words }, index) => sum + words * (size.copies[index] ?? 1), size.ownWords);
  const isLong = args.map(
    ({ words }, index) => (size.copies[index] ?? 1) > 1 && words * (size.copies[index] ?? 1) > MAX_COPIED,
  );
  return isLong.includes(true) ? bindArguments(opening, args, isLong, size) : { sql: written, words: copied };
}

/** Writes the macro call with fields for its long arguments. A short argument, such as a number of digits, may have to be a constant. */
function bindArguments(opening: string, args: readonly Expansion[], isLong: readonly boolean[], size: Size): Expansion {
  const fields = args.flatMap(({ sql }, index) => (isLong[index] === true ? [`'a${index}': ${sql}`] : []));
  const boundArgs = args.map(({ sql }, index) => (isLong[index] === true ? `bound.a${index}` : sql));
  const words = args.reduce(
    (sum, arg, index) =>
      sum +
      (isLong[index] === true ? arg.words + 3 * (size.copies[index] ?? 1) : arg.words * (size.copies[index] ?? 1)),
    size.ownWords + fields.length * 4,
  );
  return {
    sql: `list_transform([{ ${fields.join(', ')} }], lambda bound: ${opening}${boundArgs.join(', ')}))[1]`,
    words,
  };
}

/** A cache of the sizes of macros. */
const sizes = new Map<string, Size>();

function measureMacro(name: string): Size | undefined {
  const known = sizes.get(name);
  if (known !== undefined) return known;
  const [signature, body] = MACROS.find(([text]) => text.startsWith(`${name}(`)) ?? [];
  if (signature === undefined || body === undefined) return undefined;
  const names = signature.slice(name.length + 1, -1).split(', ');
  const sizeWith = (argument?: string) =>
    readCalls(body, (word) => (names.includes(word) ? Number(word === argument) : 1)).words;
  const ownWords = sizeWith();
  const size = { ownWords, copies: names.map((argument) => sizeWith(argument) - ownWords) };
  sizes.set(name, size);
  return size;
}
