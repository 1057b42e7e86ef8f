import { child, type Node } from '../../reading/tree.js';
import { isCount } from '../tree/count-columns.js';
import { resultOfShift, splitInterval, unitOf, writeIntervalNode, writeShiftedDate } from '../tree/intervals.js';
import { integerValue, isLiteral, isNull, stringValue } from '../tree/literals.js';
import { type Result, type Rewrite, reject, type Translator } from '../tree/translator.js';
import { isAggregate } from './aggregates.js';
import { writeMacroCall } from './function-rule.js';

/** Rewrites of operators on numbers, and of `date ± interval`. */
export const ARITHMETIC: Readonly<Record<string, Rewrite>> = {
  add: (node, to) => writeSum(node, '+', to),
  sub: (node, to) => writeSum(node, '-', to),
  mul: (node, to) => writeOperation(child(node, 'left'), '*', child(node, 'right'), to),
  div: (node, to) => writeQuotient(child(node, 'left'), child(node, 'right'), to),
  int_div: (node, to) =>
    writeMacro((a, b) => `mysql.whole_quotient(${a}, ${b})`, child(node, 'this'), child(node, 'expression'), to),
  mod: (node, to) => writeMacro((a, b) => `mysql.remainder(${a}, ${b})`, child(node, 'left'), child(node, 'right'), to),
  neg: (node, to) => `(- ${writeOperand(child(node, 'this'), to)})`,
  bitwise_and: (node, to) => `(${writeBits(child(node, 'left'), to)} & ${writeBits(child(node, 'right'), to)})`,
  bitwise_or: (node, to) => `(${writeBits(child(node, 'left'), to)} | ${writeBits(child(node, 'right'), to)})`,
  bitwise_left_shift: (node, to) => writeShiftedBits('left', node, to),
  bitwise_right_shift: (node, to) => writeShiftedBits('right', node, to),
  interval: (node, to) => writeIntervalNode(node, to),
};

/** Returns the type of an arithmetic node, or undefined for any other node. */
export function resultOfArithmetic(node: Node, to: Translator): Result | undefined {
  if (!(node.kind in ARITHMETIC)) return undefined;
  if (node.kind !== 'add' && node.kind !== 'sub') return 'number';
  const dated = splitInterval(child(node, 'left'), child(node, 'right'));
  return dated === undefined ? 'number' : resultOfShift(dated.x, unitOf(dated.interval), to);
}

/**
 * Returns true for a quotient of counts, such as `COUNT(*) / SUM(COUNT(*)) OVER ()`, and for such a quotient multiplied
 * by an integer. Both sides of such a quotient are integers for all column types.
 */
export function isQuotientOfCounts(node: Node): boolean {
  if (node.kind === 'paren') return isQuotientOfCounts(child(node, 'this'));
  if (node.kind === 'mul')
    return isQuotientOfCounts(child(node, 'left')) && integerValue(child(node, 'right')) !== undefined;
  return node.kind === 'div' && isCount(child(node, 'left')) && isCount(child(node, 'right'));
}

function writeQuotient(left: Node, right: Node, to: Translator): string {
  if (isCount(left) && isCount(right)) {
    return `mysql.divided_${hasColumn(right) ? 'integers' : 'counts'}(${to.value(left)}, ${to.value(right)})`;
  }
  return writeMacro((a, b) => writeMacroCall('divided', a, b), left, right, to);
}

/** Returns true if the count comes from a derived table, which can have many rows. */
function hasColumn(node: Node): boolean {
  return node.kind === 'column' || (node.kind === 'paren' && hasColumn(child(node, 'this')));
}

function writeSum(node: Node, sign: '+' | '-', to: Translator): string {
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  const dated = splitInterval(left, right);
  if (dated === undefined) return writeOperation(left, sign, right, to);
  return writeShiftedDate(dated.x, writeIntervalNode(dated.interval, to), unitOf(dated.interval), sign, to);
}

/** Writes an arithmetic operation. Integer literals become a BIGINT, as in MySQL, because DuckDB's INT could overflow. */
function writeOperation(left: Node, sign: string, right: Node, to: Translator): string {
  const whole = isLiteral(left, 'number') && isLiteral(right, 'number') ? integerValue(left) : undefined;
  const wide = whole !== undefined && Number.isSafeInteger(whole);
  return `(${writeOperand(left, to)}${wide ? '::BIGINT' : ''} ${sign} ${writeOperand(right, to)})`;
}

/** Writes a call of a macro on two numbers. */
function writeMacro(write: (a: string, b: string) => string, left: Node, right: Node, to: Translator): string {
  if (isNull(left) || isNull(right)) return 'NULL';
  return write(writeOperand(left, to, 'undated'), writeOperand(right, to, 'undated'));
}

/** Writes the operand of a bit operator, which is converted to an unsigned number as in MySQL. */
function writeBits(node: Node, to: Translator): string {
  return `mysql.unsigned(${writeOperand(node, to)})`;
}

function writeShiftedBits(direction: 'left' | 'right', node: Node, to: Translator): string {
  return `mysql.shifted_${direction}(${writeBits(child(node, 'left'), to)}, mysql.signed(${writeOperand(child(node, 'right'), to)}))`;
}

/**
 * Writes an operand. If its type is unknown, a macro converts dates to numbers and keeps numbers, because the operators
 * of DuckDB treat dates differently from MySQL. A parameter needs no macro, because it has the type of its value.
 */
function writeOperand(node: Node, to: Translator, macroForUnknown: 'number' | 'undated' = 'number'): string {
  const literal = stringValue(node);
  if (literal !== undefined) return `${toFinite(Number.parseFloat(literal))}::DOUBLE`;
  if (isLiteral(node, 'hex_string') || isLiteral(node, 'hex_number'))
    return BigInt(`0x0${node.fields.value}`).toString();
  const result = to.result(node);
  if (isLongDecimal(node)) return `mysql.number(${to.value(node)})`;
  if (isLiteral(node, 'number') || node.kind === 'parameter' || isNull(node) || isWide(node, to)) return to.value(node);
  if (result === 'text') return `mysql.double(${to.value(node)})`;
  if (result === 'json') return reject('Arithmetic with JSON', 'Use CAST(JSON_UNQUOTE(…) AS DECIMAL(20, 4)).');
  return `mysql.${result === 'unknown' || result === 'number' ? macroForUnknown : 'number'}(${to.value(node)})`;
}

/** Returns 0 for NaN, and the largest number for a number that is too large, as MySQL does. */
function toFinite(number: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(number || 0, Number.MAX_VALUE));
}

/**
 * Returns true for a literal with many digits. If both operands have at most 18 digits, DuckDB calculates with 18
 * digits, but the result may need more.
 */
function isLongDecimal(node: Node): boolean {
  return (
    isLiteral(node, 'number') && /^\d*\.\d*$/.test(String(node.fields.value)) && String(node.fields.value).length > 8
  );
}

/** Returns true if the result is already a BIGINT or wider. Operations on bits return a UBIGINT, whose negative value would wrap around. */
function isWide(node: Node, to: Translator): boolean {
  if (node.kind === 'paren') return isWide(child(node, 'this'), to);
  if (node.kind.startsWith('bitwise')) return false;
  if (isCount(node)) return true;
  return resultOfArithmetic(node, to) === 'number' || (isAggregate(node) && to.result(node) === 'number');
}
