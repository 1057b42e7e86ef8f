import { shownDigits } from './functions/function-rule.js';
import { ordering } from './functions/ordering.js';
import { window } from './functions/windows.js';
import { hasAggregates, loosened } from './grouping.js';
import { from } from './tree/sources.js';
import {
  child,
  children,
  type Fields,
  identifier,
  type Node,
  nameOf,
  onlyFields,
  open,
  part,
  parts,
  refuse,
  shown,
  type Translator,
} from './tree/tree.js';

/** A query's text: SELECT, UNION and its kin, or VALUES. */
export function query(node: Node, to: Translator): string {
  switch (node.kind) {
    case 'select':
      return select(node, to);
    case 'union':
    case 'intersect':
    case 'except':
      return combined(node, to);
    case 'subquery':
      return inParentheses(node, to);
    case 'values':
      return values(node, to);
    default:
      return refuse(shown(node.kind), 'A query is one SELECT.');
  }
}

function select(written: Node, to: Translator): string {
  const node = loosened(written);
  onlyFields('select', node.fields, SELECT_FIELDS);
  const modifier = (node.fields.operation_modifiers as string[] | undefined)?.find((word) => !HINTS.has(word));
  if (modifier !== undefined) refuse(modifier);
  const grouped = node.fields.group_by !== null && node.fields.group_by !== undefined;
  const having = part(node.fields, 'having');
  if (having !== undefined && !grouped && !hasAggregates(node)) {
    refuse('HAVING without GROUP BY', 'Use WHERE, or a derived table with WHERE around it.');
  }
  return [
    ctes(node, to),
    `SELECT ${node.fields.distinct === true ? 'DISTINCT ' : ''}${selected(node, to)}`,
    from(node, to),
    clause('WHERE', part(node.fields, 'where_clause'), to),
    grouping(node, to),
    clause('HAVING', having, to),
    windows(node, to),
    ordered(node.fields, to),
    limited(node.fields, to),
  ]
    .filter((words) => words !== '')
    .join(' ');
}

/** Words after SELECT that say how to read, not what. */
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
  'windows',
];

/** The result's columns. A column that is wrapped because it is not grouped keeps its name. */
function selected(node: Node, to: Translator): string {
  return children(node, 'expressions')
    .map((column) => {
      if (column.kind === 'alias') {
        onlyFields('alias', column.fields, ['this', 'alias']);
        return `${shownDigits(child(column, 'this'), to)} AS ${identifier(column.fields.alias)}`;
      }
      const wrapped = column.kind === 'any_value' ? child(column, 'this') : column;
      const name = wrapped.kind === 'column' && wrapped !== column ? ` AS ${identifier(wrapped.fields.name)}` : '';
      return `${shownDigits(column, to)}${name}`;
    })
    .join(', ');
}

function clause(word: string, fields: Fields | undefined, to: Translator): string {
  return fields === undefined ? '' : `${word} ${to.condition(child({ kind: word, fields }, 'this'))}`;
}

function grouping(node: Node, to: Translator): string {
  const group = part(node.fields, 'group_by');
  if (group === undefined) return '';
  onlyFields('group by', group, ['expressions']);
  const all = children({ kind: 'group by', fields: group }, 'expressions');
  const keys = all.filter(({ kind }) => kind !== 'rollup').map((key) => shownDigits(key, to));
  return keys.length === all.length ? `GROUP BY ${keys.join(', ')}` : `GROUP BY ROLLUP (${keys.join(', ')})`;
}

function windows(node: Node, to: Translator): string {
  const named = parts(node.fields, 'windows');
  if (named.length === 0) return '';
  return `WINDOW ${named.map(({ name, spec }) => `${identifier(name)} AS ${window(spec as Fields, to)}`).join(', ')}`;
}

function ordered(fields: Fields, to: Translator): string {
  const orders = parts(part(fields, 'order_by') ?? {}, 'expressions');
  const keys = ordering(orders, to);
  return keys === '' ? '' : `ORDER BY ${keys}`;
}

/** The parser wraps the number of a SELECT's LIMIT once more than that of a UNION's. */
function limited(fields: Fields, to: Translator): string {
  return (['limit', 'offset'] as const)
    .flatMap((word) => {
      const tree = part(fields, word);
      if (tree === undefined) return [];
      const number = 'this' in tree ? open(tree.this) : open(tree);
      return [`${word.toUpperCase()} ${to.value(number)}`];
    })
    .join(' ');
}

function ctes(node: Node, to: Translator): string {
  const clauses = part(node.fields, 'with');
  if (clauses === undefined) return '';
  onlyFields('with', clauses, ['ctes', 'recursive']);
  const tables = parts(clauses, 'ctes').map((cte) => {
    onlyFields('with', cte, ['alias', 'this', 'columns']);
    const columns = parts(cte, 'columns').map(identifier);
    const names = columns.length === 0 ? '' : `(${columns.join(', ')})`;
    return `${identifier(cte.alias)}${names} AS (${to.query(child({ kind: 'with', fields: cte }, 'this'))})`;
  });
  return `WITH ${clauses.recursive === true ? 'RECURSIVE ' : ''}${tables.join(', ')}`;
}

/** Every side stands in parentheses, except the left one of a chain. */
function combined(node: Node, to: Translator): string {
  onlyFields(node.kind, node.fields, ['left', 'right', 'all', 'distinct', 'with', 'order_by', 'limit', 'offset']);
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  if (node.kind === 'intersect' && (left.kind === 'union' || left.kind === 'except')) {
    // The parser joins these from left to right, MySQL takes INTERSECT first.
    refuse('INTERSECT after UNION or EXCEPT without parentheses');
  }
  const words = `${node.kind.toUpperCase()}${node.fields.all === true ? ' ALL' : ''}`;
  return [
    ctes(node, to),
    `(${to.query(left)}) ${words} (${to.query(right)})`,
    ordered(node.fields, to),
    limited(node.fields, to),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function inParentheses(node: Node, to: Translator): string {
  const inner = to.query(child(node, 'this'));
  const order = ordered(node.fields, to);
  const limit = limited(node.fields, to);
  return order === '' && limit === '' ? inner : `(${inner}) ${order} ${limit}`.trim();
}

/** `VALUES ROW(1, 2), ROW(3, 4)`. */
function values(node: Node, to: Translator): string {
  const rows = parts(node.fields, 'expressions').map((row) => {
    const cells = children({ kind: 'row', fields: row }, 'expressions');
    const [only] = cells;
    const isRow = cells.length === 1 && only?.kind === 'function' && nameOf(only.fields).toUpperCase() === 'ROW';
    const written = isRow && only !== undefined ? children(only, 'args') : cells;
    return `(${written.map((cell) => to.value(cell)).join(', ')})`;
  });
  return `VALUES ${rows.join(', ')}`;
}
