import { named } from '../../databases/duckdb/translate/column-names.js';
import { integerValue } from '../../databases/duckdb/translate/literals.js';
import {
  child,
  children,
  type Fields,
  type Node,
  nameOf,
  onlyFields,
  open,
  part,
  parts,
  shown,
} from '../../databases/duckdb/translate/tree.js';
import { refuse } from './refusal.js';
import { windowName, writeOrder, writeWindow } from './write-aggregate.js';
import { writeFrom } from './write-sources.js';
import { outputName, quotedName, type Writer } from './writer.js';

/** A SELECT, or several of them joined by UNION and its kin. `rows` bounds its LIMIT, which is added where it has none. */
export function writeQuery(node: Node, writer: Writer, rows?: number): string {
  switch (node.kind) {
    case 'select':
      return select(node, writer, rows);
    case 'union':
    case 'intersect':
    case 'except':
      return combined(node, writer, rows);
    case 'subquery':
      return inParentheses(node, writer, rows);
    default:
      return refuse(`${shown(node.kind)} is not allowed; a query is one SELECT`);
  }
}

function select(written: Node, around: Writer, rows: number | undefined): string {
  onlyFields('select', written.fields, SELECT_FIELDS);
  const count = children(written, 'expressions').length;
  if (count === 0) refuse('the SELECT has no columns', 'SELECT');
  if (count > MAX_COLUMNS) refuse(`the SELECT has ${count} columns; at most ${MAX_COLUMNS} are allowed`, 'SELECT');
  const node = named(written);
  const writer = around.select();
  const from = writeFrom(node, writer);
  return joined([
    `SELECT ${node.fields.distinct === true ? 'DISTINCT ' : ''}${children(node, 'expressions')
      .map((column) => output(column, writer))
      .join(', ')}`,
    from,
    condition('WHERE', part(node.fields, 'where_clause'), writer),
    grouping(node, writer),
    condition('HAVING', part(node.fields, 'having'), writer),
    windows(node, writer),
    ending(node.fields, writer, rows),
  ]);
}

const SELECT_FIELDS = [
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

function joined(words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' ');
}

const MAX_COLUMNS = 100;

function output(column: Node, writer: Writer): string {
  if (column.kind !== 'alias') return writer.value(column);
  onlyFields('alias', column.fields, ['this', 'alias']);
  return `${writer.value(child(column, 'this'))} AS ${quotedName(outputName(column.fields.alias))}`;
}

function condition(word: string, fields: Fields | undefined, writer: Writer): string {
  return fields === undefined ? '' : `${word} ${writer.value(child({ kind: word, fields }, 'this'))}`;
}

function grouping(node: Node, writer: Writer): string {
  const group = part(node.fields, 'group_by');
  if (group === undefined) return '';
  onlyFields('group by', group, ['expressions']);
  const keys = children({ kind: 'group by', fields: group }, 'expressions').map((key) => writer.value(key));
  return `GROUP BY ${keys.join(', ')}`;
}

function windows(node: Node, writer: Writer): string {
  const all = parts(node.fields, 'windows').map(({ name, spec }) => {
    const definition = writeWindow(spec as Fields, writer);
    return `${windowName(nameOf(name))} AS ${definition.startsWith('(') ? definition : `(${definition})`}`;
  });
  return all.length === 0 ? '' : `WINDOW ${all.join(', ')}`;
}

/** ORDER BY, LIMIT and OFFSET. */
function ending(fields: Fields, writer: Writer, rows: number | undefined): string {
  const order = writeOrder(parts(part(fields, 'order_by') ?? {}, 'expressions'), writer);
  const [own, offset] = [wholeNumber(fields, 'limit'), wholeNumber(fields, 'offset')];
  const limit = rows === undefined ? own : Math.min(own ?? rows, rows);
  if (offset !== undefined && limit === undefined) refuse('OFFSET stands after a LIMIT', 'OFFSET');
  return joined([order, limit === undefined ? '' : `LIMIT ${limit}`, offset === undefined ? '' : `OFFSET ${offset}`]);
}

/** The parser wraps the number of a SELECT's LIMIT once more than that of a UNION's. */
function wholeNumber(fields: Fields, word: 'limit' | 'offset'): number | undefined {
  const tree = part(fields, word);
  if (tree === undefined) return undefined;
  const number = integerValue('this' in tree ? open(tree.this) : open(tree));
  if (number !== undefined && number >= 0 && number <= MAX_ROWS) return number;
  return refuse(`${word.toUpperCase()} takes a literal whole number up to ${MAX_ROWS}`, word);
}

const MAX_ROWS = 2 ** 31 - 1;

/** Every SELECT stands in parentheses. */
function combined(node: Node, writer: Writer, rows: number | undefined): string {
  onlyFields(node.kind, node.fields, ['left', 'right', 'all', 'distinct', 'with', 'order_by', 'limit', 'offset']);
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  if (node.kind === 'intersect' && (left.kind === 'union' || left.kind === 'except')) {
    // The parser joins these from left to right, MySQL takes INTERSECT first.
    refuse('INTERSECT after UNION or EXCEPT needs parentheses', 'INTERSECT');
  }
  const first = isPlainUnion(left) ? writer.query(left) : `(${writer.query(left)})`;
  const words = `${node.kind.toUpperCase()}${node.fields.all === true ? ' ALL' : ''}`;
  return joined([`${first} ${words} (${writer.query(right)})`, ending(node.fields, writer, rows)]);
}

/** Three and more sides go on from left to right; in FROM the parser does not read parentheses within parentheses. */
function isPlainUnion({ kind, fields }: Node): boolean {
  const isCombined = kind === 'union' || kind === 'intersect' || kind === 'except';
  return isCombined && ['with', 'order_by', 'limit', 'offset'].every((word) => (fields[word] ?? null) === null);
}

function inParentheses(node: Node, writer: Writer, rows: number | undefined): string {
  onlyFields('subquery', node.fields, ['this', 'alias', 'order_by', 'limit', 'offset']);
  const end = ending(node.fields, writer, rows);
  const inner = writer.query(child(node, 'this'));
  return end === '' ? inner : `(${inner}) ${end}`;
}
