import { child, type Fields, isFields, type Node, nameIn, toNode } from '../../reading/tree.js';
import { choicesOf } from './choices.js';
import { integerValue } from './literals.js';

/**
 * Returns true for a value that is computed from counts only. Such a value is a BIGINT or a wider integer, independent of the tables.
 */
export function isCount(node: Node): boolean {
  switch (node.kind) {
    case 'count':
    case 'row_number':
      return true;
    case 'column':
      return node.fields.is_count === true;
    case 'paren':
    case 'sum':
    case 'window_function':
      return isCount(child(node, 'this'));
    case 'add':
    case 'sub':
      return isCount(child(node, 'left')) && isCountOrInteger(child(node, 'right'));
    case 'case':
      return choicesOf(node).some(isCount) && choicesOf(node).every(isCountOrInteger);
    default:
      return false;
  }
}

/**
 * Marks columns of derived tables that contain counts, where a SELECT list reads them. The type of counts is known
 * without the tables, so arithmetic with them needs no macros that determine the type, which take milliseconds to plan.
 *
 * Only columns in the SELECT list are marked, because names in other clauses can refer to other columns.
 */
export function markCountColumns(tree: unknown): unknown {
  const marked = changeParts(tree, markCountColumns);
  if (!isFields(marked) || !isFields(marked.select)) return marked;
  const sources = readSources(marked.select);
  if (sources.every(({ counts }) => counts.size === 0)) return marked;
  return { ...marked, select: { ...marked.select, expressions: markColumns(marked.select.expressions, sources) } };
}

/** Applies `change` to the parts of a list or an object. If nothing changes, as in most trees, returns the same object, not a copy. */
function changeParts(tree: unknown, change: (part: unknown) => unknown): unknown {
  if (typeof tree !== 'object' || tree === null) return tree;
  let changed: Record<string, unknown> | undefined;
  for (const field in tree) {
    const part = (tree as Fields)[field];
    if (typeof part !== 'object' || part === null) continue;
    const after = change(part);
    if (after === part) continue;
    changed ??= (Array.isArray(tree) ? [...tree] : { ...tree }) as Record<string, unknown>;
    changed[field] = after;
  }
  return changed ?? tree;
}

function isCountOrInteger(node: Node): boolean {
  return isCount(node) || Number.isSafeInteger(integerValue(node));
}

/** A table of a FROM clause and the names of its columns that are counts. */
interface Source {
  readonly name: string | undefined;
  readonly counts: ReadonlySet<string>;
}

function readSources(select: Fields): Source[] {
  const from = isFields(select.from) ? select.from.expressions : undefined;
  const joined = Array.isArray(select.joins)
    ? select.joins.map((join: unknown) => (isFields(join) ? join.this : join))
    : [];
  return [...(Array.isArray(from) ? from : []), ...joined].map((table: unknown) => {
    const derived = isFields(table) && isFields(table.subquery) ? table.subquery : undefined;
    const inner = isFields(derived?.this) && isFields(derived.this.select) ? derived.this.select : undefined;
    const renamed = Array.isArray(derived?.column_aliases) && derived.column_aliases.length > 0;
    return {
      name: nameIn(derived?.alias),
      counts: inner === undefined || renamed ? new Set<string>() : readCounts(inner),
    };
  });
}

/** Returns the names of the output columns of a SELECT that are counts; none if a name may be ambiguous. */
function readCounts(select: Fields): Set<string> {
  const counts = new Set<string>();
  const names = new Set<string>();
  for (const expression of Array.isArray(select.expressions) ? select.expressions : []) {
    const alias = isFields(expression) && isFields(expression.alias) ? expression.alias : undefined;
    const column = isFields(expression) && isFields(expression.column) ? expression.column : undefined;
    const name = nameIn(alias?.alias ?? column?.name)?.toLowerCase();
    if (name === undefined || names.has(name)) return new Set();
    names.add(name);
    if (isCount(toNode(alias?.this ?? expression))) counts.add(name);
  }
  return counts;
}

/** Marks columns, except in subqueries, which read other tables. */
function markColumns(tree: unknown, sources: readonly Source[]): unknown {
  if (isFields(tree)) {
    if (isFields(tree.select) || isFields(tree.subquery)) return tree;
    if (isFields(tree.column))
      return isCountIn(tree.column, sources) ? { column: { ...tree.column, is_count: true } } : tree;
  }
  return changeParts(tree, (part) => markColumns(part, sources));
}

function isCountIn(column: Fields, sources: readonly Source[]): boolean {
  const table = nameIn(column.table);
  const source = table === undefined ? sources[0] : sources.find(({ name }) => name === table);
  if (source === undefined || (table === undefined && sources.length > 1)) return false;
  return source.counts.has(nameIn(column.name)?.toLowerCase() ?? '');
}
