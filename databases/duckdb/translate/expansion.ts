import { MACRO_DATABASE, MACROS } from './macros.js';

/**
 * How many words a text of DuckDB has once its macros are put in. A macro that names an argument five times copies it five
 * times, so that a few calls within calls make a text on which DuckDB plans for minutes, without counting the memory and
 * without hearing that it should stop.
 */
export function expandedSize(sql: string): number {
  return sizeOf(sql, () => 1);
}

/** The words of a macro: its own, and how often each argument is put in. */
interface Size {
  readonly own: number;
  readonly copies: readonly number[];
}

const TOKENS = new RegExp(
  [
    /'(?:[^']|'')*'|"(?:[^"]|"")*"/.source,
    `${MACRO_DATABASE}\\.(?<macro>\\w+)\\(`,
    // A field, which may be called like an argument.
    /\.\w+/.source,
    /(?<word>\w+)/.source,
    /[^\s\w]/.source,
  ].join('|'),
  'g',
);

interface Call {
  readonly macro: Size | undefined;
  readonly args: number[];
}

/** Reads the text once; each open parenthesis is a call, of a macro or of anything else. */
function sizeOf(sql: string, sizeOfWord: (word: string) => number): number {
  const calls: Call[] = [{ macro: undefined, args: [0] }];
  for (const { 0: token, groups } of sql.matchAll(TOKENS)) {
    if (token.endsWith('(')) calls.push({ macro: macroSize(groups?.macro ?? ''), args: [0] });
    else if (token === ',') calls.at(-1)?.args.push(0);
    else if (token === ')' && calls.length > 1) add(calls, finished(calls.pop()));
    else add(calls, groups?.word === undefined ? 1 : sizeOfWord(groups.word));
  }
  let total = 0;
  while (calls.length > 0) total += finished(calls.pop());
  return total;
}

function add(calls: readonly Call[], words: number): void {
  const args = calls.at(-1)?.args;
  if (args !== undefined) args[args.length - 1] = (args.at(-1) ?? 0) + words;
}

function finished(call: Call | undefined): number {
  if (call === undefined) return 0;
  const { macro, args } = call;
  if (macro === undefined) return args.reduce((sum, words) => sum + words, args.length);
  return args.reduce((sum, words, place) => sum + words * (macro.copies[place] ?? 1), macro.own);
}

/** Sizes of macros, found when they are first met. */
const sizes = new Map<string, Size>();

function macroSize(name: string): Size | undefined {
  const known = sizes.get(name);
  if (known !== undefined) return known;
  const [signature, body] = MACROS.find(([text]) => text.startsWith(`${name}(`)) ?? [];
  if (signature === undefined || body === undefined) return undefined;
  const names = signature.slice(name.length + 1, -1).split(', ');
  const sizeWith = (argument?: string) =>
    sizeOf(body, (word) => (names.includes(word) ? Number(word === argument) : 1));
  const own = sizeWith();
  const size = { own, copies: names.map((argument) => sizeWith(argument) - own) };
  sizes.set(name, size);
  return size;
}
