type Tree = Readonly<Record<string, unknown>>;

/** The names of the WITH queries that are visible at a place. */
type Scope = ReadonlySet<string>;

/**
 * Finds the tables that a parsed query reads, in lower case: in FROM, joins, subqueries, WITH and set operations. The name of a
 * WITH query counts as a table only where that query is not visible. A table of another schema keeps its schema
 * (`other.loaves`), and a function in FROM has parentheses (`read_csv()`).
 *
 * The set can contain too many names, but it is never too small: databases compare names of WITH queries differently, so
 * only a name with the same letters hides a table.
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
  if (!isTree(node)) return;
  const inner = isTree(node.with) ? visitWith(node.with, scope, tables) : scope;
  for (const key in node) {
    const part = node[key];
    if (typeof part !== 'object' || part === null || IGNORED_KEYS.has(key) || key === 'with') continue;
    if (key === 'table') addTable(part as Tree, inner, tables);
    if (key === 'from') addFunctions((part as Tree).expressions, tables);
    if (key === 'joins') addFunctions(part, tables);
    visit(part, inner, tables);
  }
}

/** Keys of a node that contain no part of the query. */
const IGNORED_KEYS = new Set(['span', 'trailing_comments', 'left_comments', 'operator_comments', 'pre_alias_comments']);

/**
 * Visits the queries of a WITH and returns the scope of the statement after it. A query sees the queries before it, and
 * itself only in WITH RECURSIVE.
 */
function visitWith({ ctes, recursive }: Tree, scope: Scope, tables: Set<string>): Scope {
  const visible = new Set(scope);
  for (const cte of Array.isArray(ctes) ? (ctes as Tree[]) : []) {
    const name = nameOf(cte.alias);
    if (recursive === true && name !== undefined) visible.add(name);
    visit(cte.this, new Set(visible), tables);
    if (name !== undefined) visible.add(name);
  }
  return visible;
}

/** Adds a table. The parser uses the key `table` also for the qualifier of a column, which is a plain identifier. */
function addTable({ name: identifier, schema, catalog }: Tree, scope: Scope, tables: Set<string>): void {
  const name = nameOf(identifier);
  if (name === undefined) return;
  const qualifiers = [nameOf(catalog), nameOf(schema)].filter((part) => part !== undefined);
  if (qualifiers.length > 0) tables.add([...qualifiers, name].join('.').toLowerCase());
  else if (!scope.has(name)) tables.add(name.toLowerCase());
}

/** Adds the functions of a FROM or of joins, because a function such as `read_csv` reads data that are not in a table. */
function addFunctions(sources: unknown, tables: Set<string>): void {
  for (const source of Array.isArray(sources) ? sources : []) {
    const called = functionOf(source);
    if (called !== undefined) tables.add(`${called.toLowerCase()}()`);
  }
}

/** Returns the name of the function if the source is a call of a function, with or without an alias. */
function functionOf(source: unknown): string | undefined {
  if (!isTree(source)) return undefined;
  if (isTree(source.function)) return String(source.function.name);
  return functionOf(isTree(source.alias) ? source.alias.this : (source.paren ?? source.this));
}

function isTree(node: unknown): node is Tree {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

function nameOf(identifier: unknown): string | undefined {
  return isTree(identifier) && typeof identifier.name === 'string' ? identifier.name : undefined;
}
