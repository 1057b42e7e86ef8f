import type { Node } from '../../reading/tree.js';
import { integerValue } from '../tree/literals.js';
import { type Result, reject, type Translator } from '../tree/translator.js';

/** The translation rule of a MySQL function: the number of its arguments, the type of its result, and the function that writes it. */
export interface FunctionRule {
  readonly minArguments: number;
  readonly maxArguments: number;
  readonly result: Result;
  /** Returns the type of the result if it depends on the arguments. */
  readonly resultOf?: (args: readonly Node[], to: Translator) => Result;
  readonly write: (args: readonly Node[], to: Translator) => string;
}

/** Rules by the MySQL names of the functions, in capital letters. */
export type FunctionRules = Readonly<Record<string, FunctionRule>>;

/** Creates a rule whose `write` receives each argument as translated text. */
export function valueRule(
  result: Result,
  minArguments: number,
  maxArguments: number,
  write: (...args: readonly string[]) => string,
): FunctionRule {
  return {
    minArguments,
    maxArguments,
    result,
    write: (args, to) => write(...args.map((arg) => to.value(arg))),
  };
}

/** Creates a rule whose `write` receives the arguments as nodes. */
export function rule(
  result: Result,
  minArguments: number,
  maxArguments: number,
  write: FunctionRule['write'],
): FunctionRule {
  return { minArguments, maxArguments, result, write };
}

/** Returns an argument. Rejects the call if it has too few arguments. */
export function argumentAt(args: readonly Node[], index: number): Node {
  const found = args[index];
  return found ?? reject('A function with too few arguments');
}

/** Writes the value as text, for a value of any type. */
export function writeText(node: Node, to: Translator): string {
  if (node.kind === 'parameter') return `CAST(${to.value(node)} AS VARCHAR)`;
  return to.result(node) === 'text' ? to.value(node) : `mysql.text(${writeShownDigits(node, to)})`;
}

/** Writes the value as an integer, for positions and counts. */
export function writeInteger(node: Node, to: Translator): string {
  return integerValue(node) === undefined ? `CAST(${to.value(node)} AS BIGINT)` : to.value(node);
}

/** Writes the value as the argument of a numeric function. A text is converted to the number at its start. */
export function writeNumber(node: Node, to: Translator): string {
  return to.result(node) === 'text' ? `mysql.double(${to.value(node)})` : to.value(node);
}

/**
 * Writes the value, with quotients rounded to the digits that MySQL displays, because they are calculated with more
 * digits. `cast_to_type` uses only the type of its second argument. Results of numeric functions such as ROUND stay
 * unchanged, because these functions determine the number of digits.
 */
export function writeShownDigits(node: Node, to: Translator): string {
  const value = to.value(node);
  const result = to.result(node);
  if (!QUOTIENT.test(value) || (result !== 'number' && result !== 'unknown')) return value;
  if (node.kind === 'function' && result === 'number') return value;
  // An expression that contains a NULL may have no type. The 0 then determines the type; it does not change other
  // types.
  return `cast_to_type(${value}, coalesce(${value.replace(QUOTIENTS, SHOWN_QUOTIENT)}, 0))`;
}

/**
 * Writes a macro call. If an argument is long, the call uses the variant `_once`, which does not copy its arguments.
 */
export function writeMacroCall(name: 'divided' | 'rounded', ...args: readonly string[]): string {
  const isLong = args.some((arg) => arg.length > LONG_ARGUMENT || QUOTIENT.test(arg));
  return `mysql.${name}${isLong ? '_once' : ''}(${args.join(', ')})`;
}

const LONG_ARGUMENT = 200;

/** Matches the macros of quotients. The results of these macros differ from those of MySQL only in the number of digits. */
const QUOTIENT = /mysql\.divided(_once|_counts|_integers)?\(/;
const QUOTIENTS = new RegExp(QUOTIENT, 'g');
const SHOWN_QUOTIENT = 'mysql.quotient_type(';
