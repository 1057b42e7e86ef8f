import { child, children, type Node, optionalChild } from '../../reading/tree.js';
import { writeRows } from '../tree/limited-rows.js';
import { stringValue } from '../tree/literals.js';
import { type Rewrite, reject, requireOnlyFields, type Translator, textLiteral } from '../tree/translator.js';
import { writeComparedSide, writeComparison } from './comparisons.js';
import { argumentAt, writeText } from './function-rule.js';
import { writeContains } from './json-functions.js';

/** The operator `<=>`. */
const NULL_SAFE = 'IS NOT DISTINCT FROM';

/** Rewrites of nodes whose value is true or false. */
export const CONDITIONS: Readonly<Record<string, Rewrite>> = {
  eq: comparisonRewrite('='),
  neq: comparisonRewrite('<>'),
  lt: comparisonRewrite('<'),
  lte: comparisonRewrite('<='),
  gt: comparisonRewrite('>'),
  gte: comparisonRewrite('>='),
  null_safe_eq: comparisonRewrite(NULL_SAFE),
  and: (node, to) => `(${to.condition(child(node, 'left'))} AND ${to.condition(child(node, 'right'))})`,
  or: (node, to) => `(${to.condition(child(node, 'left'))} OR ${to.condition(child(node, 'right'))})`,
  xor: (node, to) => {
    requireOnlyFields('xor', node.fields, ['this', 'expression']);
    return `(${to.condition(child(node, 'this'))} <> ${to.condition(child(node, 'expression'))})`;
  },
  not: (node, to) => `(NOT ${to.condition(child(node, 'this'))})`,
  is_null: (node, to) => `(${to.value(child(node, 'this'))} IS ${notKeyword(node)}NULL)`,
  is_true: (node, to) => `(${to.condition(child(node, 'this'))} IS ${notKeyword(node)}TRUE)`,
  is_false: (node, to) => `(${to.condition(child(node, 'this'))} IS ${notKeyword(node)}FALSE)`,
  between: writeBetween,
  in: writeIn,
  exists: (node, to) => {
    requireOnlyFields('exists', node.fields, ['this']);
    return `EXISTS (${to.query(child(node, 'this'))})`;
  },
  any: (node, to) => writeQuantified('ANY', node, to),
  all: (node, to) => writeQuantified('ALL', node, to),
  like: writeLike,
  regexp_like: (node, to) => {
    requireOnlyFields('regexp', node.fields, ['this', 'pattern']);
    return writeRegexp(child(node, 'this'), child(node, 'pattern'), to);
  },
};

/** Functions that return true or false. */
export const PREDICATES: Readonly<Record<string, (args: readonly Node[], to: Translator) => string>> = {
  ISNULL: (args, to) => `(${to.value(argumentAt(args, 0))} IS NULL)`,
  REGEXP_LIKE: (args, to) => writeRegexp(argumentAt(args, 0), argumentAt(args, 1), to, args[2]),
  JSON_CONTAINS: (args, to) => {
    if (args.length > 3) reject(`JSON_CONTAINS with ${args.length} arguments`);
    return writeContains(args, to);
  },
  JSON_VALID: (args, to) => `mysql.is_json(${writeText(argumentAt(args, 0), to)})`,
};

function notKeyword(node: Node): string {
  return node.fields.not === true ? 'NOT ' : '';
}

function comparisonRewrite(operator: string): Rewrite {
  return (node, to) => {
    const [left, right] = [child(node, 'left'), child(node, 'right')];
    return writeComparisonOfRows(left, operator, right, to) ?? writeComparison(left, operator, right, to);
  };
}

function writeBetween(node: Node, to: Translator): string {
  const [x, low, high] = [child(node, 'this'), child(node, 'low'), child(node, 'high')];
  requireOnlyFields('between', node.fields, ['this', 'low', 'high', 'not']);
  const from = writeComparedSide(low, x, to);
  const until = writeComparedSide(high, stringValue(x) === undefined ? x : low, to);
  return `(${writeComparedSide(x, low, to)} ${notKeyword(node)}BETWEEN ${from} AND ${until})`;
}

function writeIn(node: Node, to: Translator): string {
  const compared = optionalChild(node, 'query') === undefined ? 'expressions' : 'query';
  requireOnlyFields('in', node.fields, ['this', compared, 'not']);
  const x = asRow(child(node, 'this'));
  const list = children(node, 'expressions');
  const query = optionalChild(node, 'query') ?? list.find(({ kind }) => list.length === 1 && SET_OPERATIONS.has(kind));
  const isEqual = query === undefined ? writeRowInList(x, list, to) : writeRowIn(x, query, to);
  if (isEqual !== undefined) return `(${notKeyword(node)}${isEqual})`;
  if (query !== undefined) return `(${to.value(x)} ${notKeyword(node)}IN (${writeRows(query, to)}))`;
  const values = list.map((value) => writeComparedSide(value, x, to));
  if (values.length === 0) reject('IN with an empty list');
  const [first] = list;
  return `(${first === undefined ? to.value(x) : writeComparedSide(x, first, to)} ${notKeyword(node)}IN (${values.join(', ')}))`;
}

function writeRowInList(x: Node, list: readonly Node[], to: Translator): string | undefined {
  if (![x, ...list].some((row) => asRow(row).kind === 'tuple')) return undefined;
  return `(${list.map((row) => writeComparisonOfRows(x, '=', row, to)).join(' OR ')})`;
}

/**
 * If the subquery of an IN is a set operation whose first side is in parentheses, the parser returns it as a list with
 * a single node of one of these kinds.
 */
const SET_OPERATIONS = new Set(['union', 'intersect', 'except']);

function writeQuantified(word: string, node: Node, to: Translator): string {
  const operator = { Eq: '=', Neq: '<>', Lt: '<', Lte: '<=', Gt: '>', Gte: '>=' }[String(node.fields.op)];
  if (operator === undefined) return reject(`This comparison with ${word}`);
  const [x, query] = [asRow(child(node, 'this')), child(node, 'subquery')];
  if (x.kind === 'tuple' || countColumns(x) > 1) return writeQuantifiedRow(`${operator} ${word}`, x, query, to);
  return `(${to.value(x)} ${operator} ${word} ${to.value(query)})`;
}

/** Writes a row that is compared with the rows of a subquery. `= ANY` is IN, and `<> ALL` is NOT IN. */
function writeQuantifiedRow(comparison: string, x: Node, query: Node, to: Translator): string {
  const isEqual = writeRowIn(x, query, to);
  if (isEqual === undefined || !['= ANY', '<> ALL'].includes(comparison)) {
    return reject(`A row before ${comparison}`, 'Write IN or NOT IN, or compare the columns.');
  }
  return comparison === '= ANY' ? `(${isEqual})` : `(NOT ${isEqual})`;
}

/** Writes LIKE. The escape character is `\`, or the character after ESCAPE. */
function writeLike(node: Node, to: Translator): string {
  requireOnlyFields('like', node.fields, ['left', 'right', 'escape']);
  const [x, pattern, escaping] = [child(node, 'left'), child(node, 'right'), optionalChild(node, 'escape')];
  const literal = stringValue(pattern);
  const mark = escaping === undefined ? '\\' : stringValue(escaping);
  if (mark?.length !== 1) return reject('LIKE with an ESCAPE that is not one literal character');
  if (literal !== undefined && !literal.includes(mark)) {
    return `(${writeText(x, to)} LIKE ${to.value(pattern)})`;
  }
  const safe = mark === '\\' ? `mysql.pattern(${writeText(pattern, to)})` : writeText(pattern, to);
  return `(${writeText(x, to)} LIKE ${safe} ESCAPE ${textLiteral(mark)})`;
}

function writeRegexp(x: Node, pattern: Node, to: Translator, mode?: Node): string {
  const flags = mode === undefined ? 'c' : stringValue(mode);
  if (flags !== 'i' && flags !== 'c') return reject('This match type of REGEXP_LIKE', "Known: 'i' and 'c'.");
  return `regexp_matches(${writeText(x, to)}, ${writeText(pattern, to)}, ${textLiteral(flags)})`;
}

/** Writes a comparison of rows, such as `(a, b) = (SELECT 1, 2)`. Returns undefined for a comparison of single values. */
function writeComparisonOfRows(one: Node, operator: string, other: Node, to: Translator): string | undefined {
  const [left, right] = [asRow(one), asRow(other)];
  if (left.kind === 'tuple') return writeRowComparison(left, operator, right, to);
  const columns = right.kind === 'tuple' ? children(right, 'expressions').length : countColumns(left);
  if (columns < 2 || !isSubquery(left)) return undefined;
  const compare = (row: Node) => writeRowComparison(row, operator, right, to);
  return writeComparedQuery(left, { table: 'row_of_left_query', columns, operator }, compare, to);
}

/** Returns the row in parentheses such as `((a, b))`; any other expression unchanged. */
function asRow(node: Node): Node {
  const inside = node.kind === 'paren' ? asRow(child(node, 'this')) : node;
  return inside.kind === 'tuple' ? inside : node;
}

/** Writes `(a, b) IN (SELECT …)`. Returns undefined if `x` is a single value. */
function writeRowIn(x: Node, query: Node, to: Translator): string | undefined {
  if (x.kind === 'tuple') return writeRowInQuery(x, query, to);
  if (!isSubquery(x) || countColumns(x) < 2) return undefined;
  const row = { table: 'row_of_left_query', columns: countColumns(x), operator: '=' };
  return writeComparedQuery(x, row, (read) => writeRowInQuery(read, query, to), to);
}

/**
 * Writes a comparison of rows as comparisons of their columns. So each text is converted to the type of the other side, and NULL makes the
 * result NULL only if the other columns do not decide it. DuckDB would compare rows as values in which two NULLs are equal.
 */
function writeRowComparison(row: Node, operator: string, other: Node, to: Translator): string {
  const columns = children(row, 'expressions');
  if (isSubquery(other)) {
    const compare = (read: Node) => writeRowComparison(row, operator, read, to);
    return writeComparedQuery(other, { table: 'row_of_query', columns: columns.length, operator }, compare, to);
  }
  const others = children(other, 'expressions');
  if (other.kind !== 'tuple' || columns.length !== others.length) {
    return reject('A comparison of rows of different lengths');
  }
  const pairs = columns.map((column, index) => [column, argumentAt(others, index)] as const);
  const compare = (sign: string) => pairs.map(([a, b]) => writeColumnComparison(a, sign, b, to)).join(' AND ');
  if (operator === '=' || operator === NULL_SAFE) return `(${compare(operator)})`;
  if (operator === '<>') return `(NOT (${compare('=')}))`;
  return writeRowOrder(pairs, operator, to);
}

/** A row that a subquery returns: the alias of the subquery, the number of columns, and the operator that compares the row. */
interface ComparedRow {
  readonly table: string;
  readonly columns: number;
  readonly operator: string;
}

/** Writes a comparison with the row that a subquery returns. */
function writeComparedQuery(
  query: Node,
  { table, columns, operator }: ComparedRow,
  compare: (row: Node) => string,
  to: Translator,
): string {
  const names = Array.from({ length: columns }, (_, index) => `row_column_${index + 1}`);
  const expressions = names.map((name) => ({ column: { name: { name }, table: { name: table } } }));
  const text = compare({ kind: 'tuple', fields: { expressions } });
  const rows = `(${writeRows(query, to)}) AS ${table}(${names.join(', ')})`;
  // A subquery without rows is compared as a row of NULLs, which `<=>` can find equal.
  const from = operator === NULL_SAFE ? `(SELECT 1) AS always LEFT JOIN ${rows} ON TRUE` : rows;
  return `(SELECT ${text} FROM ${from})`;
}

function isSubquery({ kind }: Node): boolean {
  return kind === 'subquery' || kind === 'select';
}

/** Returns the number of columns of a subquery; 1 if it is unknown, and for all other expressions. */
function countColumns(node: Node): number {
  if (node.kind === 'subquery') return countColumns(child(node, 'this'));
  if (node.kind !== 'select') return 1;
  return Math.max(1, children(node, 'expressions').length);
}

/** Writes `(a, b) < (x, y)` as `a < x OR (a = x AND b < y)`. */
function writeRowOrder(pairs: readonly (readonly [Node, Node])[], operator: string, to: Translator): string {
  const [[a, b] = [], ...rest] = pairs;
  if (a === undefined || b === undefined) return reject('An empty row');
  if (rest.length === 0) return writeColumnComparison(a, operator, b, to);
  const [first, equal] = [operator.slice(0, 1), '='].map((sign) => writeColumnComparison(a, sign, b, to));
  return `(${first} OR (${equal} AND ${writeRowOrder(rest, operator, to)}))`;
}

function writeColumnComparison(a: Node, operator: string, b: Node, to: Translator): string {
  return writeComparisonOfRows(a, operator, b, to) ?? writeComparison(a, operator, b, to);
}

/**
 * Writes `(a, b) IN (SELECT …)`. The result is true if a row is equal, and NULL if a row could be equal but contains
 * NULL. The conditions for NULL are a separate EXISTS, so that they cost little if no value is NULL.
 */
function writeRowInQuery(row: Node, query: Node, to: Translator): string {
  const cells = children(row, 'expressions').map((cell) => to.value(cell));
  const names = cells.map((_, index) => `row_column_${index + 1}`);
  const exists = (conditions: readonly string[]) =>
    `EXISTS (SELECT 1 FROM (${writeRows(query, to)}) AS row_of_query(${names.join(', ')}) WHERE ${conditions.join(' AND ')})`;
  const equal = cells.map((cell, index) => `${cell} = ${names[index]}`);
  const possible = equal.map((same, index) => `(${same} OR ${cells[index]} IS NULL OR ${names[index]} IS NULL)`);
  const isNullIn = (texts: readonly string[]) => `(${texts.map((text) => `${text} IS NULL`).join(' OR ')})`;
  const unknown = [names, cells].map((texts) => exists([isNullIn(texts), ...possible])).join(' OR ');
  return `CASE WHEN ${exists(equal)} THEN TRUE WHEN ${unknown} THEN NULL ELSE FALSE END`;
}
