import { stringValue } from '../duckdb/tree/literals.js';
import { requireOnlyFields } from '../duckdb/tree/translator.js';
import {
  child,
  children,
  type Fields,
  FRAME_EDGES,
  type Node,
  nameOf,
  optionalChild,
  part,
  parts,
  toNode,
  WINDOW_FUNCTIONS,
} from '../reading/tree.js';
import { reject } from './rejection.js';
import { writeInterval } from './write-call.js';
import { quoteText, type Writer } from './writer.js';

/** Returns true for a call that computes one value from many rows. */
export function isAggregate(node: Node): boolean {
  return node.kind in AGGREGATES || isStd(node);
}

/** Returns the names, in capital letters, of the aggregates and window functions that a query may call. A window function needs OVER. */
export function rowFunctionNames(): { readonly aggregates: readonly string[]; readonly windows: readonly string[] } {
  return {
    aggregates: [...Object.values(AGGREGATES), 'STD'].sort(),
    windows: Object.values(WINDOW_FUNCTIONS).flatMap(([name = '']) => name),
  };
}

/** Writes an aggregate without its OVER clause. */
export function writeAggregate(node: Node, writer: Writer): string {
  if (isStd(node)) return `STD(${children(node, 'args').map((arg) => writer.value(arg))})`;
  if (node.kind === 'count') return writeCount(node, writer);
  if (node.kind === 'group_concat') return writeGroupConcat(node, writer);
  requireOnlyFields(node.kind, node.fields, ['this', 'distinct', 'loose']);
  const distinct = node.fields.distinct === true ? 'DISTINCT ' : '';
  return `${AGGREGATES[node.kind]}(${distinct}${writer.value(child(node, 'this'))})`;
}

/** Writes a window function: `function OVER (…)`. */
export function writeWindowFunction(node: Node, writer: Writer): string {
  requireOnlyFields('window function', node.fields, ['this', 'over']);
  const called = child(node, 'this');
  const over = ` OVER ${writeWindow(part(node.fields, 'over') ?? {}, writer)}`;
  if (isAggregate(called)) return `${writeAggregate(called, writer)}${over}`;
  const [name, ...fields] = WINDOW_FUNCTIONS[called.kind] ?? [];
  if (name === undefined) return reject(`the window function ${called.kind} is unknown`);
  if (called.fields.from_first === false) reject('FROM LAST is not supported: reverse the order of the window', 'LAST');
  requireOnlyFields(called.kind, called.fields, [...fields, 'from_first']);
  const args = fields.flatMap((field) => optionalChild(called, field) ?? []);
  return `${name}(${args.map((arg) => writer.value(arg)).join(', ')})${over}`;
}

/** Writes the definition of a window, or its name. */
export function writeWindow(over: Fields, writer: Writer): string {
  requireOnlyFields('window', over, ['window_name', 'partition_by', 'order_by', 'frame']);
  const name = over.window_name === null || over.window_name === undefined ? '' : windowName(nameOf(over.window_name));
  const partition = children({ kind: 'window', fields: over }, 'partition_by').map((key) => writer.clause(key));
  const order = writeOrder(parts(over, 'order_by'), writer);
  const frame = part(over, 'frame');
  const words = [
    name,
    partition.length === 0 ? '' : `PARTITION BY ${partition.join(', ')}`,
    order,
    frame === undefined ? '' : writeFrame(frame, writer),
  ].filter((word) => word !== '');
  return name !== '' && words.length === 1 ? name : `(${words.join(' ')})`;
}

/**
 * Returns the name of a window in the written query. A prefix prevents conflicts with keywords. The name cannot be
 * quoted instead, because the parser does not accept quotes here.
 */
export function windowName(name: string): string {
  if (!/^\w{1,60}$/.test(name)) reject(`the name of a window may contain letters, digits and _, got ${name}`, name);
  return `w_${name}`;
}

/** Writes `ORDER BY` with its keys. Returns an empty text if there are no keys. */
export function writeOrder(orders: readonly Fields[], writer: Writer): string {
  const keys = orders.map((order) => {
    requireOnlyFields('order by', order, ['this', 'desc']);
    const key = child({ kind: 'order by', fields: order }, 'this');
    if (stringValue(key) !== undefined) reject('a literal text in ORDER BY has no effect; name a column', 'ORDER');
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

function isStd(node: Node): boolean {
  return node.kind === 'function' && nameOf(node.fields).toUpperCase() === 'STD';
}

function writeCount(node: Node, writer: Writer): string {
  requireOnlyFields('count', node.fields, node.fields.star === true ? ['star'] : ['this', 'distinct']);
  if (node.fields.star === true) return 'COUNT(*)';
  const counted = child(node, 'this');
  if (node.fields.distinct !== true) return `COUNT(${writer.value(counted)})`;
  const keys = counted.kind === 'tuple' ? children(counted, 'expressions') : [counted];
  return `COUNT(DISTINCT ${keys.map((key) => writer.value(key)).join(', ')})`;
}

function writeGroupConcat(node: Node, writer: Writer): string {
  requireOnlyFields('group_concat', node.fields, ['this', 'distinct', 'order_by', 'separator', 'values']);
  const separator = optionalChild(node, 'separator');
  const between = separator === undefined ? ',' : stringValue(separator);
  if (between === undefined) return reject('SEPARATOR must be a literal text', 'SEPARATOR');
  const order = writeOrder(parts(node.fields, 'order_by'), writer);
  const distinct = node.fields.distinct === true ? 'DISTINCT ' : '';
  const values = children(node, 'values');
  const listed = values.length === 0 ? [child(node, 'this')] : values;
  const words = `${distinct}${listed.map((value) => writer.value(value)).join(', ')}${order === '' ? '' : ` ${order}`}`;
  return `GROUP_CONCAT(${words} SEPARATOR ${quoteText(between)})`;
}

function writeFrame(frame: Fields, writer: Writer): string {
  requireOnlyFields('frame', frame, ['kind', 'start', 'end']);
  const kind = String(frame.kind).toUpperCase();
  if (kind !== 'ROWS' && kind !== 'RANGE') reject(`the window frame ${kind} is unknown`, kind);
  const start = writeFrameEdge(frame.start, writer);
  return frame.end === null || frame.end === undefined
    ? `${kind} ${start}`
    : `${kind} BETWEEN ${start} AND ${writeFrameEdge(frame.end, writer)}`;
}

function writeFrameEdge(edge: unknown, writer: Writer): string {
  if (typeof edge === 'string') return FRAME_EDGES[edge] ?? reject(`the window frame ${edge} is unknown`);
  const { kind, fields } = toNode(edge);
  const side = kind.toUpperCase();
  if (side !== 'PRECEDING' && side !== 'FOLLOWING') reject(`the window frame ${side} is unknown`);
  const distance = toNode(fields);
  return `${distance.kind === 'interval' ? writeInterval(distance, writer) : writer.value(distance)} ${side}`;
}
