import { child, children, isFields, type Node, nameIn, nameOf, part, parts, toTree } from '../reading/tree.js';
import { writeShownDigits } from './functions/function-rule.js';
import { findNamed } from './functions/ordering.js';
import { comparisonKey, hasAggregates } from './grouping.js';
import { integerValue } from './tree/literals.js';
import { reject, requireOnlyFields, type Translator } from './tree/translator.js';

/** Returns the keys of GROUP BY, and whether it has WITH ROLLUP. */
export function readKeys(node: Node): { readonly keys: readonly Node[]; readonly isRollup: boolean } {
  const all = children({ kind: 'group by', fields: part(node.fields, 'group_by') ?? {} }, 'expressions');
  for (const { kind, fields } of all) if (kind === 'rollup') requireOnlyFields('rollup', fields, []);
  const keys = all.filter(({ kind }) => kind !== 'rollup');
  return { keys, isRollup: keys.length < all.length };
}

/** Writes the order of the rows of WITH ROLLUP if the query does not determine it: as in MySQL, each subtotal follows its rows. */
export function writeRollupOrder(node: Node, to: Translator): string {
  const { keys, isRollup } = readKeys(node);
  const listed = children(node, 'expressions');
  if (!isRollup || node.fields.distinct === true || listed.some(({ kind }) => kind === 'star')) return '';
  const orders = keys.flatMap((key) => {
    const position = integerValue(key);
    const output = position === undefined ? key : listed[position - 1];
    const expression = output?.kind === 'alias' ? child(output, 'this') : output;
    if (expression === undefined || CONSTANTS.has(expression.kind)) return [];
    const text = writeShownDigits(isShadowed(key, listed) ? addTable(key, node) : expression, to);
    return [`grouping(${text}), ${text} NULLS FIRST`];
  });
  return orders.length === 0 ? '' : `ORDER BY ${orders.join(', ')}`;
}

/** The kinds of keys by which DuckDB does not order. */
const CONSTANTS = new Set(['literal', 'parameter', 'null']);

/** Whether a key is the name of a column and of another output. MySQL groups by the column, and DuckDB would order by the output. */
function isShadowed(key: Node, listed: readonly Node[]): boolean {
  const output = findNamed(key, listed);
  if (output === undefined || output.kind === 'column') return false;
  const isAggregate = hasAggregates({ kind: 'select', fields: { expressions: [toTree(output)] } });
  return isAggregate || readsColumn(toTree(output), nameOf(key.fields.name).toLowerCase());
}

function readsColumn(tree: unknown, name: string): boolean {
  if (Array.isArray(tree)) return tree.some((part) => readsColumn(part, name));
  if (!isFields(tree)) return false;
  return Object.entries(tree).some(([kind, part]) => {
    const isColumn = kind === 'column' && isFields(part) && nameIn(part.name)?.toLowerCase() === name;
    return isColumn || readsColumn(part, name);
  });
}

/** Adds the name of its table to a column. Rejects it if the SELECT reads several tables. */
function addTable(column: Node, node: Node): Node {
  const [source, second] = children({ kind: 'from', fields: part(node.fields, 'from') ?? {} }, 'expressions');
  const table = source?.fields.alias ?? source?.fields.name ?? undefined;
  if (table === undefined || second !== undefined || parts(node.fields, 'joins').length > 0) {
    return reject(`WITH ROLLUP by ${nameOf(column.fields.name)}, a column and an output`, 'Write table.column.');
  }
  return { kind: column.kind, fields: { ...column.fields, table } };
}

/** Rejects a repeated key of ROLLUP: MySQL returns a subtotal for each of its places, and DuckDB only for the first. */
export function rejectRepeatedKey(keys: readonly Node[], listed: readonly Node[]): void {
  const resolved = keys.map((key) => {
    const position = integerValue(key);
    return withoutParentheses((position === undefined ? findNamed(key, listed) : listed[position - 1]) ?? key);
  });
  const isRepeated = resolved.some((key, index) => resolved.slice(0, index).some((other) => isSameKey(key, other)));
  if (isRepeated) reject('WITH ROLLUP with the same key twice', 'Write each key once.');
}

function withoutParentheses(node: Node): Node {
  return node.kind === 'paren' || node.kind === 'alias' ? withoutParentheses(child(node, 'this')) : node;
}

/** Whether two keys are the same expression. A column without its table can be that of any table. */
function isSameKey(one: Node, other: Node): boolean {
  const tables = [one, other].map(({ fields }) => nameIn(fields.table)?.toLowerCase());
  if (one.kind !== 'column' || other.kind !== 'column' || !tables.includes(undefined)) {
    return comparisonKey(one) === comparisonKey(other);
  }
  return nameOf(one.fields.name).toLowerCase() === nameOf(other.fields.name).toLowerCase();
}
