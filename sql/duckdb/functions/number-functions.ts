import { integerValue } from '../tree/literals.js';
import { type Node, refuse } from '../tree/tree.js';
import { isQuotientOfCounts } from './arithmetic.js';
import { argument, asNumber, type FunctionRule, type FunctionRules, macro, rule } from './function-rule.js';

/** Functions on numbers. What has no value, such as the root of -1, is NULL. */
export const NUMBER_FUNCTIONS: FunctionRules = {
  ABS: one((x) => `abs(${x})`),
  SIGN: one((x) => `CAST(sign(${x}) AS BIGINT)`),
  CEIL: one((x) => `mysql.ceiling(${x})`),
  FLOOR: one((x) => `mysql.floored(${x})`),
  ROUND: rounding('ROUND', (x, digits, node) => {
    if (digits.startsWith('-')) return `mysql.rounded_off(${x}, ${digits})`;
    return isQuotientOfCounts(node) ? `round(${x}, ${digits})` : macro('rounded', x, digits);
  }),
  TRUNCATE: rounding('TRUNCATE', (x, digits) => `trunc(${x}, ${digits})`),
  MOD: numbers(2, 2, (a, b) => `mysql.remainder(${a}, ${b})`),
  SQRT: one((x) => `mysql.root(${x})`),
  EXP: one((x) => `exp(${x})`),
  LN: one((x) => `mysql.logarithm(${x})`),
  LOG: numbers(1, 2, (b, x) => (x === undefined ? `mysql.logarithm(${b})` : `mysql.logarithm_to(${b}, ${x})`)),
  LOG2: one((x) => `mysql.logarithm_to(2, ${x})`),
  LOG10: one((x) => `CASE WHEN ${x} > 0 THEN log10(${x}) END`),
  POWER: numbers(2, 2, (a, b) => `power(${a}, ${b})`),
  PI: numbers(0, 0, () => 'pi()'),
  RAND: numbers(0, 0, () => 'random()'),
  DEGREES: one((x) => `degrees(${x})`),
  RADIANS: one((x) => `radians(${x})`),
  SIN: one((x) => `sin(${x})`),
  COS: one((x) => `cos(${x})`),
  TAN: one((x) => `tan(${x})`),
  ASIN: one((x) => `CASE WHEN ${x} BETWEEN -1 AND 1 THEN asin(${x}) END`),
  ACOS: one((x) => `CASE WHEN ${x} BETWEEN -1 AND 1 THEN acos(${x}) END`),
  ATAN: numbers(1, 2, (y, x) => (x === undefined ? `atan(${y})` : `atan2(${y}, ${x})`)),
  ATAN2: numbers(2, 2, (y, x) => `atan2(${y}, ${x})`),
  COT: one((x) => `cot(${x})`),
  BIT_COUNT: one((x) => `CAST(bit_count(CAST(mysql.signed(${x}) AS BIGINT)) AS BIGINT)`),
};

function one(write: (x: string) => string): FunctionRule {
  return numbers(1, 1, (x = '') => write(x));
}

function numbers(least: number, most: number, write: (...args: readonly string[]) => string): FunctionRule {
  return rule('number', least, most, (args, to) => write(...args.map((arg) => asNumber(arg, to))));
}

/** DuckDB wants to know the number of digits when it plans the query. */
function rounding(name: string, write: (x: string, digits: string, node: Node) => string): FunctionRule {
  return rule('number', 1, 2, (args, to) => {
    const node = argument(args, 0);
    const x = asNumber(node, to);
    if (args[1] === undefined) return write(x, '0', node);
    const digits = integerValue(args[1]);
    if (digits === undefined) return refuse(`${name} to digits that are not a literal number`);
    return write(x, String(digits), node);
  });
}
