import { analyzeQuery } from '../analysis/analyze-query.js';
import { outputsOf } from '../analysis/select-scope.js';
import { columnNameOf, columnsIn, nodesIn, queriesIn, writeColumnName } from '../analysis/tree-search.js';
import { comparisonKey } from '../duckdb/grouping.js';
import { integerValue } from '../duckdb/tree/literals.js';
import { type SqlToken, sqlTokens } from '../reading/statement.js';
import { isFields, type Node, part, parts, toNode, toTree } from '../reading/tree.js';
import { findClauses, splitAtCommas, textOf } from './lexemes-of-query.js';

/** A sort key: an expression of ORDER BY as a column of the answer, or as a column that is added to the SELECT. */
export interface PageKey {
  readonly column: string;
  readonly isDescending: boolean;
  /** The expression that the SELECT must return in addition; undefined for a column of the answer. */
  readonly expression: string | undefined;
  /** The placeholders in the expression, such as `p1`. */
  readonly markers: readonly string[];
}

/** The order of a query, and the text of the query in two parts: before ORDER BY, and from ORDER BY on. */
export interface PageOrder {
  readonly keys: readonly PageKey[];
  readonly body: string;
  readonly orderBy: string;
  /** The end of the last expression of the select list in `body`. */
  readonly listEnd: number;
}

/** The reason why a query does not allow cursors, and the offset of its cause. */
export interface OrderFault {
  readonly reason: string;
  readonly at: number;
}

/** The names of the columns that are added to a SELECT: `page_key_1`, … */
export const ADDED_COLUMN = /^page_key_\d+$/;

/** Facts about the rows of a query. */
export interface PagedRows {
  /** The names of the columns. */
  readonly columns: readonly string[];
  /** Whether the values of a column can be compared exactly with a value from an earlier page. */
  isExact(column: string): boolean;
  /** Whether a placeholder binds the time. The value of an expression with the time changes between two pages. */
  isClock(marker: string): boolean;
}

/** Reads the order of a query without LIMIT. */
export function readPageOrder(sql: string, rows: PagedRows): PageOrder | OrderFault {
  const { columns } = rows;
  const read = readOrders(sql);
  if ('reason' in read) return read;
  const { root, start, listEnd, orders } = read;
  const taken = columns.find((name) => ADDED_COLUMN.test(name));
  if (taken !== undefined) return { reason: `the column ${taken} has a reserved name`, at: 0 };
  const context = { sql, root, ...rows, canAdd: root.kind === 'select' && root.fields.distinct !== true };
  const keys: PageKey[] = [];
  for (const order of orders) {
    const key = readKey(context, order, keys);
    if ('reason' in key) return { reason: key.reason, at: order.at };
    keys.push(key);
  }
  return { keys, body: sql.slice(0, start).trimEnd(), orderBy: sql.slice(start), listEnd };
}

/** An expression of ORDER BY: the column of the answer to which it refers, if it is one, and its offset. */
export interface OrderedColumn {
  readonly column: string | undefined;
  readonly at: number;
}

/** Returns the expressions of ORDER BY of a query without LIMIT, or the reason why they cannot be read. */
export function readOrderedColumns(sql: string, columns: readonly string[]): readonly OrderedColumn[] | OrderFault {
  const read = readOrders(sql);
  if ('reason' in read) return read;
  return read.orders.map((order) => ({ column: findOutput({ root: read.root, columns }, order), at: order.at }));
}

interface ReadOrders {
  readonly root: Node;
  readonly orders: readonly Order[];
  /** The offset of ORDER BY. */
  readonly start: number;
  readonly listEnd: number;
}

function readOrders(sql: string): ReadOrders | OrderFault {
  const tokens = sqlTokens(sql);
  const clauses = findClauses(tokens);
  const root = analyzeQuery(sql, { tables: () => undefined, markers: () => 'unknown' })?.root;
  if (clauses === undefined || root === undefined) return { reason: 'the SQL has no ORDER BY', at: 0 };
  const start = tokens[clauses.order]?.start ?? 0;
  const texts = splitAtCommas(tokens.slice(clauses.order + 2));
  const orders = parts(part(root.fields, 'order_by') ?? {}, 'expressions');
  if (orders.length !== texts.length) return { reason: 'ORDER BY cannot be read', at: start };
  return {
    root,
    orders: texts.map((text, index) => toOrder(orders[index] ?? {}, text)),
    start,
    listEnd: clauses.listEnd,
  };
}

interface Context extends PagedRows {
  readonly sql: string;
  readonly root: Node;
  /** Whether a column can be added to the select list without a change of the rows. */
  readonly canAdd: boolean;
}

interface Order {
  readonly node: Node;
  readonly at: number;
  readonly tokens: readonly SqlToken[];
  readonly isDescending: boolean;
}

function toOrder({ this: tree, desc }: Readonly<Record<string, unknown>>, tokens: readonly SqlToken[]): Order {
  const isDirected = /^(asc|desc)$/i.test(tokens.at(-1)?.text ?? '');
  const at = tokens[0]?.start ?? 0;
  return { node: toNode(tree), at, tokens: isDirected ? tokens.slice(0, -1) : tokens, isDescending: desc === true };
}

function readKey(context: Context, order: Order, before: readonly PageKey[]): PageKey | { readonly reason: string } {
  const { root, columns } = context;
  const outputs = root.kind === 'select' ? outputsOf(root) : [];
  const column = findOutput(context, order);
  const { isDescending } = order;
  const node = column === undefined ? order.node : outputs.find(({ name }) => name === column.toLowerCase())?.node;
  const reason = node && findFault(context, node);
  if (reason !== undefined) return { reason };
  if (column !== undefined && !context.isExact(column))
    return { reason: `values of ${column} cannot be compared exactly` };
  if (column !== undefined) return { column, isDescending, expression: undefined, markers: markersIn(node) };
  if (columns.length === 0 || !context.canAdd) {
    // With DISTINCT, an additional column would change the rows.
    const advice = root.fields.distinct === true ? 'with DISTINCT, order by columns of the answer' : ADD_COLUMN;
    return { reason: `${textOf(context.sql, order.tokens)} is not a column of the answer: ${advice}` };
  }
  const expression = writeExpression(context, order);
  if (expression === undefined) {
    return { reason: 'it computes with the name of another expression: add it as a column, and order by its name' };
  }
  const number = before.filter((key) => key.expression !== undefined).length + 1;
  return { column: `page_key_${number}`, isDescending, expression, markers: markersIn(order.node) };
}

const ADD_COLUMN = 'add it, and order by its name';

/** Returns the column of the answer to which an expression of ORDER BY refers: by position, by name, or as the same table column. */
function findOutput({ root, columns }: Pick<Context, 'root' | 'columns'>, { node }: Order): string | undefined {
  const position = integerValue(node);
  if (position !== undefined) return columns[position - 1];
  if (node.kind !== 'column') return undefined;
  const byName = columns.find((name) => name.toLowerCase() === columnNameOf(node));
  if (byName !== undefined && !isFields(node.fields.table)) return byName;
  if (root.kind !== 'select') return undefined;
  const same = outputsOf(root).find((output) => comparisonKey(output.node) === comparisonKey(node))?.name;
  return columns.find((name) => name.toLowerCase() === same);
}

function findFault({ isClock }: Context, node: Node): string | undefined {
  const tree = toTree(node);
  if (node.kind === 'null') return 'ORDER BY NULL does not order the rows';
  if (nodesIn(tree, WINDOWS).length > 0) return 'the value of a window function depends on other rows';
  if (queriesIn(tree).length > 0) return 'it is a subquery: add it as a column, and order by its name';
  return markersIn(node).some(isClock) ? 'it depends on the time of the request' : undefined;
}

const WINDOWS: ReadonlySet<string> = new Set(['window_function']);

function markersIn(node: Node | undefined): string[] {
  if (node === undefined) return [];
  return nodesIn(toTree(node), PARAMETERS).map(({ fields }) => String(fields.name));
}

const PARAMETERS: ReadonlySet<string> = new Set(['parameter']);

/**
 * Writes an expression of ORDER BY for the select list, where names of the select list cannot be used. Replaces a name
 * that refers to a table column by this column. Returns undefined if a name refers to another expression.
 */
function writeExpression({ sql, root }: Context, { node, tokens }: Order): string | undefined {
  const plain = columnsIn(toTree(node)).filter((use) => !isFields(use.node.fields.table));
  const meanings = new Map<string, string>();
  for (const use of plain) {
    const name = columnNameOf(use.node);
    const meaning = outputsOf(root).find((output) => output.name === name)?.node;
    if (meaning === undefined) continue;
    if (meaning.kind !== 'column') return undefined;
    meanings.set(name, writeColumnName(meaning));
  }
  let written = '';
  for (const [index, token] of tokens.entries()) {
    const previous = tokens[index - 1];
    const gap = previous === undefined ? '' : sql.slice(previous.end, token.start);
    const name = token.text.replaceAll('`', '').toLowerCase();
    const isPlain = previous?.text !== '.' && !/^[.(]$/.test(tokens[index + 1]?.text ?? '');
    written += gap + (isPlain ? (meanings.get(name) ?? token.text) : token.text);
  }
  return written;
}
