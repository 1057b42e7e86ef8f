import { type Node, nameOf } from '../../databases/duckdb/translate/tree.js';
import { refuse } from './refusal.js';

/**
 * Writes a checked query anew, part by part: what is run holds nothing but what was looked at. Handed to every part, so
 * that the parts need not know each other.
 */
export interface Writer {
  /** A value, in parentheses where something else could bind tighter. */
  value(node: Node): string;
  /** A query, without parentheses around it. */
  query(node: Node): string;
  /** A query in FROM or in WITH: it knows no table around it, as on MariaDB. */
  alone(node: Node): string;
  /** For one SELECT: what its tables are called is known in it and in the queries within it. */
  select(): Writer;
  /** What stands in FROM for a table, which may be one that a WITH names. */
  table(name: string): string;
  /** What a table of this SELECT is called in the written text. */
  alias(name: string): string;
  /** What the table is called whose name stands before a column. */
  qualifier(name: string): string;
  /** What stands for a bound value. */
  marker(name: string): string;
}

/** The tables of WITH that a query may name, in small letters, and what they are called in the written text. */
export type NamedTables = ReadonlyMap<string, string>;

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

const BEYOND_NAMES = /[\u{10000}-\u{10ffff}]/u;

/** A text in MySQL's quotes, where a backslash escapes. */
export function quotedText(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
