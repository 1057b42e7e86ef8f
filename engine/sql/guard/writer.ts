import { type Node, nameOf } from '../reading/tree.js';
import { reject } from './rejection.js';
import type { Column, From, JoinedColumn, Scope, Source } from './scope.js';
import type { TextGrowth } from './text-growth.js';

/** The text of a FROM clause, and its tables and columns. */
export interface WrittenFrom {
  readonly text: string;
  readonly from: From;
}

/** The text of a query without enclosing parentheses, and its columns. */
export interface WrittenSelect {
  readonly text: string;
  readonly columns: readonly Column[];
}

/**
 * Writes a query that contains only checked parts. Every function that writes a part receives the writer as a
 * parameter, so that the modules of these functions do not import each other.
 */
export interface Writer {
  /** The names that an expression may use here. */
  readonly scope: Scope;
  readonly growth: TextGrowth;
  /** Writes a value, with parentheses where an adjacent operator could bind tighter. */
  value(node: Node): string;
  /** Writes the expression of a clause, and checks the maximum length of its text. */
  clause(node: Node): string;
  /** Writes a subquery of an expression. It can use the tables of enclosing queries. */
  query(node: Node): WrittenSelect;
  /** Writes a query in FROM or in WITH. As on MariaDB, it cannot use the tables of enclosing queries. */
  isolatedQuery(node: Node): WrittenSelect;
  /** Returns a writer for expressions that use the names of another scope. */
  withScope(scope: Scope): Writer;
  /** Writes a table in FROM, which can be a table of WITH. Both names are nodes of the syntax tree. */
  table(name: unknown, alias: unknown): WrittenFrom;
  /** Writes a derived table. */
  derived(query: WrittenSelect, alias: unknown): WrittenFrom;
  /** Writes the placeholder of a bound value. */
  marker(name: string): string;
}

/** Returns the name of an output column, truncated to the length that every database accepts. `alias` is a node of the syntax tree. */
export function outputName(alias: unknown): string {
  return nameOf(alias).slice(0, MAX_NAME_LENGTH).trim();
}

const MAX_NAME_LENGTH = 64;

/**
 * Quotes a name for MySQL. Rejects names of properties that every JavaScript object has, such as `constructor`, because
 * the driver does not accept columns with these names. Rejects characters beyond U+FFFF, which MySQL does not allow in
 * names.
 */
export function quoteName(name: string): string {
  if (name === '') reject('an empty name is not allowed');
  if (BEYOND_NAMES.test(name)) reject(`the name ${name} contains a character beyond U+FFFF, such as an emoji`, name);
  if (name in Object.prototype) reject(`the name ${name} is not allowed`, name);
  return `\`${name.replaceAll('`', '``')}\``;
}

/** Writes a column with its table, or without a table if a join merges the column. */
export function writeColumn({ name, source }: Pick<JoinedColumn, 'name'> & { source?: Source | undefined }): string {
  return source === undefined ? quoteName(name) : `${quoteName(source.writtenName)}.${quoteName(name)}`;
}

const BEYOND_NAMES = /[\u{10000}-\u{10ffff}]/u;

/** Quotes a text for MySQL, where a backslash is an escape character. */
export function quoteText(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
