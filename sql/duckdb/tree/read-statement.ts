import { NOT_CODE } from '../../reading/lexemes.js';
import { Dialect, parse } from '../../reading/parser.js';
import { prepareForParser } from './parser-text.js';
import { reject } from './tree.js';

/** A part of the parser's tree, or a value in it. */
type Tree = Readonly<Record<string, unknown>>;

/** What the parser read: the trees of its statements, or the reason why it cannot read the text. */
export type Reading = { readonly statements: readonly unknown[] } | { readonly error: string };

/**
 * Parses a text, and corrects what the parser reads differently from MySQL: a WITH before a SELECT in parentheses, which the parser
 * drops, and the alias of a comparison of rows. Marks each SELECT in an expression with `in_expression`. Throws an
 * `UntranslatableSqlError` if a WITH is lost that it cannot restore.
 */
export function readStatements(sql: string): Reading {
  const text = prepareForParser(sql);
  const { success, ast, error } = parse(text, Dialect.MySQL);
  if (!success) return { error: error ?? 'unknown reason' };
  const statements = ((ast as unknown[] | undefined) ?? []).map((tree) => restoreWith(correct(tree, false), text));
  return { statements };
}

/** Parts of a SELECT whose queries cannot use columns of this SELECT. */
const ISOLATED = new Set(['from', 'joins', 'with']);

const COMPARISONS = new Set(['eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'null_safe_eq']);

function correct(tree: unknown, inExpression: boolean): unknown {
  if (Array.isArray(tree)) return tree.map((item) => correct(item, inExpression));
  if (typeof tree !== 'object' || tree === null) return tree;
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) => {
      if (key === 'select') return [[key, correctSelect(value as Tree, inExpression)]];
      const corrected = correct(value, inExpression);
      return COMPARISONS.has(key) ? moveAliasOut(key, corrected as Tree) : [[key, corrected]];
    }),
  );
}

function correctSelect(fields: Tree, inExpression: boolean): Tree {
  const corrected = Object.entries(fields).map(([field, value]) => [field, correct(value, !ISOLATED.has(field))]);
  return { ...Object.fromEntries(corrected), ...(inExpression && { in_expression: true }) };
}

/** Corrects `(1, 2) = (1, 2) AS a`, which the parser reads as `(1, 2) = ((1, 2) AS a)`. */
function moveAliasOut(kind: string, fields: Tree): [string, unknown][] {
  const { alias } = (fields.right ?? {}) as { alias?: Tree };
  if (alias === undefined) return [[kind, fields]];
  return [['alias', { ...alias, this: { [kind]: { ...fields, right: alias.this } } }]];
}

/** The parser drops the WITH of `WITH … (SELECT …) LIMIT 1`. Reads this WITH again and adds it to the tree. */
function restoreWith(tree: unknown, text: string): unknown {
  const written = countWords(text);
  const lost = written - countWith(tree);
  if (lost === 0) return tree;
  const restored = lost > 0 ? addWith(tree, text) : undefined;
  if (restored !== undefined && countWith(restored) === written) return restored;
  return reject('WITH before a SELECT in parentheses', 'Remove the parentheses.');
}

function addWith(tree: unknown, text: string): unknown {
  const [[kind, fields] = ['', undefined]] = Object.entries(tree as Tree);
  const end = endOfWith(text);
  if (kind !== 'subquery' || end === undefined) return undefined;
  const { success, ast } = parse(`${text.slice(0, end)} SELECT 1`, Dialect.MySQL);
  const [first] = (success ? (ast as unknown[]) : []) as { select?: Tree }[];
  const clauses = first?.select?.with;
  return clauses === undefined ? undefined : { [kind]: { ...(fields as Tree), with: correct(clauses, false) } };
}

/** Returns the offset after the list of a WITH at the start of the text. A SELECT in parentheses follows the list. */
function endOfWith(text: string): number | undefined {
  const masked = withoutQuotes(text);
  if (!/^\s*with\b/i.test(masked)) return undefined;
  let depth = 0;
  for (const { 0: sign, index } of masked.matchAll(/[()]/g)) {
    depth += sign === '(' ? 1 : -1;
    if (depth === 0 && /^\)\s*\(/.test(masked.slice(index))) return index + 1;
  }
  return undefined;
}

function countWords(text: string): number {
  return [...withoutQuotes(text).matchAll(/\bwith\b(?!\s+rollup\b)/gi)].length;
}

function withoutQuotes(text: string): string {
  return text.replace(new RegExp(NOT_CODE, 'gs'), (part) => 'x'.repeat(part.length));
}

function countWith(tree: unknown): number {
  if (Array.isArray(tree)) return tree.reduce<number>((sum, item) => sum + countWith(item), 0);
  if (typeof tree !== 'object' || tree === null) return 0;
  return Object.entries(tree).reduce(
    (sum, [field, value]) =>
      sum + countWith(value) + (field === 'with' && value !== null && value !== undefined ? 1 : 0),
    0,
  );
}
