import { stringValue } from '../duckdb/tree/literals.js';
import {
  child,
  children,
  type Fields,
  maybe,
  type Node,
  nameOf,
  onlyFields,
  open,
  part,
  parts,
} from '../duckdb/tree/tree.js';
import { refuse } from './rejection.js';
import { writeAmount } from './write-call.js';
import { quotedText, type Writer } from './writer.js';

/** Kinds of nodes that make one value of many rows. */
export function isAggregate(node: Node): boolean {
  return node.kind in AGGREGATES || isStd(node);
}

/** The functions over rows that a query may call, in capitals; the second list takes OVER only. */
export function functionsOverRows(): { readonly aggregates: readonly string[]; readonly windows: readonly string[] } {
  return {
    aggregates: [...Object.values(AGGREGATES), 'STD'].sort(),
    windows: Object.values(WINDOW_FUNCTIONS).flatMap(([name = '']) => name),
  };
}

export function writeAggregate(node: Node, writer: Writer): string {
  if (isStd(node)) return `STD(${children(node, 'args').map((arg) => writer.value(arg))})`;
  if (node.kind === 'count') return count(node, writer);
  if (node.kind === 'group_concat') return groupConcat(node, writer);
  onlyFields(node.kind, node.fields, ['this', 'distinct', 'loose']);
  const distinct = node.fields.distinct === true ? 'DISTINCT ' : '';
  return `${AGGREGATES[node.kind]}(${distinct}${writer.value(child(node, 'this'))})`;
}

/** `function OVER (…)`. */
export function writeWindowFunction(node: Node, writer: Writer): string {
  onlyFields('window function', node.fields, ['this', 'over']);
  const called = child(node, 'this');
  const over = ` OVER ${writeWindow(part(node.fields, 'over') ?? {}, writer)}`;
  if (isAggregate(called)) return `${writeAggregate(called, writer)}${over}`;
  const [name, ...fields] = WINDOW_FUNCTIONS[called.kind] ?? [];
  if (name === undefined) return refuse(`the window function ${called.kind} is not known`);
  if (called.fields.from_first === false) refuse('FROM LAST is not known: order the window the other way', 'LAST');
  onlyFields(called.kind, called.fields, [...fields, 'from_first']);
  const args = fields.flatMap((field) => maybe(called, field) ?? []);
  return `${name}(${args.map((arg) => writer.value(arg)).join(', ')})${over}`;
}

/** The definition of a window, or the name of one. */
export function writeWindow(over: Fields, writer: Writer): string {
  onlyFields('window', over, ['window_name', 'partition_by', 'order_by', 'frame']);
  const name = over.window_name === null || over.window_name === undefined ? '' : windowName(nameOf(over.window_name));
  const partition = children({ kind: 'window', fields: over }, 'partition_by').map((key) => writer.clause(key));
  const order = writeOrder(parts(over, 'order_by'), writer);
  const frame = part(over, 'frame');
  const words = [
    name,
    partition.length === 0 ? '' : `PARTITION BY ${partition.join(', ')}`,
    order,
    frame === undefined ? '' : frameText(frame, writer),
  ].filter((word) => word !== '');
  return name !== '' && words.length === 1 ? name : `(${words.join(' ')})`;
}

/** The parser reads no quotes around it, so that it must not be a word of the language. */
export function windowName(name: string): string {
  if (!/^\w{1,60}$/.test(name)) refuse(`a window is named with letters, digits and _, not ${name}`, name);
  return `w_${name}`;
}

/** `ORDER BY` and its keys; empty without any. */
export function writeOrder(orders: readonly Fields[], writer: Writer): string {
  const keys = orders.map((order) => {
    onlyFields('order by', order, ['this', 'desc']);
    const key = child({ kind: 'order by', fields: order }, 'this');
    if (stringValue(key) !== undefined) refuse('a text in ORDER BY orders nothing; name a column', 'ORDER');
    return `${writer.clause(key)}${order.desc === true ? ' DESC' : ''}`;
  });
  return keys.length === 0 ? '' : `ORDER BY ${keys.join(', ')}`;
}

const AGGREGATES: Readonly<Record<string, string>> = {
  count: 'COUNT',
  sum: 'SUM',
  avg: 'AVG',
  min: 'MIN',
  max: 'MAX',
  any_value: 'ANY_VALUE',
  stddev: 'STDDEV',
  stddev_pop: 'STDDEV_POP',
  stddev_samp: 'STDDEV_SAMP',
  variance: 'VARIANCE',
  var_pop: 'VAR_POP',
  var_samp: 'VAR_SAMP',
  bitwise_or_agg: 'BIT_OR',
  bitwise_xor_agg: 'BIT_XOR',
  group_concat: 'GROUP_CONCAT',
  j_s_o_n_array_agg: 'JSON_ARRAYAGG',
};

/** The name, then the fields of the arguments in their order. */
const WINDOW_FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  row_number: ['ROW_NUMBER'],
  rank: ['RANK'],
  dense_rank: ['DENSE_RANK'],
  percent_rank: ['PERCENT_RANK'],
  cume_dist: ['CUME_DIST'],
  n_tile: ['NTILE', 'num_buckets'],
  lag: ['LAG', 'this', 'offset', 'default'],
  lead: ['LEAD', 'this', 'offset', 'default'],
  first_value: ['FIRST_VALUE', 'this'],
  last_value: ['LAST_VALUE', 'this'],
  nth_value: ['NTH_VALUE', 'this', 'offset'],
};

function isStd(node: Node): boolean {
  return node.kind === 'function' && nameOf(node.fields).toUpperCase() === 'STD';
}

function count(node: Node, writer: Writer): string {
  onlyFields('count', node.fields, ['this', 'distinct', 'star']);
  if (node.fields.star === true) return 'COUNT(*)';
  const counted = child(node, 'this');
  if (node.fields.distinct !== true) return `COUNT(${writer.value(counted)})`;
  const keys = counted.kind === 'tuple' ? children(counted, 'expressions') : [counted];
  return `COUNT(DISTINCT ${keys.map((key) => writer.value(key)).join(', ')})`;
}

function groupConcat(node: Node, writer: Writer): string {
  onlyFields('group_concat', node.fields, ['this', 'distinct', 'order_by', 'separator']);
  const separator = maybe(node, 'separator');
  const between = separator === undefined ? ',' : stringValue(separator);
  if (between === undefined) return refuse('SEPARATOR takes a literal text', 'SEPARATOR');
  const order = writeOrder(parts(node.fields, 'order_by'), writer);
  const distinct = node.fields.distinct === true ? 'DISTINCT ' : '';
  const words = `${distinct}${writer.value(child(node, 'this'))}${order === '' ? '' : ` ${order}`}`;
  return `GROUP_CONCAT(${words} SEPARATOR ${quotedText(between)})`;
}

function frameText(frame: Fields, writer: Writer): string {
  onlyFields('frame', frame, ['kind', 'start', 'end']);
  const kind = String(frame.kind).toUpperCase();
  if (kind !== 'ROWS' && kind !== 'RANGE') refuse(`the window frame ${kind} is not known`, kind);
  const start = edgeText(frame.start, writer);
  return frame.end === null || frame.end === undefined
    ? `${kind} ${start}`
    : `${kind} BETWEEN ${start} AND ${edgeText(frame.end, writer)}`;
}

function edgeText(edge: unknown, writer: Writer): string {
  if (typeof edge === 'string') return EDGES[edge] ?? refuse(`the window frame ${edge} is not known`);
  const { kind, fields } = open(edge);
  const side = kind.toUpperCase();
  if (side !== 'PRECEDING' && side !== 'FOLLOWING') refuse(`the window frame ${side} is not known`);
  return `${writeAmount(open(fields), writer)} ${side}`;
}

const EDGES: Readonly<Record<string, string>> = {
  UnboundedPreceding: 'UNBOUNDED PRECEDING',
  UnboundedFollowing: 'UNBOUNDED FOLLOWING',
  CurrentRow: 'CURRENT ROW',
};
