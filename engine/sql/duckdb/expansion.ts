import { MACRO_DATABASE, MACROS } from './macros.js';

/**
 * The text of a DuckDB query, and the number of its words after DuckDB has expanded the macros. A macro whose body
 * contains an argument five times copies the argument five times. Nested calls can therefore produce a text that DuckDB
 * needs minutes to plan. During planning, DuckDB does not apply its memory limit and ignores interrupts.
 */
export interface Expansion {
  readonly sql: string;
  readonly words: number;
}

/**
 * Rewrites macro calls that would copy a long argument. The argument becomes a field of a lambda parameter, so the text
 * contains it only once.
 */
export function bindLongArguments(sql: string): Expansion {
  return readCalls(sql, () => 1);
}

/**
 * If the copies of an argument have at most this many words in total, they cost a few milliseconds per query. A lambda
 * parameter costs some hundred nanoseconds per row.
 */
const MAX_COPIED = 4_000;

/** The number of words of a macro body without its arguments, and how often the body contains each argument. */
interface Size {
  readonly ownWords: number;
  readonly copies: readonly number[];
}

const TOKENS = new RegExp(
  [
    /'(?:[^']|'')*'|"(?:[^"]|"")*"/.source,
    `${MACRO_DATABASE}\\.(?<macro>\\w+)\\(`,
    // A struct field such as `.name`, which is not an argument even if an argument has the same name.
    /\.\w+/.source,
    /(?<word>\w+)/.source,
    /(?<blank>\s+)/.source,
    /[^\s\w]/.source,
  ].join('|'),
  'g',
);

/**
 * An open bracket, and the text that was read inside it, split at commas into `args`. `macro` is undefined if the
 * bracket does not start a macro call.
 */
interface Call {
  readonly opening: string;
  readonly macro: string | undefined;
  readonly args: Expansion[];
}

/** Reads the query in one pass, rewrites its macro calls and counts the words after expansion. */
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

/**
 * Writes the macro call, in which each long argument becomes a lambda field. Short arguments stay in the call, because
 * DuckDB requires a constant for some of them, such as a number of digits.
 */
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

/** Caches the sizes of macros. */
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
