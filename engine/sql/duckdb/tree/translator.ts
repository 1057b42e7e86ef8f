import { type Fields, formatKind, type Node, nameOf } from '../../reading/tree.js';
import { UntranslatableSqlError } from '../../reading/untranslatable-sql-error.js';
import { quoteName, quoteText } from './quote.js';

/**
 * Writes nodes as DuckDB SQL. Every rewrite function receives the translator as `to`, so that the rewrite modules do
 * not import each other.
 */
export interface Translator {
  /** Writes a value. A condition becomes 1 or 0, as in MySQL. */
  value(node: Node): string;
  /** Writes a condition. A number is true if it is not zero. */
  condition(node: Node): string;
  /** Writes a query, such as SELECT, UNION or VALUES, without enclosing parentheses. */
  query(node: Node): string;
  /** Returns the type of the value, if the query text determines it. The type of a column is `unknown`. */
  result(node: Node): Result;
}

/** The type of a value; `unknown` if the query text does not determine it. */
export type Result = 'text' | 'number' | 'date' | 'datetime' | 'time' | 'json' | 'unknown';

/** Writes a node of one kind for DuckDB. */
export type Rewrite = (node: Node, to: Translator) => string;

/** Writes an identifier node for DuckDB. It is always quoted, so that DuckDB does not read a name as a keyword. */
export function quoteIdentifier(name: unknown): string {
  const text = nameOf(name);
  if (text === '') reject('An empty name');
  return quoteName(text);
}

/**
 * Rejects a node with fields that are not in `known`. Without this check, the translation would silently drop these
 * fields.
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

/** Thrown if a part of a query has no equivalent in DuckDB. `construct` is a noun, such as `WITH ROLLUP`. */
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

/** Writes a text literal for DuckDB. NUL is rejected, because DuckDB's parser stops at it. */
export function textLiteral(value: string): string {
  if (value.includes('\0')) reject('A text with the character NUL');
  return quoteText(value);
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
