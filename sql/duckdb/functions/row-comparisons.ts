import { child, children, type Node, reject, type Translator } from '../tree/tree.js';
import { writeComparison } from './comparisons.js';
import { argumentAt } from './function-rule.js';

/** Writes a comparison of rows, such as `(a, b) = (SELECT 1, 2)`. Returns undefined for a comparison of single values. */
export function writeComparisonOfRows(left: Node, operator: string, right: Node, to: Translator): string | undefined {
  if (left.kind === 'tuple') return writeRowComparison(left, operator, right, to);
  const columns = right.kind === 'tuple' ? children(right, 'expressions').length : countColumns(left);
  if (columns < 2 || !isSubquery(left)) return undefined;
  const compare = (row: Node) => writeRowComparison(row, operator, right, to);
  return writeComparedQuery(left, 'row_of_left_query', columns, compare, to);
}

/** Writes `(a, b) IN (SELECT …)`. Returns undefined if `x` is a single value. */
export function writeRowIn(x: Node, query: Node, to: Translator): string | undefined {
  if (x.kind === 'tuple') return writeRowInQuery(x, query, to);
  if (!isSubquery(x) || countColumns(x) < 2) return undefined;
  return writeComparedQuery(x, 'row_of_left_query', countColumns(x), (row) => writeRowInQuery(row, query, to), to);
}

/**
 * Writes a comparison of rows as comparisons of their columns, so that each text is converted to the type of the other side, and
 * NULL makes the result unknown only where a column decides. DuckDB compares rows as values, in which two NULLs are equal.
 */
function writeRowComparison(row: Node, operator: string, other: Node, to: Translator): string {
  const columns = children(row, 'expressions');
  if (isSubquery(other)) {
    const compare = (read: Node) => writeRowComparison(row, operator, read, to);
    return writeComparedQuery(other, 'row_of_query', columns.length, compare, to);
  }
  const others = children(other, 'expressions');
  if (other.kind !== 'tuple' || columns.length !== others.length) {
    return reject('A comparison of rows of different lengths');
  }
  const pairs = columns.map((column, index) => [column, argumentAt(others, index)] as const);
  const compare = (sign: string) => pairs.map(([a, b]) => writeColumnComparison(a, sign, b, to)).join(' AND ');
  if (operator === '=' || operator === 'IS NOT DISTINCT FROM') return `(${compare(operator)})`;
  if (operator === '<>') return `(NOT (${compare('=')}))`;
  return writeRowOrder(pairs, operator, to);
}

/** Writes a comparison with the row of a query. `table` is the name of the query in the comparison. */
function writeComparedQuery(
  query: Node,
  table: string,
  columns: number,
  compare: (row: Node) => string,
  to: Translator,
): string {
  const names = Array.from({ length: columns }, (_, index) => `row_column_${index + 1}`);
  const expressions = names.map((name) => ({ column: { name: { name }, table: { name: table } } }));
  const text = compare({ kind: 'tuple', fields: { expressions } });
  return `(SELECT ${text} FROM (${to.query(query)}) AS ${table}(${names.join(', ')}))`;
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
  return a.kind === 'tuple' ? writeRowComparison(a, operator, b, to) : writeComparison(a, operator, b, to);
}

/**
 * Writes `(a, b) IN (SELECT …)`. It is true if a row is equal, otherwise unknown if NULL prevents the decision for a row. The
 * conditions for NULL are separate, so that they cost little without NULL.
 */
function writeRowInQuery(row: Node, query: Node, to: Translator): string {
  const cells = children(row, 'expressions').map((cell) => to.value(cell));
  const names = cells.map((_, index) => `row_column_${index + 1}`);
  const exists = (conditions: readonly string[]) =>
    `EXISTS (SELECT 1 FROM (${to.query(query)}) AS row_of_query(${names.join(', ')}) WHERE ${conditions.join(' AND ')})`;
  const equal = cells.map((cell, index) => `${cell} = ${names[index]}`);
  const possible = equal.map((same, index) => `(${same} OR ${cells[index]} IS NULL OR ${names[index]} IS NULL)`);
  const isNullIn = (texts: readonly string[]) => `(${texts.map((text) => `${text} IS NULL`).join(' OR ')})`;
  const unknown = [names, cells].map((texts) => exists([isNullIn(texts), ...possible])).join(' OR ');
  return `CASE WHEN ${exists(equal)} THEN TRUE WHEN ${unknown} THEN NULL ELSE FALSE END`;
}
