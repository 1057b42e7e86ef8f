import { integerValue } from '../tree/literals.js';
import { type Node, type Result, reject, type Translator } from '../tree/tree.js';

/** How a function of MySQL is said in DuckDB: the number of its arguments, the kind of its result, and its text. */
export interface FunctionRule {
  readonly minArguments: number;
  readonly maxArguments: number;
  readonly result: Result;
  /** The result where it depends on the arguments. */
  readonly resultOf?: (args: readonly Node[], to: Translator) => Result;
  readonly write: (args: readonly Node[], to: Translator) => string;
}

export type FunctionRules = Readonly<Record<string, FunctionRule>>;

/** A rule of which every argument is handed over as its value's text. */
export function valueRule(
  result: Result,
  least: number,
  most: number,
  write: (...args: readonly string[]) => string,
): FunctionRule {
  return {
    minArguments: least,
    maxArguments: most,
    result,
    write: (args, to) => write(...args.map((arg) => to.value(arg))),
  };
}

/** A rule that needs the arguments themselves. */
export function rule(result: Result, least: number, most: number, write: FunctionRule['write']): FunctionRule {
  return { minArguments: least, maxArguments: most, result, write };
}

export function argumentAt(args: readonly Node[], index: number): Node {
  const found = args[index];
  return found ?? reject('A function with too few arguments');
}

/** The value as text, whatever its type. */
export function writeText(node: Node, to: Translator): string {
  if (node.kind === 'parameter') return `CAST(${to.value(node)} AS VARCHAR)`;
  return to.result(node) === 'text' ? to.value(node) : `mysql.text(${writeShownDigits(node, to)})`;
}

/** The value as a whole number, for positions and counts. */
export function writeInteger(node: Node, to: Translator): string {
  return integerValue(node) === undefined ? `CAST(${to.value(node)} AS BIGINT)` : to.value(node);
}

/** The value for a function on numbers; text counts as the number it starts with. */
export function writeNumber(node: Node, to: Translator): string {
  return to.result(node) === 'text' ? `mysql.double(${to.value(node)})` : to.value(node);
}

/**
 * The value with the digits that MySQL shows. A quotient is calculated with more of them; `cast_to_type` takes nothing
 * of its second argument but the type. ROUND and other functions say the digits themselves.
 */
export function writeShownDigits(node: Node, to: Translator): string {
  const value = to.value(node);
  const result = to.result(node);
  if (!QUOTIENT.test(value) || result === 'text') return value;
  if (node.kind === 'function' && result === 'number') return value;
  // With a NULL in it, all of it may be of no type; the 0 changes no other.
  return `cast_to_type(${value}, coalesce(${value.replace(QUOTIENTS, SHOWN_QUOTIENT)}, 0))`;
}

/** A macro of which the text holds its arguments several times, or its variant for long ones that holds them once. */
export function writeMacroCall(name: 'divided' | 'rounded', ...args: readonly string[]): string {
  const isLong = args.some((arg) => arg.length > LONG_ARGUMENT || QUOTIENT.test(arg));
  return `mysql.${name}${isLong ? '_once' : ''}(${args.join(', ')})`;
}

const LONG_ARGUMENT = 200;

/** Macros that differ in nothing but the number of digits. */
const QUOTIENT = /mysql\.divided(_once|_counts)?\(/;
const QUOTIENTS = new RegExp(QUOTIENT, 'g');
const SHOWN_QUOTIENT = 'mysql.quotient_type(';
