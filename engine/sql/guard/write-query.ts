import { isDualTable } from '../duckdb/tree/from-clause.js';
import { integerValue } from '../duckdb/tree/literals.js';
import { requireOnlyFields } from '../duckdb/tree/translator.js';
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
} from '../reading/tree.js';
import { reject } from './rejection.js';
import { type Column, commonColumns, joinFrom, NO_TABLES, type Output, Scope } from './scope.js';
import { windowName, writeOrder, writeWindow } from './write-aggregate.js';
import { outputName, quoteName, type Writer, type WrittenFrom, type WrittenSelect, writeColumn } from './writer.js';

/**
 * Writes a SELECT, or a set operation of several SELECTs (UNION, INTERSECT or EXCEPT). `rows` is the maximum LIMIT of
 * the query, and also its LIMIT if the author wrote none.
 */
export function writeQuery(node: Node, writer: Writer, rows?: number): WrittenSelect {
  switch (node.kind) {
    case 'select':
      return writeSelect(node, writer, rows);
    case 'union':
    case 'intersect':
    case 'except':
      return writeSetOperation(node, writer, rows);
    case 'subquery':
      return writeParenthesized(node, writer, rows);
    default:
      return reject(`${formatKind(node.kind)} is not allowed; a query is one SELECT`);
  }
}

function writeSelect(node: Node, around: Writer, rows: number | undefined): WrittenSelect {
  requireOnlyFields('select', node.fields, SELECT_FIELDS);
  const count = children(node, 'expressions').length;
  if (count === 0) reject('the SELECT has no columns', 'SELECT');
  if (count > MAX_COLUMNS) reject(`the SELECT has ${count} columns; at most ${MAX_COLUMNS} are allowed`, 'SELECT');
  const { text, from } = writeFrom(node, around);
  const expressions = children(node, 'expressions');
  const inside = around.withScope(new Scope(from, around.scope, [], expressions.flatMap(aliasesOf)));
  const listed = expressions.map((column) => writeSelectItem(column, inside));
  const columns = listed.flatMap((column) => column.columns);
  const outputs = listed.filter(({ isStar }) => !isStar).flatMap((column) => column.columns);
  const after = around.withScope(new Scope(from, around.scope, outputs));
  const words = [
    `SELECT ${node.fields.distinct === true ? 'DISTINCT ' : ''}${listed.map((column) => column.text).join(', ')}`,
    text,
    writeCondition('WHERE', part(node.fields, 'where_clause'), inside),
    writeGroupBy(node, after),
    writeCondition('HAVING', part(node.fields, 'having'), after),
    writeNamedWindows(node, inside),
    writeOrderAndLimit(node.fields, after, rows),
  ];
  if (part(node.fields, 'group_by') !== undefined) around.growth.requireGroupable(columns);
  return { text: joinClauses(words), columns };
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

function joinClauses(words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' ');
}

const MAX_COLUMNS = 100;

function aliasesOf({ kind, fields }: Node): string[] {
  return kind === 'alias' ? [outputName(fields.alias)] : [];
}

/**
 * An item of the select list. If `isStar` is true, GROUP BY, HAVING and ORDER BY ignore `columns`, because they find
 * the columns in FROM.
 */
interface SelectItem {
  readonly text: string;
  readonly columns: readonly Output[];
  readonly isStar: boolean;
}

function writeSelectItem(column: Node, writer: Writer): SelectItem {
  if (column.kind === 'star') return writeStar(column, writer);
  const isNamed = column.kind === 'alias';
  if (isNamed) requireOnlyFields('alias', column.fields, ['this', 'alias']);
  const expression = isNamed ? child(column, 'this') : column;
  const name = isNamed ? outputName(column.fields.alias) : nameOf(column.fields.name);
  const text = writer.value(expression);
  const output = { ...writer.growth.outputColumn(name, expression, writer.scope), text };
  // Databases differ in whether a result has the name of the query or that of the table, which can differ in upper and lower case.
  const hasAlias = isNamed || (expression.kind === 'column' && writer.scope.column(expression.fields).name !== name);
  return { text: hasAlias ? `${text} AS ${quoteName(name)}` : text, columns: [output], isStar: false };
}

/** Writes `*`. If a join merges columns, lists the columns by name, because databases differ in their order. */
function writeStar(node: Node, writer: Writer): SelectItem {
  requireOnlyFields('star', node.fields, ['table']);
  const table = node.fields.table ?? undefined;
  const columns = writer.scope.columns(table).map((column) => ({ ...column, text: writeColumn(column) }));
  if (columns.length === 0) reject('* needs a FROM', 'SELECT');
  const isMerging = columns.some(({ source }) => source === undefined);
  const star = table === undefined ? '*' : `${quoteName(writer.scope.source(table).writtenName)}.*`;
  return { text: isMerging ? columns.map(({ text }) => text).join(', ') : star, columns, isStar: true };
}

function writeCondition(word: string, fields: Fields | undefined, writer: Writer): string {
  return fields === undefined ? '' : `${word} ${writer.clause(child({ kind: word, fields }, 'this'))}`;
}

function writeGroupBy(node: Node, writer: Writer): string {
  const group = part(node.fields, 'group_by');
  if (group === undefined) return '';
  requireOnlyFields('group by', group, ['expressions']);
  const keys = children({ kind: 'group by', fields: group }, 'expressions').map((key) => writer.clause(key));
  return `GROUP BY ${keys.join(', ')}`;
}

function writeNamedWindows(node: Node, writer: Writer): string {
  const all = parts(node.fields, 'windows').map(({ name, spec }) => {
    const definition = writeWindow(spec as Fields, writer);
    return `${windowName(nameOf(name))} AS ${definition.startsWith('(') ? definition : `(${definition})`}`;
  });
  return all.length === 0 ? '' : `WINDOW ${all.join(', ')}`;
}

/** Writes ORDER BY, LIMIT and OFFSET. */
function writeOrderAndLimit(fields: Fields, writer: Writer, rows: number | undefined): string {
  const order = writeOrder(parts(part(fields, 'order_by') ?? {}, 'expressions'), writer);
  const [own, offset] = [readRowCount(fields, 'limit'), readRowCount(fields, 'offset')];
  const limit = rows === undefined ? own : Math.min(own ?? rows, rows);
  if (offset !== undefined && limit === undefined) reject('OFFSET needs a LIMIT before it', 'OFFSET');
  return joinClauses([
    order,
    limit === undefined ? '' : `LIMIT ${limit}`,
    offset === undefined ? '' : `OFFSET ${offset}`,
  ]);
}

/** Reads the number of a LIMIT or OFFSET. In a SELECT, the parser wraps the number in one more node than in a UNION. */
function readRowCount(fields: Fields, word: 'limit' | 'offset'): number | undefined {
  const tree = part(fields, word);
  if (tree === undefined) return undefined;
  const number = integerValue('this' in tree ? toNode(tree.this) : toNode(tree));
  if (number !== undefined && number >= 0 && number <= MAX_ROWS) return number;
  return reject(`${word.toUpperCase()} must be a literal integer up to ${MAX_ROWS}`, word);
}

const MAX_ROWS = 2 ** 31 - 1;

/**
 * Writes a UNION, INTERSECT or EXCEPT. Each result column has the name of the left column, and the larger maximum text
 * length of both columns.
 */
function writeSetOperation(node: Node, writer: Writer, rows: number | undefined): WrittenSelect {
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
    reject('INTERSECT after UNION or EXCEPT needs parentheses', 'INTERSECT');
  }
  const [one, other] = [writer.query(left), writer.query(right)];
  const word = node.kind.toUpperCase();
  if (one.columns.length !== other.columns.length) {
    reject(`the sides of the ${word} have ${one.columns.length} and ${other.columns.length} columns`, word);
  }
  const columns = one.columns.map((column, index) => mergeColumns(column, other.columns[index]));
  const first = isPlainUnion(left) ? one.text : `(${one.text})`;
  const words = `${word}${node.fields.all === true ? ' ALL' : ''}`;
  const after = writer.withScope(
    new Scope(
      NO_TABLES,
      undefined,
      columns.map((column) => ({ ...column, text: '' })),
    ),
  );
  return {
    text: joinClauses([`${first} ${words} (${other.text})`, writeOrderAndLimit(node.fields, after, rows)]),
    columns,
  };
}

function mergeColumns(column: Column, other: Column = column): Column {
  const maxLength = Math.max(column.maxLength, other.maxLength);
  return { name: column.name, maxLength, isRepeated: column.isRepeated || other.isRepeated };
}

/**
 * Returns true if the left side of a set operation is a chain such as `a UNION b`. Such a side is written without
 * parentheses, because the parser cannot read nested parentheses in FROM.
 */
function isPlainUnion({ kind, fields }: Node): boolean {
  const isCombined = kind === 'union' || kind === 'intersect' || kind === 'except';
  return isCombined && ['with', 'order_by', 'limit', 'offset'].every((word) => (fields[word] ?? null) === null);
}

function writeParenthesized(node: Node, writer: Writer, rows: number | undefined): WrittenSelect {
  requireOnlyFields('subquery', node.fields, ['this', 'alias', 'order_by', 'limit', 'offset', 'with']);
  const { text, columns } = writer.query(child(node, 'this'));
  const after = writer.withScope(
    new Scope(
      NO_TABLES,
      undefined,
      columns.map((column) => ({ ...column, text: '' })),
    ),
  );
  const end = writeOrderAndLimit(node.fields, after, rows);
  return { text: end === '' ? text : `(${text}) ${end}`, columns };
}

/** Writes the FROM clause of a SELECT with its joins. The text is empty if the query reads no table. */
function writeFrom(node: Node, writer: Writer): WrittenFrom {
  const sources = children({ kind: 'from', fields: part(node.fields, 'from') ?? {} }, 'expressions');
  const joins = parts(node.fields, 'joins');
  const [only, ...more] = sources;
  if (only === undefined || (sources.length === 1 && joins.length === 0 && isDualTable(only))) {
    return { text: '', from: NO_TABLES };
  }
  const listed = [only, ...more].map((source) => writeSource(source, writer));
  // JOIN binds tighter than a comma, so the condition of a JOIN cannot use a table that precedes the comma.
  for (const join of joins) {
    const last = listed.pop() ?? { text: '', from: NO_TABLES };
    if (String(join.kind) === 'Implicit') listed.push(last, writeCommaSource(join, writer));
    else listed.push(writeJoin(last, join, writer));
  }
  return {
    text: `FROM ${listed.map(({ text }) => text).join(', ')}`,
    from: listed.map(({ from }) => from).reduce((left, right) => joinFrom(left, right)),
  };
}

function writeSource(node: Node, writer: Writer): WrittenFrom {
  switch (node.kind) {
    case 'table':
      return writeTable(node, writer);
    case 'subquery':
      requireOnlyFields('derived table', node.fields, ['this', 'alias', 'order_by', 'limit', 'offset']);
      return writeDerived(node, writer);
    case 'joined_table': {
      requireOnlyFields('join', node.fields, ['left', 'joins']);
      const left = writeSource(child(node, 'left'), writer);
      return parenthesize(parts(node.fields, 'joins').reduce((before, join) => writeJoin(before, join, writer), left));
    }
    case 'paren':
      return parenthesize(writeSource(child(node, 'this'), writer));
    default:
      return reject(`${formatKind(node.kind)} is not allowed in FROM`);
  }
}

function parenthesize({ text, from }: WrittenFrom): WrittenFrom {
  return { text: `(${text})`, from };
}

/** Writes a derived table. Requires a name, because each database reports a different error if the name is missing. */
function writeDerived(node: Node, writer: Writer): WrittenFrom {
  const { alias } = node.fields;
  if (alias === null || alias === undefined) reject('a derived table needs a name: write AS name', 'FROM');
  return writer.derived(writer.isolatedQuery(node), alias);
}

function writeTable(node: Node, writer: Writer): WrittenFrom {
  const name = nameOf(node.fields.name);
  const { schema } = node.fields;
  if (schema !== null && schema !== undefined) {
    reject(`${nameOf(schema)}.${name} names a database; write the name of the table only`, '', schema);
  }
  requireOnlyFields('table', node.fields, ['alias', 'hints']);
  return writer.table(node.fields.name, node.fields.alias ?? node.fields.name);
}

function writeCommaSource(join: Fields, writer: Writer): WrittenFrom {
  requireOnlyFields('join', join, ['this', 'kind']);
  return writeSource(child({ kind: 'join', fields: join }, 'this'), writer);
}

/** Writes `left JOIN right`. */
function writeJoin(left: WrittenFrom, join: Fields, writer: Writer): WrittenFrom {
  requireOnlyFields('join', join, ['this', 'on', 'using', 'kind']);
  // In the syntax tree of `a JOIN b JOIN c ON … ON …`, the conditions belong to other joins than in the text.
  if (join.deferred_condition === true) reject('write each ON directly after its JOIN', 'JOIN');
  const node = { kind: 'join', fields: join };
  const kind = String(join.kind);
  const words = JOINS[kind] ?? reject(`${kind.toUpperCase()} JOIN is not allowed`, 'JOIN');
  const right = writeSource(child(node, 'this'), writer);
  const using = parts(join, 'using');
  const from = joinFrom(left.from, right.from, kind === 'Natural' ? commonColumns(left.from, right.from) : using);
  const end = writeJoinCondition(node, using, writer.withScope(new Scope(from, writer.scope)));
  return { text: `${left.text} ${words} ${right.text}${end}`, from };
}

function writeJoinCondition(join: Node, using: readonly Fields[], writer: Writer): string {
  if (using.length > 0) requireOnlyFields('join with USING', join.fields, ['this', 'using', 'kind']);
  if (using.length > 0) return ` USING (${using.map((name) => quoteName(nameOf(name))).join(', ')})`;
  const on = optionalChild(join, 'on');
  return on === undefined ? '' : ` ON ${writer.clause(on)}`;
}

const JOINS: Readonly<Record<string, string>> = {
  Inner: 'JOIN',
  Cross: 'CROSS JOIN',
  Straight: 'JOIN',
  Left: 'LEFT JOIN',
  Right: 'RIGHT JOIN',
  Natural: 'NATURAL JOIN',
};
