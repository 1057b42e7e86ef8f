import { named } from '../duckdb/tree/column-names.js';
import { integerValue } from '../duckdb/tree/literals.js';
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
} from '../duckdb/tree/tree.js';
import { refuse } from './rejection.js';
import { type Column, NO_TABLES, type Output, Scope } from './scope.js';
import { windowName, writeOrder, writeWindow } from './write-aggregate.js';
import { writeFrom } from './write-sources.js';
import { outputName, quotedName, type Writer, type WrittenSelect, writtenColumn } from './writer.js';

/** A SELECT, or several of them joined by UNION and its kin. `rows` bounds its LIMIT, which is added where it has none. */
export function writeQuery(node: Node, writer: Writer, rows?: number): WrittenSelect {
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

function select(written: Node, around: Writer, rows: number | undefined): WrittenSelect {
  onlyFields('select', written.fields, SELECT_FIELDS);
  const count = children(written, 'expressions').length;
  if (count === 0) refuse('the SELECT has no columns', 'SELECT');
  if (count > MAX_COLUMNS) refuse(`the SELECT has ${count} columns; at most ${MAX_COLUMNS} are allowed`, 'SELECT');
  const node = named(written);
  const { text, from } = writeFrom(node, around);
  const expressions = children(node, 'expressions');
  const inside = around.within(new Scope(from, around.scope, [], expressions.flatMap(givenName)));
  const listed = expressions.map((column) => writeListed(column, inside));
  const columns = listed.flatMap((column) => column.columns);
  const outputs = listed.filter(({ isStar }) => !isStar).flatMap((column) => column.columns);
  const after = around.within(new Scope(from, around.scope, outputs));
  const words = [
    `SELECT ${node.fields.distinct === true ? 'DISTINCT ' : ''}${listed.map((column) => column.text).join(', ')}`,
    text,
    condition('WHERE', part(node.fields, 'where_clause'), inside),
    grouping(node, after),
    condition('HAVING', part(node.fields, 'having'), after),
    windows(node, inside),
    ending(node.fields, after, rows),
  ];
  if (part(node.fields, 'group_by') !== undefined) around.growth.group(columns);
  return { text: joined(words), columns };
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

function givenName({ kind, fields }: Node): string[] {
  return kind === 'alias' ? [outputName(fields.alias)] : [];
}

/** A part of the select list. A star gives no names to GROUP BY, HAVING and ORDER BY that FROM does not give. */
interface Listed {
  readonly text: string;
  readonly columns: readonly Output[];
  readonly isStar: boolean;
}

function writeListed(column: Node, writer: Writer): Listed {
  if (column.kind === 'star') return writeStar(column, writer);
  const isNamed = column.kind === 'alias';
  if (isNamed) onlyFields('alias', column.fields, ['this', 'alias']);
  const expression = isNamed ? child(column, 'this') : column;
  const name = isNamed ? outputName(column.fields.alias) : nameOf(column.fields.name);
  const text = writer.value(expression);
  const output = { ...writer.growth.shown(name, expression, writer.scope), text };
  return { text: isNamed ? `${text} AS ${quotedName(name)}` : text, columns: [output], isStar: false };
}

/** Databases differ in the order of columns of a join that merges some of them, so these columns are listed by name. */
function writeStar(node: Node, writer: Writer): Listed {
  onlyFields('star', node.fields, ['table']);
  const table = node.fields.table ?? undefined;
  const columns = writer.scope.columns(table).map((column) => ({ ...column, text: writtenColumn(column) }));
  if (columns.length === 0) refuse('* needs a FROM', 'SELECT');
  const isMerging = columns.some(({ source }) => source === undefined);
  const star = table === undefined ? '*' : `${quotedName(writer.scope.source(table).written)}.*`;
  return { text: isMerging ? columns.map(({ text }) => text).join(', ') : star, columns, isStar: true };
}

function condition(word: string, fields: Fields | undefined, writer: Writer): string {
  return fields === undefined ? '' : `${word} ${writer.clause(child({ kind: word, fields }, 'this'))}`;
}

function grouping(node: Node, writer: Writer): string {
  const group = part(node.fields, 'group_by');
  if (group === undefined) return '';
  onlyFields('group by', group, ['expressions']);
  const keys = children({ kind: 'group by', fields: group }, 'expressions').map((key) => writer.clause(key));
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

/** Writes each SELECT in parentheses. The columns have the names of the left side, and the longer text of both. */
function combined(node: Node, writer: Writer, rows: number | undefined): WrittenSelect {
  onlyFields(node.kind, node.fields, ['left', 'right', 'all', 'distinct', 'with', 'order_by', 'limit', 'offset']);
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  if (node.kind === 'intersect' && (left.kind === 'union' || left.kind === 'except')) {
    // The parser joins these from left to right, MySQL takes INTERSECT first.
    refuse('INTERSECT after UNION or EXCEPT needs parentheses', 'INTERSECT');
  }
  const [one, other] = [writer.query(left), writer.query(right)];
  const word = node.kind.toUpperCase();
  if (one.columns.length !== other.columns.length) {
    refuse(`the sides of the ${word} have ${one.columns.length} and ${other.columns.length} columns`, word);
  }
  const columns = one.columns.map((column, place) => widest(column, other.columns[place]));
  const first = isPlainUnion(left) ? one.text : `(${one.text})`;
  const words = `${word}${node.fields.all === true ? ' ALL' : ''}`;
  const after = writer.within(
    new Scope(
      NO_TABLES,
      undefined,
      columns.map((column) => ({ ...column, text: '' })),
    ),
  );
  return { text: joined([`${first} ${words} (${other.text})`, ending(node.fields, after, rows)]), columns };
}

function widest(column: Column, other: Column = column): Column {
  const longest = Math.max(column.longest, other.longest);
  return { name: column.name, longest, repeated: column.repeated || other.repeated };
}

/** Three and more sides go on from left to right; in FROM the parser does not read parentheses within parentheses. */
function isPlainUnion({ kind, fields }: Node): boolean {
  const isCombined = kind === 'union' || kind === 'intersect' || kind === 'except';
  return isCombined && ['with', 'order_by', 'limit', 'offset'].every((word) => (fields[word] ?? null) === null);
}

function inParentheses(node: Node, writer: Writer, rows: number | undefined): WrittenSelect {
  onlyFields('subquery', node.fields, ['this', 'alias', 'order_by', 'limit', 'offset']);
  const { text, columns } = writer.query(child(node, 'this'));
  const after = writer.within(
    new Scope(
      NO_TABLES,
      undefined,
      columns.map((column) => ({ ...column, text: '' })),
    ),
  );
  const end = ending(node.fields, after, rows);
  return { text: end === '' ? text : `(${text}) ${end}`, columns };
}
