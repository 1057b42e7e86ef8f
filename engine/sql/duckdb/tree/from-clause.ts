import { isDual } from '../../reading/table-names.js';
import {
  child,
  children,
  type Fields,
  formatKind,
  type Node,
  nameOf,
  optionalChild,
  part,
  parts,
  toNode,
} from '../../reading/tree.js';
import { writeRows } from './limited-rows.js';
import { quoteIdentifier, reject, requireOnlyFields, type Translator } from './translator.js';

/** Writes the FROM clause of a SELECT with its joins. Returns an empty text if the query reads no table. */
export function writeFrom(node: Node, to: Translator): string {
  const sources = children({ kind: 'from', fields: part(node.fields, 'from') ?? {} }, 'expressions');
  const joins = parts(node.fields, 'joins');
  const [only] = sources;
  if (only === undefined || (sources.length === 1 && joins.length === 0 && isDualTable(only))) return '';
  return `FROM ${sources.map((source) => writeSource(source, to)).join(', ')}${writeJoins(joins, to)}`;
}

/**
 * Returns the columns that `JOIN … USING` merges, in the order in which they come first in `*`: those of the last join come first. Rejects
 * joins for which this order depends on the columns of the tables.
 */
export function listMergedColumns(node: Node): readonly Fields[] {
  const joins = parts(node.fields, 'joins');
  const merging = joins.filter(isMerging);
  const sources = children({ kind: 'from', fields: part(node.fields, 'from') ?? {} }, 'expressions');
  const joined = joins.map((join) => child({ kind: 'join', fields: join }, 'this'));
  if ([...sources, ...joined].some(containsMerging)) {
    reject('SELECT * with NATURAL JOIN or USING in parentheses', 'Name the columns.');
  }
  if (merging.length === 0) return [];
  const isKnown = merging.every(({ kind }) => ['Inner', 'Left', 'Straight'].includes(String(kind)));
  if (!isKnown) reject('SELECT * with NATURAL JOIN or RIGHT JOIN … USING', 'Name the columns.');
  // MySQL orders the merged columns as in the first table, which is not known here.
  const isSingle = merging.every((join) => parts(join, 'using').length === 1);
  if (!isSingle || merging.length < joins.length || sources.length > 1) {
    reject('SELECT * with several columns in USING, or with USING and other joins', 'Name the columns.');
  }
  const columns = merging.toReversed().flatMap((join) => parts(join, 'using'));
  const keyOf = (column: Fields) => nameOf(column).toLowerCase();
  return columns.filter((column, index) => columns.findIndex((other) => keyOf(other) === keyOf(column)) === index);
}

function isMerging(join: Fields): boolean {
  return String(join.kind) === 'Natural' || parts(join, 'using').length > 0;
}

/** Whether a source of FROM is a join in parentheses that merges columns. */
function containsMerging({ kind, fields }: Node): boolean {
  if (kind === 'paren') return containsMerging(toNode(fields.this));
  return kind === 'joined_table' && (parts(fields, 'joins').some(isMerging) || containsMerging(toNode(fields.left)));
}

/** Returns true for `DUAL`, which a query may name if it reads no table. */
export function isDualTable({ kind, fields }: Node): boolean {
  return kind === 'table' && (fields.schema ?? undefined) === undefined && isDual(fields.name);
}

function writeSource(node: Node, to: Translator): string {
  if (node.kind === 'subquery') {
    requireOnlyFields('derived table', node.fields, [
      'this',
      'alias',
      'column_aliases',
      'lateral',
      'order_by',
      'limit',
      'offset',
    ]);
    if ((node.fields.alias ?? undefined) === undefined) reject('A derived table without a name', 'Write AS name.');
    const inner = writeRows(node, to);
    return `${node.fields.lateral === true ? 'LATERAL ' : ''}(${inner})${writeAlias(node.fields)}`;
  }
  if (node.kind === 'joined_table') {
    requireOnlyFields('join', node.fields, ['left', 'joins']);
    const joins = parts(node.fields, 'joins');
    const commas = joins.filter(({ kind }) => kind === 'Implicit').length;
    if (commas > 0 && commas < joins.length) reject('A comma and a JOIN in parentheses', 'Write CROSS JOIN.');
    // DuckDB allows no comma in parentheses.
    const crossed = joins.map((join) => (commas > 0 ? { ...join, kind: 'Cross' } : join));
    return `(${writeSource(child(node, 'left'), to)}${writeJoins(crossed, to)})`;
  }
  if (node.kind === 'paren') {
    requireOnlyFields('parentheses', node.fields, ['this']);
    return writeSource(child(node, 'this'), to);
  }
  if (node.kind !== 'table') return reject(`${formatKind(node.kind)} in FROM`);
  if (node.fields.schema !== null && node.fields.schema !== undefined) {
    reject(
      `The table ${nameOf(node.fields.schema)}.${nameOf(node.fields.name)}`,
      'There is only one database: remove its name.',
    );
  }
  if (isDualTable(node)) reject('DUAL with other tables');
  // DuckDB would treat such a table name as a path and read the file.
  if (/[./\\*?]/.test(nameOf(node.fields.name))) reject(`The table name ${nameOf(node.fields.name)}`);
  requireOnlyFields('table', node.fields, ['alias', 'hints']);
  return `${quoteIdentifier(node.fields.name)}${writeAlias(node.fields)}`;
}

function writeAlias(fields: Fields): string {
  if (fields.alias === null || fields.alias === undefined) return '';
  const columns = parts(fields, 'column_aliases').map(quoteIdentifier);
  return ` AS ${quoteIdentifier(fields.alias)}${columns.length === 0 ? '' : `(${columns.join(', ')})`}`;
}

/**
 * Writes joins. In `a JOIN b JOIN c ON p ON q`, the parser marks the join of `b` as deferred, with the condition `q`.
 * The joins after a deferred join, up to the next group, belong to its right side.
 */
function writeJoins(joins: readonly Fields[], to: Translator): string {
  const [first, ...others] = joins;
  if (first === undefined) return '';
  if (first.deferred_condition !== true) return writeJoin(first, '', to) + writeJoins(others, to);
  const next = others.findIndex((join) => join.nesting_group !== first.nesting_group);
  const inner = next < 0 ? others : others.slice(0, next);
  // In this case, the tree does not show which joins precede which ON.
  if (inner.length > 1 && inner[0]?.deferred_condition === true) {
    if (inner.filter((join) => join.deferred_condition !== true).length > 1) {
      reject('A join whose ON follows other joins', 'Write the joined tables in parentheses.');
    }
  }
  return writeJoin(first, writeJoins(inner, to), to) + writeJoins(next < 0 ? [] : others.slice(next), to);
}

/** Writes a join. `inner` is the text of the joins that belong to its right side. */
function writeJoin(join: Fields, inner: string, to: Translator): string {
  requireOnlyFields('join', join, ['this', 'on', 'using', 'kind', 'deferred_condition']);
  const node = { kind: 'join', fields: join };
  const joined = writeSource(child(node, 'this'), to);
  const source = inner === '' ? joined : `(${joined}${inner})`;
  const kind = String(join.kind);
  if (kind === 'Implicit') return `, ${source}`;
  const words = JOINS[kind] ?? reject(`${kind.toUpperCase()} JOIN`);
  const using = parts(join, 'using').map(quoteIdentifier);
  const on = optionalChild(node, 'on');
  const isConditional = on !== undefined || using.length > 0;
  if (isConditional && words === 'NATURAL JOIN') reject(`${words} with ON`);
  if (!isConditional && OUTER_JOINS.has(words)) reject(`${words} without ON`, 'Write ON directly after its table.');
  if (using.length > 0) requireOnlyFields('join with USING', join, ['this', 'using', 'kind', 'deferred_condition']);
  if (using.length > 0) return ` ${words} ${source} USING (${using.join(', ')})`;
  if (on !== undefined) return ` ${words === 'CROSS JOIN' ? 'JOIN' : words} ${source} ON ${to.condition(on)}`;
  return ` ${words === 'JOIN' ? 'CROSS JOIN' : words} ${source}`;
}

const OUTER_JOINS = new Set(['LEFT JOIN', 'RIGHT JOIN']);

const JOINS: Readonly<Record<string, string>> = {
  Inner: 'JOIN',
  Cross: 'CROSS JOIN',
  Straight: 'JOIN',
  Left: 'LEFT JOIN',
  Right: 'RIGHT JOIN',
  Natural: 'NATURAL JOIN',
};
