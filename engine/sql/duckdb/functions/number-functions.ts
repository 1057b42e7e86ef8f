import type { Node } from '../../reading/tree.js';
import { integerValue } from '../tree/literals.js';
import { reject } from '../tree/translator.js';
import { isQuotientOfCounts } from './arithmetic.js';
import {
  argumentAt,
  type FunctionRule,
  type FunctionRules,
  rule,
  writeMacroCall,
  writeNumber,
} from './function-rule.js';

/** Functions on numbers. An undefined result, such as the square root of -1, is NULL. */
export const NUMBER_FUNCTIONS: FunctionRules = {
  ABS: numberRule((x) => `abs(${x})`),
  SIGN: numberRule((x) => `CAST(sign(${x}) AS BIGINT)`),
  CEIL: numberRule((x) => `mysql.ceiling(${x})`),
  FLOOR: numberRule((x) => `mysql.floored(${x})`),
  ROUND: roundingRule('ROUND', (x, digits, node) => {
    if (digits.startsWith('-')) return `mysql.rounded_off(${x}, ${digits})`;
    return isQuotientOfCounts(node) ? `round(${x}, ${digits})` : writeMacroCall('rounded', x, digits);
  }),
  TRUNCATE: roundingRule('TRUNCATE', (x, digits) => `trunc(${x}, ${digits})`),
  MOD: numbersRule(2, 2, (a, b) => `mysql.remainder(${a}, ${b})`),
  SQRT: numberRule((x) => `mysql.root(${x})`),
  EXP: numberRule((x) => `exp(${x})`),
  LN: numberRule((x) => `mysql.logarithm(${x})`),
  LOG: numbersRule(1, 2, (b, x) => (x === undefined ? `mysql.logarithm(${b})` : `mysql.logarithm_to(${b}, ${x})`)),
  LOG2: numberRule((x) => `mysql.logarithm_to(2, ${x})`),
  LOG10: numberRule((x) => `CASE WHEN ${x} > 0 THEN log10(${x}) END`),
  POWER: numbersRule(2, 2, (a, b) => `power(${a}, ${b})`),
  PI: numbersRule(0, 0, () => 'pi()'),
  RAND: numbersRule(0, 0, () => 'random()'),
  DEGREES: numberRule((x) => `degrees(${x})`),
  RADIANS: numberRule((x) => `radians(${x})`),
  SIN: numberRule((x) => `sin(${x})`),
  COS: numberRule((x) => `cos(${x})`),
  TAN: numberRule((x) => `tan(${x})`),
  ASIN: numberRule((x) => `CASE WHEN ${x} BETWEEN -1 AND 1 THEN asin(${x}) END`),
  ACOS: numberRule((x) => `CASE WHEN ${x} BETWEEN -1 AND 1 THEN acos(${x}) END`),
  ATAN: numbersRule(1, 2, (y, x) => (x === undefined ? `atan(${y})` : `atan2(${y}, ${x})`)),
  ATAN2: numbersRule(2, 2, (y, x) => `atan2(${y}, ${x})`),
  COT: numberRule((x) => `cot(${x})`),
  BIT_COUNT: numberRule((x) => `CAST(bit_count(CAST(mysql.signed(${x}) AS BIGINT)) AS BIGINT)`),
};

function numberRule(write: (x: string) => string): FunctionRule {
  return numbersRule(1, 1, (x = '') => write(x));
}

function numbersRule(
  minArguments: number,
  maxArguments: number,
  write: (...args: readonly string[]) => string,
): FunctionRule {
  return rule('number', minArguments, maxArguments, (args, to) => write(...args.map((arg) => writeNumber(arg, to))));
}

/** Creates a rule for a rounding function. The number of digits must be a literal, because DuckDB needs it to plan the query. */
function roundingRule(name: string, write: (x: string, digits: string, node: Node) => string): FunctionRule {
  return rule('number', 1, 2, (args, to) => {
    const node = argumentAt(args, 0);
    const x = writeNumber(node, to);
    if (args[1] === undefined) return write(x, '0', node);
    const digits = integerValue(args[1]);
    if (digits === undefined) return reject(`${name} with a number of digits that is not a literal`);
    return write(x, String(digits), node);
  });
}
