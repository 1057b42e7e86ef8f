import { type Fields, IGNORED_FIELDS, isFields, listOf, nameIn } from './tree.js';

/** The names of the WITH queries that are visible at a position. */
type Scope = ReadonlySet<string>;

/**
 * Finds the tables that a parsed query reads, in lower case: in FROM, joins, subqueries, WITH and set operations. The name of a
 * WITH query counts as a table only where that query is not visible. A table of another schema keeps its schema
 * (`other.loaves`), and a function in FROM has parentheses (`read_csv()`).
 *
 * The set can contain too many names, but never too few. Databases compare names of WITH queries differently, so a WITH
 * query hides a table only if both names have exactly the same letters.
 */
export function findTables(statement: unknown): ReadonlySet<string> {
  const tables = new Set<string>();
  visit(statement, new Set(), tables);
  return tables;
}

function visit(node: unknown, scope: Scope, tables: Set<string>): void {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, scope, tables);
    return;
  }
  if (!isFields(node)) return;
  const inner = isFields(node.with) ? visitWith(node.with, scope, tables) : scope;
  for (const key in node) {
    const part = node[key];
    if (typeof part !== 'object' || part === null || IGNORED_FIELDS.has(key) || key === 'with') continue;
    if (key === 'table') addTable(part as Fields, inner, tables);
    if (key === 'from') addFunctions((part as Fields).expressions, tables);
    if (key === 'joins') addFunctions(part, tables);
    visit(part, inner, tables);
  }
}

/**
 * Visits the queries of a WITH and returns the scope of the statement after it. A query sees the previous queries, and
 * itself only in WITH RECURSIVE.
 */
function visitWith({ ctes, recursive }: Fields, scope: Scope, tables: Set<string>): Scope {
  const visible = new Set(scope);
  for (const cte of listOf(ctes) as readonly Fields[]) {
    const name = nameIn(cte.alias);
    if (recursive === true && name !== undefined) visible.add(name);
    visit(cte.this, new Set(visible), tables);
    if (name !== undefined) visible.add(name);
  }
  return visible;
}

/** Adds a table. The parser uses the key `table` also for the qualifier of a column, which is a plain identifier. */
function addTable({ name: identifier, schema, catalog }: Fields, scope: Scope, tables: Set<string>): void {
  const name = nameIn(identifier);
  if (name === undefined) return;
  const qualifiers = [nameIn(catalog), nameIn(schema)].filter((part) => part !== undefined);
  if (qualifiers.length === 0 && isDual(identifier)) return;
  if (qualifiers.length > 0) tables.add([...qualifiers, name].join('.').toLowerCase());
  else if (!scope.has(name)) tables.add(name.toLowerCase());
}

/** Returns true for the keyword `DUAL`, the source of a SELECT that reads no table. */
export function isDual(identifier: unknown): boolean {
  return isFields(identifier) && identifier.quoted === false && nameIn(identifier)?.toLowerCase() === 'dual';
}

/** Adds the functions of a FROM or of joins, because a function such as `read_csv` reads data that are not in a table. */
function addFunctions(sources: unknown, tables: Set<string>): void {
  for (const source of listOf(sources)) {
    const called = functionOf(source);
    if (called !== undefined) tables.add(`${called.toLowerCase()}()`);
  }
}

/** Returns the name of the function if the source is a call of a function, with or without an alias. */
function functionOf(source: unknown): string | undefined {
  if (!isFields(source)) return undefined;
  if (isFields(source.function)) return String(source.function.name);
  return functionOf(isFields(source.alias) ? source.alias.this : (source.paren ?? source.this));
}
