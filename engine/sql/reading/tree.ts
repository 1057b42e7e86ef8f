import { UntranslatableSqlError } from './untranslatable-sql-error.js';

/**
 * A node of the parser's tree: its kind, such as `column` or `sum`, and its fields. The types of the parser, which
 * describe 1,200 kinds for all dialects, are not used. The engine reads the few kinds of the MySQL dialect by name; the
 * translation and the guard reject every other kind.
 */
export interface Node {
  readonly kind: string;
  readonly fields: Fields;
}

/** The fields of a node or a part, by their names in the parser's tree. */
export type Fields = Readonly<Record<string, unknown>>;

/** Converts a part of the parser's tree to a node. The part is an object whose only key is the kind of the node. */
export function toNode(tree: unknown): Node {
  const [entry] = Object.entries(tree as Record<string, unknown>);
  if (entry === undefined) throw new UntranslatableSqlError('An empty part of the query cannot be translated.');
  const [kind, fields] = entry;
  return { kind, fields: (typeof fields === 'object' && fields !== null ? fields : { this: fields }) as Fields };
}

/** Converts a part of the parser's tree to a node. If the part is not a node, the kind is an empty text. */
export function nodeOf(tree: unknown): Node {
  const [entry] = isFields(tree) ? Object.entries(tree) : [];
  return { kind: entry?.[0] ?? '', fields: isFields(entry?.[1]) ? entry[1] : {} };
}

/** Converts a node to a part of the parser's tree. */
export function toTree({ kind, fields }: Node): unknown {
  return { [kind]: fields };
}

/** Returns the node in a field. Throws an `UntranslatableSqlError` if the field is empty. */
export function child(node: Node, field: string): Node {
  const found = optionalChild(node, field);
  if (found === undefined) throw new UntranslatableSqlError(`${formatKind(node.kind)} has no ${formatKind(field)}.`);
  return found;
}

/** Returns the node in a field, or undefined if the field is empty. */
export function optionalChild(node: Node, field: string): Node | undefined {
  const tree = node.fields[field];
  return tree === null || tree === undefined ? undefined : toNode(tree);
}

/** Returns the nodes in a field, or an empty list if the field is not a list. */
export function children(node: Node, field: string): readonly Node[] {
  return listOf(node.fields[field]).map(toNode);
}

/** Returns the parts in a field that are not nodes, such as joins, sort keys and common table expressions. */
export function parts(fields: Fields, field: string): readonly Fields[] {
  return listOf(fields[field]) as readonly Fields[];
}

/** Returns the part in a field that is not a node, or undefined if the field is empty. */
export function part(fields: Fields, field: string): Fields | undefined {
  const found = fields[field];
  return found === null || found === undefined ? undefined : (found as Fields);
}

/** Returns the part if it is a list, otherwise an empty list. */
export function listOf(part: unknown): readonly unknown[] {
  return Array.isArray(part) ? part : [];
}

/** Returns true for an object of the tree. Lists and plain values are not objects. */
export function isFields(part: unknown): part is Fields {
  return typeof part === 'object' && part !== null && !Array.isArray(part);
}

/** Returns the name of an identifier. Throws an `UntranslatableSqlError` if the identifier has no name. */
export function nameOf(identifier: unknown): string {
  const name = nameIn(identifier);
  if (name === undefined) throw new UntranslatableSqlError('A name is missing in the query.');
  return name;
}

/** Returns the name of an identifier, or undefined for anything else. */
export function nameIn(identifier: unknown): string | undefined {
  return isFields(identifier) && typeof identifier.name === 'string' ? identifier.name : undefined;
}

/** The kinds of nodes that combine two queries. */
export const SET_OPERATIONS: ReadonlySet<string> = new Set(['union', 'intersect', 'except']);
const QUERIES: ReadonlySet<string> = new Set(['select', 'subquery', ...SET_OPERATIONS]);

/** Returns true if nodes of this kind are queries. */
export function isQuery(kind: string): boolean {
  return QUERIES.has(kind);
}

/** Fields that contain no part of the query. Skipping them halves the time to visit a tree. */
export const IGNORED_FIELDS: ReadonlySet<string> = new Set([
  'span',
  'trailing_comments',
  'left_comments',
  'operator_comments',
  'pre_alias_comments',
]);

/** Formats a kind or a field for a message: `group_by` becomes `GROUP BY`. */
export function formatKind(kind: string): string {
  return kind.replaceAll('_', ' ').toUpperCase();
}

/**
 * Window functions by their kind of node. Each list contains the name of the function, then the fields that contain its
 * arguments, in order.
 */
export const WINDOW_FUNCTIONS: Readonly<Record<string, readonly [name: string, ...fields: string[]]>> = {
  row_number: ['ROW_NUMBER'],
  rank: ['RANK'],
  dense_rank: ['DENSE_RANK'],
  percent_rank: ['PERCENT_RANK'],
  cume_dist: ['CUME_DIST'],
  n_tile: ['NTILE', 'num_buckets'],
  lag: ['LAG', 'this', 'offset', 'default'],
  lead: ['LEAD', 'this', 'offset', 'default'],
  first_value: ['FIRST_VALUE', 'this'],
  last_value: ['LAST_VALUE', 'this'],
  nth_value: ['NTH_VALUE', 'this', 'offset'],
};

/** The edges of window frames without a number of rows. */
export const FRAME_EDGES: Readonly<Record<string, string>> = {
  UnboundedPreceding: 'UNBOUNDED PRECEDING',
  UnboundedFollowing: 'UNBOUNDED FOLLOWING',
  CurrentRow: 'CURRENT ROW',
};

/** Returns the expressions of a clause. */
export function expressionsOf(part: Fields): readonly unknown[] {
  return listOf(Array.isArray(part) ? part : part.expressions);
}

/** Returns the name of an expression of a select list; null if it has none. */
export function outputName(expression: unknown): string | null {
  const { kind, fields } = nodeOf(expression);
  return nameIn(kind === 'alias' ? fields.alias : kind === 'column' ? fields.name : undefined) ?? null;
}
