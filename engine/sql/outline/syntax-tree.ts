import { Dialect, parse } from '../reading/parser.js';

/** A part of the parser's tree: an object whose keys are kinds of nodes or fields. */
export type Tree = Readonly<Record<string, unknown>>;

/** Returns the tree of the first statement of a text; undefined if the parser cannot read it. */
export function parseStatement(sql: string): unknown {
  const result = parse(sql, Dialect.MySQL);
  return result.success ? (result.ast as unknown[])[0] : undefined;
}

/** Returns true for an object of the tree; lists and plain values are not objects. */
export function isTree(node: unknown): node is Tree {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

/** Returns the kind of a node and its fields. */
export function nodeOf(node: unknown): { readonly kind: string; readonly fields: Tree } {
  const [entry] = isTree(node) ? Object.entries(node) : [];
  return { kind: entry?.[0] ?? '', fields: isTree(entry?.[1]) ? entry[1] : {} };
}

/** Returns the name of an identifier. */
export function nameIn(identifier: unknown): string | undefined {
  return isTree(identifier) && typeof identifier.name === 'string' ? identifier.name : undefined;
}

/** Returns the items of a field that is a list, or no items. */
export function listIn(fields: Tree, field: string): readonly unknown[] {
  const found = fields[field];
  return Array.isArray(found) ? found : [];
}

/** Fields of a node that contain no part of the query. */
export const IGNORED_FIELDS: ReadonlySet<string> = new Set([
  'span',
  'trailing_comments',
  'left_comments',
  'operator_comments',
  'pre_alias_comments',
]);

/** A column as a query names it. */
export interface ColumnName {
  readonly table: string | undefined;
  readonly name: string;
}

/** Returns the first column inside an expression. */
export function findColumn(node: unknown): ColumnName | undefined {
  if (Array.isArray(node)) return firstOf(node, findColumn);
  if (!isTree(node)) return undefined;
  if (isTree(node.column)) {
    const name = nameIn(node.column.name);
    if (name !== undefined) return { table: nameIn(node.column.table), name };
  }
  return firstOf(
    Object.entries(node).filter(([key]) => !IGNORED_FIELDS.has(key)),
    ([, part]) => findColumn(part),
  );
}

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
