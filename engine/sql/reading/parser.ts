import './parser-compilation.js';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Sdk from '@polyglot-sql/sdk';
import * as manual from '@polyglot-sql/sdk/manual';

// The types of this entry point import a file without its ending, so its functions have no types.

type Manual = typeof Sdk & { init(options: { wasmUrl: Uint8Array }): Promise<void> };

/**
 * The parser of SQL. Import it only from this file. The main entry of the package streams its 22 MB of WebAssembly through `fetch`: that
 * keeps more copies in memory until a garbage collection, and replaces the global `fetch`. Here one copy is read from the file; `init`
 * passes all values except URLs to `WebAssembly.instantiate`.
 */
const { init } = manual as unknown as Manual;
export const { Dialect, generate, tokenize, validate } = manual as unknown as Manual;
const { parse: parseText } = manual as unknown as Manual;

/** Parses a text, with the aliases of comparisons of rows where MySQL reads them. */
export const parse: Manual['parse'] = (sql, dialect) => {
  const parsed = parseText(sql, dialect);
  if (parsed.success && ROW_ALIAS.test(sql)) correctRowAliases(parsed.ast);
  return parsed;
};

/** Few texts have an alias after parentheses, so that most trees are not searched. */
const ROW_ALIAS = /\)\s*as\b/i;

await init({ wasmUrl: readFileSync(createRequire(import.meta.url).resolve('@polyglot-sql/sdk/polyglot_sql.wasm')) });

type Tree = Record<string, unknown>;

/**
 * Corrects `(1, 2) = (1, 2) AS a`, which the parser reads as `(1, 2) = ((1, 2) AS a)`, in all select lists of a new tree. The tree is
 * changed in place.
 */
function correctRowAliases(tree: unknown): void {
  if (typeof tree !== 'object' || tree === null) return;
  for (const [key, part] of Object.entries(tree)) {
    correctRowAliases(part);
    const list = key === 'select' && isTree(part) ? part.expressions : undefined;
    if (Array.isArray(list)) for (const item of list) if (isTree(item)) moveAliasOut(item);
  }
}

/** Moves the alias of the last row of an expression around the expression. */
function moveAliasOut(item: Tree): void {
  const [[kind, fields] = ['', undefined]] = Object.entries(item);
  if (kind === 'alias' || !isTree(fields)) return;
  const alias = takeAlias(fields);
  if (alias === undefined) return;
  delete item[kind];
  item.alias = { ...alias, this: { [kind]: fields } };
}

/** Replaces `row AS a` at the end of an expression by the row, and returns the alias. */
function takeAlias(fields: Tree): Tree | undefined {
  for (const place of LAST_OPERANDS) {
    const operand = fields[place];
    if (!isTree(operand)) continue;
    const [[kind, inside] = ['', undefined]] = Object.entries(operand);
    if (!isTree(inside)) return undefined;
    if (kind !== 'alias') return OPERATORS.has(kind) ? takeAlias(inside) : undefined;
    fields[place] = inside.this;
    return inside;
  }
  return undefined;
}

/** The fields of the last operand: of operators with two sides, of BETWEEN, and of NOT and CASE. */
const LAST_OPERANDS = ['right', 'high', 'this'];
const OPERATORS = new Set('eq neq lt lte gt gte null_safe_eq and or xor not between'.split(' '));

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
