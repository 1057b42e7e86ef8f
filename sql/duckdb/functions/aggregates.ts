import { integerValue, stringValue } from '../tree/literals.js';
import {
  child,
  children,
  maybe,
  type Node,
  onlyFields,
  parts,
  quoted,
  type Result,
  refuse,
  type Translator,
} from '../tree/tree.js';
import { asNumber, asText, macro, shownDigits } from './function-rule.js';
import { ordering } from './ordering.js';

/** Kinds of nodes that make one value of many rows. */
export function isAggregate(node: Node): boolean {
  return node.kind in AGGREGATES || (node.kind === 'function' && FUNCTION_AGGREGATES.has(functionName(node)));
}

/** An aggregate, over a window when `over` holds one. */
export function aggregate(node: Node, to: Translator, over = ''): string {
  if (node.kind === 'function') return `stddev_pop(${children(node, 'args').map((arg) => to.value(arg))})${over}`;
  const write = AGGREGATES[node.kind];
  return write === undefined ? refuse(`The aggregate ${node.kind}`) : write(node, to, over);
}

export function aggregateResult(node: Node): Result {
  if (node.kind === 'group_concat') return 'text';
  if (node.kind.startsWith('j_s_o_n')) return 'json';
  return ['min', 'max', 'any_value'].includes(node.kind) ? 'unknown' : 'number';
}

type Aggregate = (node: Node, to: Translator, over: string) => string;

const AGGREGATES: Readonly<Record<string, Aggregate>> = {
  count,
  sum: (node, to, over) => `sum(${numbers(node, to)})${over}`,
  avg: (node, to, over) => macro('divided', `sum(${numbers(node, to)})${over}`, `count(${numbers(node, to)})${over}`),
  min: (node, to, over) => `min(${one(node, to)})${over}`,
  max: (node, to, over) => `max(${one(node, to)})${over}`,
  any_value: (node, to, over) => `${node.fields.loose === true ? 'first' : 'min'}(${one(node, to)})${over}`,
  stddev: (node, to, over) => `stddev_pop(${one(node, to)})${over}`,
  stddev_pop: (node, to, over) => `stddev_pop(${one(node, to)})${over}`,
  stddev_samp: (node, to, over) => `stddev_samp(${one(node, to)})${over}`,
  variance: (node, to, over) => `var_pop(${one(node, to)})${over}`,
  var_pop: (node, to, over) => `var_pop(${one(node, to)})${over}`,
  var_samp: (node, to, over) => `var_samp(${one(node, to)})${over}`,
  bitwise_and_agg: (node, to, over) =>
    `coalesce(bit_and(mysql.unsigned(${one(node, to)}))${over}, 18446744073709551615)`,
  bitwise_or_agg: (node, to, over) => `coalesce(bit_or(mysql.unsigned(${one(node, to)}))${over}, 0)`,
  bitwise_xor_agg: (node, to, over) => `coalesce(bit_xor(mysql.unsigned(${one(node, to)}))${over}, 0)`,
  group_concat: groupConcat,
  j_s_o_n_array_agg: (node, to, over) => `to_json(list(${one(node, to)})${over})`,
  j_s_o_n_object_agg: jsonObject,
};

const FUNCTION_AGGREGATES = new Set(['STD']);

function functionName(node: Node): string {
  return String(node.fields.name).toUpperCase();
}

function one(node: Node, to: Translator): string {
  onlyFields(node.kind, node.fields, ['this', 'distinct', 'loose']);
  return to.value(child(node, 'this'));
}

function numbers(node: Node, to: Translator): string {
  onlyFields(node.kind, node.fields, ['this', 'distinct']);
  const x = child(node, 'this');
  return node.fields.distinct === true ? `DISTINCT ${shownDigits(x, to)}` : asNumber(x, to);
}

/** Rows in which one of several distinct values is NULL are not counted. */
function count(node: Node, to: Translator, over: string): string {
  onlyFields('count', node.fields, ['this', 'distinct', 'star']);
  if (node.fields.star === true) return `count(*)${over}`;
  const counted = child(node, 'this');
  if (node.fields.distinct !== true) return `count(${to.value(counted)})${over}`;
  const keys = counted.kind === 'tuple' ? children(counted, 'expressions') : [counted];
  const texts = keys.map((key) => shownDigits(key, to));
  if (texts.length === 1) return `count(DISTINCT ${texts[0]})${over}`;
  const known = texts.map((text) => `${text} IS NOT NULL`).join(' AND ');
  return `count(DISTINCT CASE WHEN ${known} THEN row(${texts.join(', ')}) END)${over}`;
}

/**
 * The whole text: MySQL's limit `group_concat_max_len` does not exist here. Of equal values that are ordered by something else the
 * first in that order counts.
 */
function groupConcat(node: Node, to: Translator, over: string): string {
  onlyFields('group_concat', node.fields, ['this', 'distinct', 'order_by', 'separator']);
  if (over !== '') refuse('GROUP_CONCAT over a window');
  const x = child(node, 'this');
  const separator = maybe(node, 'separator');
  const between = separator === undefined ? ',' : stringValue(separator);
  if (between === undefined) return refuse('GROUP_CONCAT with a SEPARATOR that is not a literal text');
  const orders = parts(node.fields, 'order_by');
  if (orders.some((by) => integerValue(child({ kind: 'order', fields: by }, 'this')) !== undefined)) {
    refuse('GROUP_CONCAT ordered by a number', 'Order by the expression.');
  }
  const order = orders.length === 0 ? '' : ` ORDER BY ${ordering(orders, to)}`;
  const distinct = node.fields.distinct === true;
  if (!distinct) return `string_agg(${asText(x, to)}, ${quoted(between)}${order})`;
  const list = (by: string) => `list(${to.value(x)} ORDER BY ${by}) FILTER (WHERE ${to.value(x)} IS NOT NULL)`;
  const isByItself = orders.every((by) => to.value(child({ kind: 'order', fields: by }, 'this')) === to.value(x));
  const values = isByItself
    ? `mysql.distinct_of(${list(order === '' ? to.value(x) : ordering(orders, to))})`
    : `mysql.first_of_each(${list(ordering(orders, to))})`;
  return `mysql.joined(${values}, ${quoted(between)})`;
}

function jsonObject(node: Node, to: Translator, over: string): string {
  const [pair] = children(node, 'expressions');
  if (pair === undefined || over !== '') return refuse('This form of JSON_OBJECTAGG');
  const key = child(pair, 'this');
  const name = key.kind === 'var' ? { kind: 'column', fields: { name: { name: key.fields.this } } } : key;
  if (name.kind === 'dot') refuse('JSON_OBJECTAGG with a qualified key', 'Give the column a name of its own first.');
  return `json_group_object(${to.value(name)}, ${to.value(child(pair, 'expression'))})`;
}
