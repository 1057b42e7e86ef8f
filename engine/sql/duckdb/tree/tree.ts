import { UntranslatableSqlError } from '../../untranslatable-sql-error.js';

/**
 * A node of the parser's tree: its kind, such as `column` or `sum`, and its fields. The types of the parser describe 1,200 kinds for
 * all dialects. The translation reads the few kinds of the MySQL dialect by name, and rejects every other kind.
 */
export interface Node {
  readonly kind: string;
  readonly fields: Fields;
}

/** The fields of a node or a part, by their names in the parser's tree. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes nodes as DuckDB SQL. Every rewrite function receives the translator as `to`, so that the rewrite modules do
 * not import each other.
 */
export interface Translator {
  /** Writes a value. A condition becomes 1 or 0, as in MySQL. */
  value(node: Node): string;
  /** Writes a condition. A number is true if it is not zero. */
  condition(node: Node): string;
  /** Writes a query, such as SELECT, UNION or VALUES, without parentheses around it. */
  query(node: Node): string;
  /** Returns the type of the value, if the text of the query determines it. A column is `unknown`. */
  result(node: Node): Result;
}

/** The type of a value, if the text of the query determines the type. */
export type Result = 'text' | 'number' | 'date' | 'datetime' | 'time' | 'json' | 'unknown';

/** Writes a node of one kind for DuckDB. */
export type Rewrite = (node: Node, to: Translator) => string;

/** Converts a part of the parser's tree to a node. The part is an object whose only key is the kind of the node. */
export function toNode(tree: unknown): Node {
  const [entry] = Object.entries(tree as Record<string, unknown>);
  if (entry === undefined) throw new UntranslatableSqlError('An empty part of the query cannot be translated.');
  const [kind, fields] = entry;
  return { kind, fields: (typeof fields === 'object' && fields !== null ? fields : { this: fields }) as Fields };
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
  const trees = node.fields[field];
  return Array.isArray(trees) ? trees.map(toNode) : [];
}

/** Returns the parts in a field that are not nodes, such as joins, sort keys and common table expressions. */
export function parts(fields: Fields, field: string): readonly Fields[] {
  const found = fields[field];
  return Array.isArray(found) ? (found as Fields[]) : [];
}

/** Returns the part in a field that is not a node, or undefined if the field is empty. */
export function part(fields: Fields, field: string): Fields | undefined {
  const found = fields[field];
  return found === null || found === undefined ? undefined : (found as Fields);
}

/** Writes an identifier of the parser for DuckDB. It is always quoted, so that DuckDB does not read a name as a keyword. */
export function quoteIdentifier(name: unknown): string {
  return `"${nameOf(name).replaceAll('"', '""')}"`;
}

/**
 * Returns the name of an identifier of the parser. Throws an `UntranslatableSqlError` if the identifier has no name.
 */
export function nameOf(name: unknown): string {
  const found = (name as { name?: unknown } | null | undefined)?.name;
  if (typeof found !== 'string') throw new UntranslatableSqlError('A name is missing in the query.');
  return found;
}

/**
 * Rejects a node that has other fields than `known`. Without this check, the translation would silently drop fields
 * that it does not read.
 */
export function requireOnlyFields(kind: string, fields: Fields, known: readonly string[]): void {
  for (const field in fields) {
    const value = fields[field];
    if (value === null || value === undefined || value === false) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    if (known.includes(field) || FIELDS_WITHOUT_MEANING.has(field)) continue;
    reject(`${formatKind(field)} in ${formatKind(kind)}`);
  }
}

/** A part of a query has no equivalent in DuckDB. `construct` is a noun, such as `WITH ROLLUP`. */
export class UntranslatableConstructError extends UntranslatableSqlError {
  constructor(
    readonly construct: string,
    readonly hint: string,
  ) {
    super(`${construct} cannot be translated for the embedded database.${hint === '' ? '' : ` ${hint}`}`);
  }
}

/** Throws the error for a construct that has no equivalent in DuckDB. */
export function reject(construct: string, hint = ''): never {
  throw new UntranslatableConstructError(construct, hint);
}

/** Writes a text literal for DuckDB. */
export function quoteText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Formats a kind or a field for a message: `group_by` becomes `GROUP BY`. */
export function formatKind(kind: string): string {
  return kind.replaceAll('_', ' ').toUpperCase();
}

/** Fields that describe only how the query is written, not what it means. */
const FIELDS_WITHOUT_MEANING = new Set([
  'span',
  'inferred_type',
  'comments',
  'leading_comments',
  'trailing_comments',
  'left_comments',
  'operator_comments',
  'post_select_comments',
  'pre_alias_comments',
  'original_name',
  'name',
  'quoted',
  'no_parens',
  'use_inner_keyword',
  'use_outer_keyword',
  'explicit_asc',
  'alias_explicit_as',
  'alias_keyword',
  'alias_first',
  'nesting_group',
  'kind_text',
  'start_side_text',
  'end_side_text',
  'sql_standard_syntax',
  'position_explicit',
  'from_for_syntax',
  'arrow_syntax',
  'hint',
  'modifiers_inside',
  'bracket_syntax',
  'use_bracket_syntax',
  'is_count',
  'in_expression',
  'implicit',
]);
