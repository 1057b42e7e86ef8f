import { findTables } from '../reading/table-names.js';
import { child, children, type Fields, formatKind, type Node, nameOf, part, parts, toNode } from '../reading/tree.js';
import { writeShownDigits } from './functions/function-rule.js';
import { findNamed, requireOrderable, writeOrderKeys } from './functions/ordering.js';
import { inlineWindows } from './functions/windows.js';
import { hasAggregates, wrapUngroupedColumns } from './grouping.js';
import { readKeys, rejectRepeatedKey, writeRollupOrder } from './rollup.js';
import { listMergedColumns, writeFrom } from './tree/from-clause.js';
import { writeRows } from './tree/limited-rows.js';
import { integerValue } from './tree/literals.js';
import { quoteIdentifier, reject, requireOnlyFields, type Translator } from './tree/translator.js';

/** Writes a query: SELECT, a set operation such as UNION, or VALUES. */
export function writeQuery(node: Node, to: Translator): string {
  switch (node.kind) {
    case 'select':
      return writeSelect(node, to);
    case 'union':
    case 'intersect':
    case 'except':
      return writeSetOperation(node, to);
    case 'subquery':
      return writeParenthesized(node, to);
    case 'values':
      return writeValues(node, to);
    default:
      return reject(formatKind(node.kind), 'A query is one SELECT.');
  }
}

function writeSelect(written: Node, to: Translator): string {
  const node = wrapUngroupedColumns(inlineWindows(written));
  requireOnlyFields('select', node.fields, SELECT_FIELDS);
  const modifier = (node.fields.operation_modifiers as string[] | undefined)?.find((word) => !HINTS.has(word));
  if (modifier !== undefined) reject(modifier);
  const grouped = node.fields.group_by !== null && node.fields.group_by !== undefined;
  const having = part(node.fields, 'having');
  if (having !== undefined && !grouped && !hasAggregates(node)) {
    reject('HAVING without GROUP BY', 'Use WHERE, or a derived table with WHERE around it.');
  }
  return [
    writeWith(node, to),
    `SELECT ${node.fields.distinct === true ? 'DISTINCT ' : ''}${writeSelectList(node, to)}`,
    writeFrom(node, to),
    writeClause('WHERE', part(node.fields, 'where_clause'), to),
    writeGroupBy(node, to),
    writeHaving(node, having, to),
    writeOrderBy(node.fields, to, children(node, 'expressions')) || writeRollupOrder(node, to),
    writeLimit(node.fields, to),
  ]
    .filter((words) => words !== '')
    .join(' ');
}

/** Hints after SELECT, which do not change the result. */
const HINTS = new Set([
  'STRAIGHT_JOIN',
  'HIGH_PRIORITY',
  'SQL_SMALL_RESULT',
  'SQL_BIG_RESULT',
  'SQL_BUFFER_RESULT',
  'SQL_NO_CACHE',
  'SQL_CACHE',
]);

const SELECT_FIELDS = [
  'operation_modifiers',
  'expressions',
  'from',
  'joins',
  'where_clause',
  'group_by',
  'having',
  'order_by',
  'limit',
  'offset',
  'distinct',
  'with',
];

/** Writes the select list. An ungrouped column, which is wrapped in ANY_VALUE, keeps its name. */
function writeSelectList(node: Node, to: Translator): string {
  return children(node, 'expressions')
    .map((column) => {
      if (column.kind === 'star' && (column.fields.table ?? undefined) === undefined)
        return writeAllColumns(column, node, to);
      if (column.kind === 'alias') {
        requireOnlyFields('alias', column.fields, ['this', 'alias']);
        if (child(column, 'this').kind === 'star') reject('* with an alias', 'Name the columns.');
        return `${writeShownDigits(child(column, 'this'), to)} AS ${quoteIdentifier(column.fields.alias)}`;
      }
      const wrapped = column.kind === 'any_value' ? child(column, 'this') : column;
      const name = wrapped.kind === 'column' && wrapped !== column ? ` AS ${quoteIdentifier(wrapped.fields.name)}` : '';
      return `${writeShownDigits(column, to)}${name}`;
    })
    .join(', ');
}

/** Writes `*`. As in MySQL, the columns that USING merges come first. DuckDB would leave them at their positions in the left table. */
function writeAllColumns(star: Node, node: Node, to: Translator): string {
  const merged = listMergedColumns(node).map(quoteIdentifier).join(', ');
  const all = to.value(star);
  return merged === '' ? all : `${merged}, ${all} EXCLUDE (${merged})`;
}

function writeClause(word: string, fields: Fields | undefined, to: Translator): string {
  return fields === undefined ? '' : `${word} ${to.condition(child({ kind: word, fields }, 'this'))}`;
}

function writeGroupBy(node: Node, to: Translator): string {
  const group = part(node.fields, 'group_by');
  if (group === undefined) return '';
  requireOnlyFields('group by', group, ['expressions']);
  const { keys, isRollup } = readKeys(node);
  const texts = keys.map((key) => writeShownDigits(key, to)).join(', ');
  if (!isRollup) return `GROUP BY ${texts}`;
  rejectRepeatedKey(keys, children(node, 'expressions'));
  return `GROUP BY ROLLUP (${texts})`;
}

/** Writes HAVING. If no rows match, MySQL's ROLLUP returns no row, but DuckDB's returns a row with the total, which HAVING removes. */
function writeHaving(node: Node, having: Fields | undefined, to: Translator): string {
  const own = writeClause('HAVING', having, to);
  if (!readKeys(node).isRollup) return own;
  return own === '' ? 'HAVING count(*) > 0' : `${own} AND count(*) > 0`;
}

/** Writes ORDER BY. `listed` are the expressions of the SELECT list, which the keys can name. */
function writeOrderBy(fields: Fields, to: Translator, listed: readonly Node[] = []): string {
  const orders = parts(part(fields, 'order_by') ?? {}, 'expressions');
  for (const order of orders) {
    const named = findNamed(child({ kind: 'order by', fields: order }, 'this'), listed);
    if (named !== undefined) requireOrderable(named, 'ORDER BY', to);
  }
  const keys = writeOrderKeys(orders, to);
  return keys === '' ? '' : `ORDER BY ${keys}`;
}

/** Writes LIMIT and OFFSET. In a SELECT the parser wraps the number in one more node than in a UNION. */
function writeLimit(fields: Fields, to: Translator): string {
  return (['limit', 'offset'] as const)
    .flatMap((word) => {
      const tree = part(fields, word);
      if (tree === undefined) return [];
      const number = 'this' in tree ? toNode(tree.this) : toNode(tree);
      return [`${word.toUpperCase()} ${to.value(number)}`];
    })
    .join(' ');
}

function writeWith(node: Node, to: Translator): string {
  const clauses = part(node.fields, 'with');
  if (clauses === undefined) return '';
  requireOnlyFields('with', clauses, ['ctes', 'recursive']);
  const recursive = clauses.recursive === true ? parts(clauses, 'ctes').filter(readsItself) : [];
  for (const cte of recursive) rejectLimit(child({ kind: 'with', fields: cte }, 'this'));
  const tables = parts(clauses, 'ctes').map((cte) => {
    requireOnlyFields('with', cte, ['alias', 'this', 'columns']);
    const columns = parts(cte, 'columns').map(quoteIdentifier);
    const names = columns.length === 0 ? '' : `(${columns.join(', ')})`;
    const query = child({ kind: 'with', fields: cte }, 'this');
    // DuckDB accepts a recursive UNION only as the whole query, and applies no filter of other queries to its rows.
    const text = recursive.includes(cte) ? to.query(query) : writeRows(query, to);
    return `${quoteIdentifier(cte.alias)}${names} AS (${text})`;
  });
  // With RECURSIVE, DuckDB would convert the rows of a UNION to the types of its first SELECT.
  return `WITH ${recursive.length > 0 ? 'RECURSIVE ' : ''}${tables.join(', ')}`;
}

function readsItself(cte: Fields): boolean {
  return findTables(cte.this).has(nameOf(cte.alias).toLowerCase());
}

/** Rejects ORDER BY and LIMIT of a recursive query, which DuckDB does not support. */
function rejectLimit({ kind, fields }: Node): void {
  const limited = ['order_by', 'limit', 'offset'].some((field) => part(fields, field) !== undefined);
  if (kind === 'union' && limited)
    reject('ORDER BY or LIMIT of a UNION in WITH RECURSIVE', 'Limit the rows in the outer SELECT.');
}

/** Writes a set operation with each side in parentheses. */
function writeSetOperation(node: Node, to: Translator): string {
  requireOnlyFields(node.kind, node.fields, [
    'left',
    'right',
    'all',
    'distinct',
    'with',
    'order_by',
    'limit',
    'offset',
  ]);
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  if (node.kind === 'intersect' && (left.kind === 'union' || left.kind === 'except')) {
    // The parser combines set operations from left to right, but MySQL evaluates INTERSECT first.
    reject('INTERSECT after UNION or EXCEPT without parentheses');
  }
  const words = `${node.kind.toUpperCase()}${node.fields.all === true ? ' ALL' : ''}`;
  const rows = `(${to.query(left)}) ${words} (${to.query(right)})`;
  return [
    writeWith(node, to),
    // DuckDB orders a set operation only by columns.
    isOrderedByColumns(node.fields) ? rows : `SELECT * FROM (${rows})`,
    writeOrderBy(node.fields, to),
    writeLimit(node.fields, to),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function isOrderedByColumns(fields: Fields): boolean {
  const keys = parts(part(fields, 'order_by') ?? {}, 'expressions').map((order) => toNode(order.this));
  return keys.every((key) => key.kind === 'column' || integerValue(key) !== undefined);
}

function writeParenthesized(node: Node, to: Translator): string {
  requireOnlyFields('parentheses', node.fields, PARENTHESES_FIELDS);
  const inner = to.query(child(node, 'this'));
  const order = writeOrderBy(node.fields, to);
  const limit = writeLimit(node.fields, to);
  // A subquery is needed, because DuckDB reads `(SELECT … ORDER BY …) ORDER BY …` as one SELECT with two ORDER BY, which it rejects.
  const words = [writeWith(node, to), `SELECT * FROM (${inner})`, order, limit].filter((text) => text !== '');
  return words.length === 1 ? inner : words.join(' ');
}

/** `alias`, `column_aliases` and `lateral` belong to the derived table around the query. */
const PARENTHESES_FIELDS = ['this', 'alias', 'column_aliases', 'lateral', 'order_by', 'limit', 'offset', 'with'];

/** Writes `VALUES ROW(1, 2), ROW(3, 4)`. */
function writeValues(node: Node, to: Translator): string {
  const rows = parts(node.fields, 'expressions').map((row) => {
    const cells = children({ kind: 'row', fields: row }, 'expressions');
    const [only] = cells;
    const isCall = cells.length === 1 && only?.kind === 'function' && nameOf(only.fields).toUpperCase() === 'ROW';
    const isRow = cells.length === 1 && only?.kind === 'tuple';
    const written = only !== undefined && (isCall || isRow) ? children(only, isRow ? 'expressions' : 'args') : cells;
    return `(${written.map((cell) => to.value(cell)).join(', ')})`;
  });
  return `VALUES ${rows.join(', ')}`;
}
