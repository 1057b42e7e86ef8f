import { children, isFields, type Node, nameOf } from '../reading/tree.js';
import type { Dependency } from './dependencies.js';
import type { ColumnFact } from './table-facts.js';
import { type ColumnUse, columnNameOf, qualifierOf } from './tree-search.js';

/** The facts about the rows of a table or of a query. */
export interface Relation {
  /** The columns by their names; undefined if they are unknown. */
  readonly columns: ReadonlyMap<string, ColumnFact> | undefined;
  /** The functional dependencies. Their ids are names of columns, or `#` for the whole row. */
  readonly dependencies: readonly Dependency[];
  /** Whether `dependencies` contains all keys. */
  readonly areKeysKnown: boolean;
  /** Whether its tables have keys, so that rows are probably equal in columns without a key. A view or a table of files has none. */
  readonly isKeyed: boolean;
}

/** A table or a derived table in FROM. */
export interface Source {
  /** The alias in lower case. */
  readonly alias: string;
  /** The identifier in FROM, with its place. */
  readonly identifier: unknown;
  /** The name of a table of the database, in lower case; undefined for a derived table or a WITH query. */
  readonly table: string | undefined;
  readonly relation: Relation;
  /** The query of a derived table or of a WITH query. */
  readonly query: Node | undefined;
  /** The kind of the JOIN that adds the source; `Implicit` for a comma, undefined for the first source. */
  readonly join: string | undefined;
  /** Whether a LEFT JOIN adds the source, so that its columns can be NULL. */
  readonly isOptional: boolean;
  readonly on: unknown;
  /** Names of columns in USING. */
  readonly using: readonly string[];
}

/** An item of a select list. */
export interface Output {
  /** The name in lower case; undefined for an expression without a name. */
  readonly name: string | undefined;
  readonly node: Node;
}

/** One SELECT and the names that its expressions can use. */
export interface SelectScope {
  readonly node: Node;
  readonly sources: readonly Source[];
  readonly outputs: readonly Output[];
  /** The enclosing SELECT of a subquery. */
  readonly outer: SelectScope | undefined;
  /** Whether the rows of the SELECT are rows of the answer. */
  readonly isOutermost: boolean;
  /** Whether the SELECT is in EXISTS, so that the values of its rows are not read. */
  readonly isExistence: boolean;
  /** False for joins that the analysis does not support: NATURAL and RIGHT JOIN. */
  readonly isUnderstood: boolean;
}

/** A column of a source. */
export interface ResolvedColumn {
  readonly source: Source;
  readonly name: string;
  /** The facts about the column; undefined if the columns of the source are unknown. */
  readonly fact: ColumnFact | undefined;
}

/**
 * Finds the source of a column in a SELECT. Returns undefined for a column of an outer SELECT, and if the known columns
 * do not determine the source.
 */
export function resolveColumn(scope: SelectScope, node: Node): ResolvedColumn | undefined {
  const name = columnNameOf(node);
  const qualifier = qualifierOf(node);
  const source = qualifier === undefined ? findOwner(scope, name) : findAlias(scope, qualifier);
  return source && { source, name, fact: source.relation.columns?.get(name) };
}

/** Resolves a column of an expression. A column inside a subquery must be qualified, because otherwise it can belong to the subquery. */
export function resolveUse(scope: SelectScope, { node, isNested }: ColumnUse): ResolvedColumn | undefined {
  return isNested && qualifierOf(node) === undefined ? undefined : resolveColumn(scope, node);
}

export function outputsOf(node: Node): Output[] {
  return children(node, 'expressions').map((expression) => {
    if (expression.kind === 'alias') {
      const [inner] = children({ kind: 'alias', fields: { this: [expression.fields.this] } }, 'this');
      return { name: nameOf(expression.fields.alias).toLowerCase(), node: inner ?? expression };
    }
    return { name: expression.kind === 'column' ? columnNameOf(expression) : undefined, node: expression };
  });
}

function findAlias({ sources }: SelectScope, alias: string): Source | undefined {
  return sources.find((source) => source.alias === alias);
}

function findOwner({ sources }: SelectScope, name: string): Source | undefined {
  const owner = sources.find(({ relation }) => relation.columns?.has(name) === true);
  if (owner !== undefined) return owner;
  const unknown = sources.filter(({ relation }) => relation.columns === undefined);
  return unknown.length === 1 ? unknown[0] : undefined;
}

/** Whether the select list has `*` or `t.*`. */
export function isWildcard(node: Node): boolean {
  return node.kind === 'star' && (isFields(node.fields.table) || node.fields.table === null);
}
