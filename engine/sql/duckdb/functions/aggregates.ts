import { child, children, type Node, optionalChild, parts } from '../../reading/tree.js';
import { integerValue, stringValue } from '../tree/literals.js';
import { type Result, reject, requireOnlyFields, type Translator, textLiteral } from '../tree/translator.js';
import { writeMacroCall, writeNumber, writeShownDigits, writeText } from './function-rule.js';
import { writeMember } from './json-functions.js';
import { requireOrderable, writeOrderKeys } from './ordering.js';

/** Returns true for a call that computes one value from many rows. */
export function isAggregate(node: Node): boolean {
  return node.kind in AGGREGATES || (node.kind === 'function' && FUNCTION_AGGREGATES.has(functionName(node)));
}

/** Writes an aggregate. `over` is the text of its OVER clause, if it has one. */
export function writeAggregate(node: Node, to: Translator, over = ''): string {
  if (node.kind === 'function') return `stddev_pop(${children(node, 'args').map((arg) => to.value(arg))})${over}`;
  const write = AGGREGATES[node.kind];
  return write === undefined ? reject(`The aggregate ${node.kind}`) : write(node, to, over);
}

/** Returns the type of the value of an aggregate. */
export function resultOfAggregate(node: Node): Result {
  if (node.kind === 'group_concat') return 'text';
  if (node.kind.startsWith('j_s_o_n')) return 'json';
  return ['min', 'max', 'any_value'].includes(node.kind) ? 'unknown' : 'number';
}

type Aggregate = (node: Node, to: Translator, over: string) => string;

const AGGREGATES: Readonly<Record<string, Aggregate>> = {
  count: writeCount,
  sum: (node, to, over) => `sum(${writeNumbers(node, to)})${over}`,
  avg: (node, to, over) =>
    writeMacroCall('divided', `sum(${writeNumbers(node, to)})${over}`, `count(${writeNumbers(node, to)})${over}`),
  min: (node, to, over) => `min(${writeExtreme(node, to)})${over}`,
  max: (node, to, over) => `max(${writeExtreme(node, to)})${over}`,
  any_value: (node, to, over) =>
    node.fields.loose === true ? `first(${writeOperand(node, to)})${over}` : `min(${writeExtreme(node, to)})${over}`,
  stddev: (node, to, over) => `stddev_pop(${writeOperand(node, to)})${over}`,
  stddev_pop: (node, to, over) => `stddev_pop(${writeOperand(node, to)})${over}`,
  stddev_samp: (node, to, over) => `stddev_samp(${writeOperand(node, to)})${over}`,
  variance: (node, to, over) => `var_pop(${writeOperand(node, to)})${over}`,
  var_pop: (node, to, over) => `var_pop(${writeOperand(node, to)})${over}`,
  var_samp: (node, to, over) => `var_samp(${writeOperand(node, to)})${over}`,
  bitwise_and_agg: (node, to, over) =>
    `coalesce(bit_and(mysql.unsigned(${writeOperand(node, to)}))${over}, 18446744073709551615)`,
  bitwise_or_agg: (node, to, over) => `coalesce(bit_or(mysql.unsigned(${writeOperand(node, to)}))${over}, 0)`,
  bitwise_xor_agg: (node, to, over) => `coalesce(bit_xor(mysql.unsigned(${writeOperand(node, to)}))${over}, 0)`,
  group_concat: writeGroupConcat,
  j_s_o_n_array_agg: (node, to, over) => {
    requireOnlyFields(node.kind, node.fields, ['this']);
    return `to_json(list(${writeMember(child(node, 'this'), to)})${over})`;
  },
  j_s_o_n_object_agg: writeJsonObject,
};

const FUNCTION_AGGREGATES = new Set(['STD']);

function functionName(node: Node): string {
  return String(node.fields.name).toUpperCase();
}

/** Writes the operand of an aggregate. DISTINCT is allowed for MIN and MAX and omitted, because it does not change their result. */
function writeOperand(node: Node, to: Translator): string {
  const isExtreme = node.kind === 'min' || node.kind === 'max';
  requireOnlyFields(node.kind, node.fields, isExtreme ? ['this', 'distinct'] : ['this', 'loose']);
  if (isExtreme) requireOrderable(child(node, 'this'), node.kind.toUpperCase(), to);
  return to.value(child(node, 'this'));
}

/** Writes the operand of MIN and MAX. Only the database knows whether a column is an ENUM. */
function writeExtreme(node: Node, to: Translator): string {
  const operand = writeOperand(node, to);
  return child(node, 'this').kind === 'column' ? `mysql.extreme(${operand})` : operand;
}

function writeNumbers(node: Node, to: Translator): string {
  requireOnlyFields(node.kind, node.fields, ['this', 'distinct']);
  const x = child(node, 'this');
  return node.fields.distinct === true ? `DISTINCT ${writeShownDigits(x, to)}` : writeNumber(x, to);
}

/** Writes COUNT. Like MySQL, COUNT(DISTINCT a, b) ignores rows in which one of the values is NULL. */
function writeCount(node: Node, to: Translator, over: string): string {
  requireOnlyFields('count', node.fields, node.fields.star === true ? ['star'] : ['this', 'distinct']);
  if (node.fields.star === true) return `count(*)${over}`;
  const counted = child(node, 'this');
  if (counted.kind === 'star') reject('COUNT(DISTINCT *)', 'Name the columns.');
  if (node.fields.distinct !== true) return `count(${to.value(counted)})${over}`;
  const keys = counted.kind === 'tuple' ? children(counted, 'expressions') : [counted];
  const texts = keys.map((key) => writeShownDigits(key, to));
  if (texts.length === 1) return `count(DISTINCT ${texts[0]})${over}`;
  const known = texts.map((text) => `${text} IS NOT NULL`).join(' AND ');
  return `count(DISTINCT CASE WHEN ${known} THEN row(${texts.join(', ')}) END)${over}`;
}

/**
 * Writes GROUP_CONCAT. DuckDB does not truncate the result, because it has no limit like MySQL's
 * `group_concat_max_len`. With DISTINCT and ORDER BY another expression, each value appears once, at the position of
 * its first occurrence.
 */
function writeGroupConcat(node: Node, to: Translator, over: string): string {
  requireOnlyFields('group_concat', node.fields, ['this', 'distinct', 'order_by', 'separator', 'values']);
  if (over !== '') reject('GROUP_CONCAT over a window');
  const x = child(node, 'this');
  const separator = optionalChild(node, 'separator');
  const between = separator === undefined ? ',' : stringValue(separator);
  if (between === undefined) return reject('GROUP_CONCAT with a SEPARATOR that is not a literal text');
  const orders = parts(node.fields, 'order_by');
  if (orders.some((by) => integerValue(child({ kind: 'order', fields: by }, 'this')) !== undefined)) {
    reject('GROUP_CONCAT ordered by a number', 'Order by the expression.');
  }
  const order = orders.length === 0 ? '' : ` ORDER BY ${writeOrderKeys(orders, to)}`;
  const distinct = node.fields.distinct === true;
  if (!distinct) return `string_agg(${writeText(x, to)}, ${textLiteral(between)}${order})`;
  const values = children(node, 'values');
  const text =
    values.length === 0
      ? writeShownDigits(x, to)
      : values.map((value) => writeText(value, to)).join(` || ${SEPARATOR} || `);
  const list = (by: string) => `list(${text} ORDER BY ${by}) FILTER (WHERE ${to.value(x)} IS NOT NULL)`;
  const isOrderedByValue = orders.every(
    (by) => writeShownDigits(child({ kind: 'order', fields: by }, 'this'), to) === text,
  );
  const distinctTexts = isOrderedByValue
    ? `mysql.distinct_of(${list(order === '' ? text : writeOrderKeys(orders, to))})`
    : `mysql.first_of_each(${list(writeOrderKeys(orders, to))})`;
  const joined = `mysql.joined(${distinctTexts}, ${textLiteral(between)})`;
  return values.length === 0 ? joined : `replace(${joined}, ${SEPARATOR}, '')`;
}

/** Separates the values of `GROUP_CONCAT(DISTINCT a, b)` while they are compared, because MySQL compares them one by one. */
const SEPARATOR = "'\u0001'";

function writeJsonObject(node: Node, to: Translator, over: string): string {
  const [pair] = children(node, 'expressions');
  if (pair === undefined || over !== '') return reject('This form of JSON_OBJECTAGG');
  const key = child(pair, 'this');
  const name = key.kind === 'var' ? { kind: 'column', fields: { name: { name: key.fields.this } } } : key;
  if (name.kind === 'dot') reject('JSON_OBJECTAGG with a qualified key', 'Name the column in a derived table.');
  return `json_group_object(${to.value(name)}, ${writeMember(child(pair, 'expression'), to)})`;
}
