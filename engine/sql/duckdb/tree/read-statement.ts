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
 * drops, and ROW. Marks each SELECT in an expression with `in_expression`. Throws an
 * `UntranslatableSqlError` if a WITH is lost that it cannot restore.
 */
export function readStatements(sql: string): Reading {
  const text = prepareForParser(sql);
  const { success, ast, error } = parse(text, Dialect.MySQL);
  if (!success) return { error: error ?? 'unknown reason' };
  const trees = (ast as unknown[] | undefined) ?? [];
  return { statements: trees.map((tree) => restoreWith(tree, correct(tree, false), text)) };
}

/** Parts of a SELECT whose queries cannot use columns of this SELECT. */
const ISOLATED = new Set(['from', 'joins', 'with']);

/** Corrects a new tree in place, because every start reads all definitions. Returns how many WITH the tree has. */
function correct(tree: unknown, inExpression: boolean): number {
  if (typeof tree !== 'object' || tree === null) return 0;
  const parts = tree as Record<string, unknown>;
  let clauses = 0;
  for (const key of Object.keys(parts)) {
    const part = parts[key];
    if (typeof part !== 'object' || part === null) continue;
    if (key === 'with') clauses++;
    clauses +=
      key === 'select' ? correctSelect(part as Record<string, unknown>, inExpression) : correct(part, inExpression);
    if (key === 'function') writeRowAsTuple(parts);
  }
  return clauses;
}

function correctSelect(select: Record<string, unknown>, inExpression: boolean): number {
  let clauses = 0;
  for (const [field, value] of Object.entries(select)) {
    if (field === 'with' && value !== null) clauses++;
    clauses += correct(value, !ISOLATED.has(field));
  }
  if (inExpression) select.in_expression = true;
  return clauses;
}

/** Changes `ROW(1, 2)`, which the parser reads as a call, to `(1, 2)`. */
function writeRowAsTuple(parts: Record<string, unknown>): void {
  const { name, args } = parts.function as Tree;
  if (String(name).toUpperCase() !== 'ROW' || !Array.isArray(args) || args.length < 2) return;
  delete parts.function;
  parts.tuple = { expressions: args };
}

/** The parser drops the WITH of `WITH … (SELECT …) LIMIT 1`. Reads this WITH again and adds it to the tree. */
function restoreWith(tree: unknown, found: number, text: string): unknown {
  const written = countWords(text);
  if (found === written) return tree;
  const [[kind, fields] = ['', undefined]] = Object.entries(tree as Tree);
  const clauses = found < written && kind === 'subquery' ? readWith(text) : undefined;
  if (clauses !== undefined && found + 1 + correct(clauses, false) === written)
    return { [kind]: { ...(fields as Tree), with: clauses } };
  return reject('WITH before a SELECT in parentheses', 'Remove the parentheses.');
}

/** Returns the tree of a WITH at the start of the text, if a SELECT in parentheses follows its list. */
function readWith(text: string): unknown {
  const end = endOfWith(text);
  if (end === undefined) return undefined;
  const { success, ast } = parse(`${text.slice(0, end)} SELECT 1`, Dialect.MySQL);
  const [first] = (success ? (ast as unknown[]) : []) as { select?: Tree }[];
  return first?.select?.with;
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

const QUOTED = new RegExp(NOT_CODE, 'gs');

function withoutQuotes(text: string): string {
  return text.replace(QUOTED, (part) => 'x'.repeat(part.length));
}
