import { type Node, nameOf } from '../duckdb/tree/tree.js';
import { refuse } from './rejection.js';
import type { Column, From, JoinedColumn, Scope, Source } from './scope.js';
import type { TextGrowth } from './text-growth.js';

/** A written FROM, and what it gives. */
export interface WrittenFrom {
  readonly text: string;
  readonly from: From;
}

/** A query without parentheses around it, and its columns. */
export interface WrittenSelect {
  readonly text: string;
  readonly columns: readonly Column[];
}

/**
 * Writes a checked query from its parts, so that the written text has only checked parts. Each part gets the writer, so that
 * the parts need not import each other.
 */
export interface Writer {
  /** The names that an expression may use here. */
  readonly scope: Scope;
  readonly growth: TextGrowth;
  /** A value, in parentheses where something else could bind tighter. */
  value(node: Node): string;
  /** An expression of a clause: a value whose size is checked. */
  clause(node: Node): string;
  /** A query within an expression, which knows the tables around it. */
  query(node: Node): WrittenSelect;
  /** A query in FROM or in WITH: it knows no table around it, as on MariaDB. */
  alone(node: Node): WrittenSelect;
  /** For expressions that may use other names. */
  within(scope: Scope): Writer;
  /** A table of FROM, which may be one that a WITH names. Both names are the parser's. */
  table(name: unknown, alias: unknown): WrittenFrom;
  /** A derived table. */
  derived(query: WrittenSelect, alias: unknown): WrittenFrom;
  /** What stands for a bound value. */
  marker(name: string): string;
}

/** The name of a column of a SELECT, no longer than every database takes; `alias` is the parser's. */
export function outputName(alias: unknown): string {
  return nameOf(alias).slice(0, MAX_NAME).trim();
}

const MAX_NAME = 64;

/**
 * A name in MySQL's quotes. Every object of JavaScript has some names already; the driver takes no columns that are called so.
 * MySQL's names are of the characters up to U+FFFF.
 */
export function quotedName(name: string): string {
  if (name === '') refuse('a name without a character is not allowed');
  if (BEYOND_NAMES.test(name)) refuse(`the name ${name} has a character beyond U+FFFF, such as an emoji`, name);
  if (name in Object.prototype) refuse(`the name ${name} is not allowed`, name);
  return `\`${name.replaceAll('`', '``')}\``;
}

/** A column by its name alone where a join merges it, else with its table. */
export function writtenColumn({ name, source }: Pick<JoinedColumn, 'name'> & { source?: Source | undefined }): string {
  return source === undefined ? quotedName(name) : `${quotedName(source.written)}.${quotedName(name)}`;
}

const BEYOND_NAMES = /[\u{10000}-\u{10ffff}]/u;

/** A text in MySQL's quotes, where a backslash escapes. */
export function quotedText(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
