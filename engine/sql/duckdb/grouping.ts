import { children, type Fields, type Node, nameOf, part, parts, toNode } from '../reading/tree.js';
import { isAggregate } from './functions/aggregates.js';
import { isKeywordArgument } from './tree/function-names.js';
import { integerValue } from './tree/literals.js';
import { reject } from './tree/translator.js';

/**
 * Finds the columns of a grouped SELECT that are neither in GROUP BY nor inside an aggregate, and wraps each of them in
 * ANY_VALUE. MySQL behaves like this if ONLY_FULL_GROUP_BY is off. A subquery stays unchanged, even if it uses columns
 * of this SELECT. A column of an outer SELECT also stays unchanged, because it has only one value.
 */
export function wrapUngroupedColumns(node: Node): Node {
  const group = part(node.fields, 'group_by');
  if (group === undefined && !hasAggregates(node)) return node;
  const keys = { ...readGroupKeys(node, group), ...readSources(node) };
  const having = part(node.fields, 'having');
  const orders = part(node.fields, 'order_by');
  const fields: Record<string, unknown> = { ...node.fields };
  fields.expressions = (node.fields.expressions as unknown[]).map((column) => wrapOutput(column, keys));
  if (having !== undefined) fields.having = { ...having, this: wrapLateExpression(having.this, keys) };
  if (orders !== undefined) {
    const loose = parts(orders, 'expressions').map((order) => ({
      ...order,
      this: wrapLateExpression(order.this, keys),
    }));
    fields.order_by = { ...orders, expressions: loose };
  }
  return { kind: node.kind, fields };
}

/** Returns true if the select list or HAVING has an aggregate outside of windows and subqueries. */
export function hasAggregates(node: Node): boolean {
  const having = part(node.fields, 'having');
  return containsAggregate(node.fields.expressions) || (having !== undefined && containsAggregate(having.this));
}

interface GroupKeys {
  /** The grouped columns, as `name` or `table.name`, in lower case. */
  readonly columns: ReadonlySet<string>;
  /** The names of grouped columns, without the names of their tables. */
  readonly names: ReadonlySet<string>;
  /** The comparison keys of all other grouped expressions, by their kind. */
  readonly expressions: ReadonlyMap<string, readonly string[]>;
  /** The aliases of the select list. */
  readonly aliases: ReadonlySet<string>;
}

/** The sources to which an ungrouped column can belong. */
interface Sources {
  /** The names of the tables in FROM, in lower case. */
  readonly tables: ReadonlySet<string>;
  /** Whether an unqualified column can belong to an outer SELECT. */
  readonly hasOuter: boolean;
}

type Keys = GroupKeys & Sources;

function readSources(node: Node): Sources {
  const joined = parts(node.fields, 'joins').map((join) => toNode(join.this));
  const sources = [...children({ kind: 'from', fields: part(node.fields, 'from') ?? {} }, 'expressions'), ...joined];
  return { tables: new Set(sources.flatMap(namesOfSource)), hasOuter: node.fields.in_expression === true };
}

function namesOfSource(source: Node): readonly string[] {
  if (source.kind === 'paren') return namesOfSource(toNode(source.fields.this));
  if (source.kind === 'joined_table') {
    const joined = parts(source.fields, 'joins').map((join) => toNode(join.this));
    return [toNode(source.fields.left), ...joined].flatMap(namesOfSource);
  }
  const name = source.fields.alias ?? source.fields.name;
  return name === null || name === undefined ? [] : [nameOf(name).toLowerCase()];
}

function readGroupKeys(node: Node, group: Fields | undefined): GroupKeys {
  const outputs = children(node, 'expressions');
  const named = new Map(
    outputs.flatMap((column) => (column.kind === 'alias' ? [[aliasOf(column), column]] : [])) as [string, Node][],
  );
  const columns = new Set<string>();
  const expressions = new Map<string, string[]>();
  const add = (key: Node | undefined) => {
    if (key === undefined) return;
    if (key.kind === 'column') {
      const name = columnName(key);
      columns.add(name);
      const alias = named.get(name);
      if (alias !== undefined) addExpression(toNode(alias.fields.this));
    } else addExpression(key);
  };
  const addExpression = (key: Node) => {
    expressions.set(key.kind, [...(expressions.get(key.kind) ?? []), comparisonKey(key)]);
    if (key.kind === 'column') columns.add(columnName(key));
  };
  for (const key of children({ kind: 'group by', fields: group ?? {} }, 'expressions')) {
    const position = integerValue(key);
    const output = position === undefined ? undefined : outputs[position - 1];
    add(output === undefined ? key : output.kind === 'alias' ? toNode(output.fields.this) : output);
  }
  const names = new Set([...columns].map((column) => column.slice(column.lastIndexOf('.') + 1)));
  return { columns, names, expressions, aliases: new Set(named.keys()) };
}

/** Wraps the columns in an item of the select list. */
function wrapOutput(tree: unknown, keys: Keys): unknown {
  const node = toNode(tree);
  if (node.kind !== 'alias') return wrap(tree, keys);
  return { alias: { ...node.fields, this: wrap(node.fields.this, keys) } };
}

/** Wraps the columns in an expression of HAVING or ORDER BY, which may also use an alias of the select list. */
function wrapLateExpression(tree: unknown, keys: Keys): unknown {
  return wrap(tree, { ...keys, names: new Set([...keys.names, ...keys.aliases]) });
}

function wrap(tree: unknown, keys: Keys): unknown {
  if (Array.isArray(tree)) return tree.map((item) => wrap(item, keys));
  if (typeof tree !== 'object' || tree === null) return tree;
  const entries = Object.entries(tree);
  const [first] = entries;
  if (first === undefined || entries.length !== 1 || typeof first[1] !== 'object' || first[1] === null) {
    return Object.fromEntries(entries.map(([field, value]) => [field, wrap(value, keys)]));
  }
  const node = toNode(tree);
  if (isGrouped(node, keys) || isAggregate(node) || SELF_CONTAINED.has(node.kind)) return tree;
  if (node.kind === 'column') return isOuter(node, keys) ? tree : { any_value: { this: tree, loose: true } };
  if (node.kind === 'window_function') return { window_function: wrapWindow(node, keys) };
  if (node.kind === 'function') return { function: { ...node.fields, args: wrapArguments(node, keys) } };
  return { [node.kind]: wrap(node.fields, keys) };
}

/** Whether a column belongs to an outer SELECT. Rejects an unqualified column if this depends on the columns of the tables. */
function isOuter(node: Node, { tables, hasOuter }: Sources): boolean {
  const table = node.fields.table;
  if (table !== null && table !== undefined) return !tables.has(nameOf(table).toLowerCase());
  if (!hasOuter) return false;
  return reject(`The column ${nameOf(node.fields.name)} without the name of its table`, 'Write table.column.');
}

const SELF_CONTAINED = new Set(['subquery', 'select', 'exists', 'literal', 'parameter', 'star']);

/**
 * Wraps the columns in a window function. A window function of a grouped SELECT reads one row per group, so the
 * argument of an aggregate with OVER must also be wrapped.
 */
function wrapWindow(node: Node, keys: Keys): Fields {
  const [[kind, fields] = ['', {}]] = Object.entries(node.fields.this as Record<string, unknown>);
  return { ...node.fields, this: { [kind]: wrap(fields, keys) }, over: wrap(node.fields.over, keys) };
}

function wrapArguments(node: Node, keys: Keys): unknown {
  const name = nameOf(node.fields).toUpperCase();
  return ((node.fields.args as unknown[] | undefined) ?? []).map((arg, index) =>
    isKeywordArgument(name, index) ? arg : wrap(arg, keys),
  );
}

function isGrouped(node: Node, keys: GroupKeys): boolean {
  if (node.kind === 'column') {
    const name = columnName(node);
    const bare = name.slice(name.lastIndexOf('.') + 1);
    if (keys.columns.has(name) || keys.columns.has(bare)) return true;
    return name === bare && keys.names.has(bare);
  }
  return keys.expressions.get(node.kind)?.includes(comparisonKey(node)) ?? false;
}

function columnName(node: Node): string {
  const table = node.fields.table;
  const name = nameOf(node.fields.name).toLowerCase();
  return table === null || table === undefined ? name : `${nameOf(table).toLowerCase()}.${name}`;
}

function aliasOf(node: Node): string {
  return nameOf(node.fields.alias).toLowerCase();
}

/** Returns a text that is equal for expressions with the same meaning, except for the case of names. */
export function comparisonKey(node: Node): string {
  return JSON.stringify([node.kind, node.fields], (field, value) =>
    NOT_COMPARED.has(field) ? undefined : value,
  ).toLowerCase();
}

const NOT_COMPARED = new Set(['span', 'quoted', 'trailing_comments', 'left_comments', 'operator_comments', 'comments']);

function containsAggregate(tree: unknown): boolean {
  if (Array.isArray(tree)) return tree.some(containsAggregate);
  if (typeof tree !== 'object' || tree === null) return false;
  return Object.entries(tree).some(([kind, fields]) => {
    if (kind === 'window_function' || kind === 'subquery' || kind === 'select') return false;
    return (
      (typeof fields === 'object' && fields !== null && isAggregate({ kind, fields })) || containsAggregate(fields)
    );
  });
}
