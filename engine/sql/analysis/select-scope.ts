import { children, isFields, type Node, nameOf } from '../reading/tree.js';
import type { Dependency } from './dependencies.js';
import type { ColumnFact } from './table-facts.js';
import { type ColumnUse, columnNameOf, qualifierOf } from './tree-search.js';

/** The rows of a table or of a query. */
export interface Relation {
  /** Undefined if the columns are unknown. */
  readonly columns: ReadonlyMap<string, ColumnFact> | undefined;
  /** Names of columns, and `#` for the whole row. */
  readonly dependencies: readonly Dependency[];
  /** Whether `dependencies` contains all keys. */
  readonly areKeysKnown: boolean;
}

/** A table or a query in FROM. */
export interface Source {
  /** In lower case. */
  readonly alias: string;
  /** The name of a table of the database, in lower case; undefined for a query. */
  readonly table: string | undefined;
  readonly relation: Relation;
  /** Whether a LEFT JOIN adds the source, so that its columns can be NULL. */
  readonly isOptional: boolean;
  readonly on: unknown;
  /** Names of columns in USING. */
  readonly using: readonly string[];
}

/** An item of a select list. */
export interface Output {
  /** In lower case; undefined for an expression without a name. */
  readonly name: string | undefined;
  readonly node: Node;
}

/** One SELECT and the names that its expressions can use. */
export interface SelectScope {
  readonly node: Node;
  readonly sources: readonly Source[];
  readonly outputs: readonly Output[];
  /** The SELECT around a subquery. */
  readonly outer: SelectScope | undefined;
  /** Whether the rows of the SELECT are rows of the answer. */
  readonly isOutermost: boolean;
  /** Whether EXISTS contains the SELECT, which reads no values of the rows. */
  readonly isExistence: boolean;
  /** False for a join whose columns or rows the analysis does not know: NATURAL and RIGHT JOIN. */
  readonly isUnderstood: boolean;
}

/** A column of a source. */
export interface ResolvedColumn {
  readonly source: Source;
  readonly name: string;
  /** Undefined if the columns of the source are unknown. */
  readonly fact: ColumnFact | undefined;
}

/**
 * Finds the source of a column in a SELECT. Returns undefined for a column of a SELECT around it, and for a name that
 * the known columns do not explain.
 */
export function resolveColumn(scope: SelectScope, node: Node): ResolvedColumn | undefined {
  const name = columnNameOf(node);
  const qualifier = qualifierOf(node);
  const source = qualifier === undefined ? findOwner(scope, name) : findAlias(scope, qualifier);
  return source && { source, name, fact: source.relation.columns?.get(name) };
}

/** Resolves a column of an expression. A column inside a query counts only if it names a source of this SELECT. */
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
