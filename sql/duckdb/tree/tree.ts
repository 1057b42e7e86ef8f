import { UntranslatableSqlError } from '../../untranslatable-sql-error.js';

/**
 * A node of the parser's tree: its kind, such as `column` or `sum`, and its fields. The parser's own types describe
 * 1,200 kinds for all dialects; the few that the MySQL dialect uses are read by name here, and every other is refused.
 */
export interface Node {
  readonly kind: string;
  readonly fields: Fields;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Turns nodes into DuckDB's text. Handed to every rewrite, so that the rewrites need not know each other. */
export interface Translator {
  /** As a value: what is true or false in MySQL is 1 or 0. */
  value(node: Node): string;
  /** As a condition: a number is true when it is not zero. */
  condition(node: Node): string;
  /** As a query: SELECT, UNION, VALUES, … without parentheses around it. */
  query(node: Node): string;
  /** What the node's value is, as far as the text of the query tells; a column is `unknown`. */
  result(node: Node): Result;
}

export type Result = 'text' | 'number' | 'date' | 'datetime' | 'time' | 'json' | 'unknown';

export type Rewrite = (node: Node, to: Translator) => string;

export function toNode(tree: unknown): Node {
  const [entry] = Object.entries(tree as Record<string, unknown>);
  if (entry === undefined) throw new UntranslatableSqlError('An empty part of the query cannot be translated.');
  const [kind, fields] = entry;
  return { kind, fields: (typeof fields === 'object' && fields !== null ? fields : { this: fields }) as Fields };
}

export function child(node: Node, field: string): Node {
  const found = optionalChild(node, field);
  if (found === undefined) throw new UntranslatableSqlError(`${formatKind(node.kind)} lacks its ${formatKind(field)}.`);
  return found;
}

export function optionalChild(node: Node, field: string): Node | undefined {
  const tree = node.fields[field];
  return tree === null || tree === undefined ? undefined : toNode(tree);
}

export function children(node: Node, field: string): readonly Node[] {
  const trees = node.fields[field];
  return Array.isArray(trees) ? trees.map(toNode) : [];
}

/** Parts that are not expressions: joins, orderings, common table expressions, … */
export function parts(fields: Fields, field: string): readonly Fields[] {
  const found = fields[field];
  return Array.isArray(found) ? (found as Fields[]) : [];
}

export function part(fields: Fields, field: string): Fields | undefined {
  const found = fields[field];
  return found === null || found === undefined ? undefined : (found as Fields);
}

/** A parser's identifier as DuckDB's, always quoted, so that no name is taken for a keyword. */
export function quoteIdentifier(name: unknown): string {
  return `"${nameOf(name).replaceAll('"', '""')}"`;
}

export function nameOf(name: unknown): string {
  const found = (name as { name?: unknown } | null | undefined)?.name;
  if (typeof found !== 'string') throw new UntranslatableSqlError('A name is missing in the query.');
  return found;
}

/** Refuses a node that carries anything besides `known`: what is not looked at would be lost without a word. */
export function requireOnlyFields(kind: string, fields: Fields, known: readonly string[]): void {
  for (const field in fields) {
    const value = fields[field];
    if (value === null || value === undefined || value === false) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    if (known.includes(field) || FIELDS_WITHOUT_MEANING.has(field)) continue;
    reject(`${formatKind(field)} in ${formatKind(kind)}`);
  }
}

/** Names what of a query has no equal; `construct` is a noun, such as `WITH ROLLUP`. */
export class UntranslatableConstructError extends UntranslatableSqlError {
  constructor(
    readonly construct: string,
    readonly hint: string,
  ) {
    super(`${construct} cannot be translated for the embedded database.${hint === '' ? '' : ` ${hint}`}`);
  }
}

/** Throws the error that names what cannot be said. */
export function reject(construct: string, hint = ''): never {
  throw new UntranslatableConstructError(construct, hint);
}

export function quoteText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** `group_by` → `GROUP BY`, for messages. */
export function formatKind(kind: string): string {
  return kind.replaceAll('_', ' ').toUpperCase();
}

/** What only says how the query was written, not what it means. */
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
  'quantifier',
  'implicit',
  'deferred_condition',
]);
