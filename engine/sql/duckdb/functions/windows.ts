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
} from '../../reading/tree.js';
import { reject, requireOnlyFields, type Translator } from '../tree/translator.js';
import { isAggregate, writeAggregate } from './aggregates.js';
import { writeShownDigits } from './function-rule.js';
import { writeOrderKeys } from './ordering.js';

/** Writes a window function: `function OVER (…)`. */
export function writeWindowFunction(node: Node, to: Translator): string {
  requireOnlyFields('window function', node.fields, ['this', 'over']);
  const called = child(node, 'this');
  const over = ` OVER ${writeWindow(part(node.fields, 'over') ?? {}, to)}`;
  const kept: Translator = { ...to, value: (arg) => writeShownDigits(arg, to) };
  if (isAggregate(called)) return writeAggregate(called, kept, over);
  const [name, ...fields] = WINDOW_FUNCTIONS[called.kind] ?? [];
  if (name === undefined) return reject(`The window function ${called.kind}`);
  // NTH_VALUE counts from the first row by default. The field `from_first` exists only if the query has FROM FIRST or
  // FROM LAST.
  if (called.fields.from_first === false) reject('FROM LAST', 'Reverse the order of the window.');
  requireOnlyFields(called.kind, called.fields, [...fields, 'from_first']);
  const args = fields.flatMap((field) => optionalChild(called, field) ?? []);
  return `${name.toLowerCase()}(${args.map((arg) => kept.value(arg)).join(', ')})${over}`;
}

/**
 * Replaces the names of windows in a SELECT by their definitions, because DuckDB ignores the PARTITION BY of a named
 * window if a window that is based on it has a frame.
 */
export function inlineWindows(node: Node): Node {
  const named = parts(node.fields, 'windows');
  if (named.length === 0) return node;
  const windows = new Map<string, Fields>();
  for (const { name, spec } of named) windows.set(nameOf(name).toLowerCase(), resolveWindow(spec as Fields, windows));
  const { windows: _, expressions, order_by: orders, ...others } = node.fields;
  const inlined = { expressions: inlineIn(expressions, windows), order_by: inlineIn(orders, windows) };
  return { kind: node.kind, fields: { ...others, ...inlined } };
}

function inlineIn(tree: unknown, windows: ReadonlyMap<string, Fields>): unknown {
  if (Array.isArray(tree)) return tree.map((item) => inlineIn(item, windows));
  if (typeof tree !== 'object' || tree === null) return tree;
  return Object.fromEntries(
    Object.entries(tree).map(([field, value]) => {
      // A subquery is skipped, because it has separate window names.
      if (field === 'select') return [field, value];
      const inlined = inlineIn(value, windows);
      return [
        field,
        field === 'over' && part(inlined as Fields, 'window_name')
          ? resolveWindow(inlined as Fields, windows)
          : inlined,
      ];
    }),
  );
}

/** Merges a window with the definition of the named window on which it is based. */
function resolveWindow(window: Fields, windows: ReadonlyMap<string, Fields>): Fields {
  const { window_name: name, ...own } = window;
  if (name === null || name === undefined) return window;
  const base = windows.get(nameOf(name).toLowerCase()) ?? reject(`The unknown window ${nameOf(name)}`);
  const kept = Object.entries(own).filter(
    ([, value]) => !(Array.isArray(value) && value.length === 0) && value !== null,
  );
  if (part(base, 'frame') !== undefined && kept.length > 0) reject('A window that is based on a window with a frame');
  return { ...base, ...Object.fromEntries(kept) };
}

/** Writes the definition of a window, `(PARTITION BY … ORDER BY …)`. */
function writeWindow(over: Fields, to: Translator): string {
  requireOnlyFields('window', over, ['partition_by', 'order_by', 'frame']);
  const partition = children({ kind: 'window', fields: over }, 'partition_by');
  const orders = parts(over, 'order_by');
  const frame = part(over, 'frame');
  const isShifted = frame !== undefined && frame.kind === 'Range' && [frame.start, frame.end].some(isOffset);
  const order = writeOrderKeys(orders, isShifted ? { ...to, value: (key) => writeShiftableKey(key, to) } : to);
  const words = [
    partition.length === 0 ? '' : `PARTITION BY ${partition.map((key) => writeShownDigits(key, to)).join(', ')}`,
    order === '' ? '' : `ORDER BY ${order}`,
    frame === undefined ? '' : writeFrame(frame, to),
  ];
  return `(${words.filter((word) => word !== '').join(' ')})`;
}

function writeFrame(frame: Fields, to: Translator): string {
  requireOnlyFields('frame', frame, ['kind', 'start', 'end']);
  const kind = String(frame.kind).toUpperCase();
  const start = writeFrameEdge(frame.start, to);
  return frame.end === null || frame.end === undefined
    ? `${kind} ${start}`
    : `${kind} BETWEEN ${start} AND ${writeFrameEdge(frame.end, to)}`;
}

/** Writes the sort key of a RANGE frame with an offset. A TINYINT is widened, because DuckDB's sum of TINYINTs can overflow. */
function writeShiftableKey(key: Node, to: Translator): string {
  const isDate = ['date', 'datetime', 'time'].includes(to.result(key));
  return isDate ? to.value(key) : `mysql.number(${to.value(key)})`;
}

/** Returns true for a number of rows or steps, and false for an interval. */
function isOffset(edge: unknown): boolean {
  if (typeof edge !== 'object' || edge === null) return false;
  return toNode(toNode(edge).fields).kind !== 'interval';
}

function writeFrameEdge(edge: unknown, to: Translator): string {
  if (typeof edge === 'string') return FRAME_EDGES[edge] ?? reject(`The window frame ${edge}`);
  const { kind, fields } = toNode(edge);
  return `${to.value(toNode(fields))} ${kind.toUpperCase()}`;
}
