import { isAggregate } from '../duckdb/functions/aggregates.js';
import { comparisonKey, hasAggregates } from '../duckdb/grouping.js';
import { integerValue } from '../duckdb/tree/literals.js';
import { children, type Fields, isFields, isQuery, type Node, part, parts, toNode } from '../reading/tree.js';
import { Dependencies, type Determined, rowId } from './dependencies.js';
import { resolveColumn, resolveUse, type SelectScope, type Source } from './select-scope.js';
import { columnsIn, conjunctsOf, withoutKeywords, withoutParentheses } from './tree-search.js';

/** The id of the group in a grouped SELECT. The group keys determine it, and it determines the aggregates. */
export const GROUP = '@group';

/** Whether a SELECT has one row per group. With aggregates but without GROUP BY, all rows are one group. */
export function isGrouped({ node }: SelectScope): boolean {
  return part(node.fields, 'group_by') !== undefined || hasAggregates(node);
}

/** Returns the expressions of GROUP BY. Expressions of the select list replace positions and aliases. */
export function groupKeysOf(scope: SelectScope): Node[] {
  const group = part(scope.node.fields, 'group_by') ?? {};
  return children({ kind: 'group by', fields: group }, 'expressions').map((key) => {
    const position = integerValue(key);
    if (position !== undefined) return scope.outputs[position - 1]?.node ?? key;
    // In GROUP BY, a column of FROM takes precedence over an alias, if the columns are known.
    if (key.kind === 'column' && resolveColumn(scope, key)?.fact !== undefined) return key;
    return outputNamed(scope, key) ?? key;
  });
}

/** Returns the expressions of ORDER BY, with the same replacements as in `groupKeysOf`. An alias takes precedence over a column. */
export function orderKeysOf(scope: SelectScope, order: Fields | undefined): Node[] {
  return parts(order ?? {}, 'expressions').map(({ this: tree }) => {
    const key = withoutParentheses(toNode(tree));
    const position = integerValue(key);
    if (position !== undefined) return scope.outputs[position - 1]?.node ?? key;
    return outputNamed(scope, key) ?? key;
  });
}

/** Returns the expression of the select list to which an unqualified name refers. */
export function outputNamed({ outputs }: SelectScope, key: Node): Node | undefined {
  if (key.kind !== 'column' || isFields(key.fields.table)) return undefined;
  const name = (key.fields.name as { name: string }).name.toLowerCase();
  return outputs.find((output) => output.name === name)?.node;
}

/** Returns the id of an expression; undefined for a constant, a parameter, and a column of an outer SELECT. */
export function idOf(scope: SelectScope, node: Node): string | undefined {
  const inner = withoutParentheses(node);
  if (inner.kind === 'column') {
    const column = resolveColumn(scope, inner);
    return column && `${column.source.alias}.${column.name}`;
  }
  return ['literal', 'parameter', 'null', 'boolean'].includes(inner.kind) ? undefined : `@${comparisonKey(inner)}`;
}

export function idsOf(scope: SelectScope, nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => idOf(scope, node) ?? []);
}

/**
 * Returns the ids of expressions whose values distinguish rows. COALESCE of a column and a constant counts as the
 * column, because at most the rows with NULL and with the constant have equal values.
 */
export function keyIdsOf(scope: SelectScope, nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => [...idsOf(scope, [node]), ...idsOf(scope, replaceableColumn(node))]);
}

function replaceableColumn(node: Node): Node[] {
  const inner = withoutParentheses(node);
  const [first, ...others] = inner.kind === 'coalesce' ? children(inner, 'expressions') : [];
  return first?.kind === 'column' && others.every((other) => other.kind === 'literal') ? [first] : [];
}

/** Returns the ids that identify a row of the SELECT. */
export function rowIdsOf(scope: SelectScope): string[] {
  return isGrouped(scope) ? [GROUP] : scope.sources.map(({ alias }) => rowId(alias));
}

/** Returns the dependencies between the columns of a SELECT: keys of its tables, equalities, groups and row numbers. */
export function dependenciesOf(scope: SelectScope): Dependencies {
  return findDependencies(scope, scope.sources);
}

/**
 * Returns the dependencies between the columns, only for rows with a match in every LEFT JOIN. A source whose rows WHERE removes, as in
 * `LEFT JOIN b … WHERE b.id IS NULL`, has one row.
 */
export function dependenciesOfMatches(scope: SelectScope): Dependencies {
  const dependencies = findDependencies(
    scope,
    scope.sources.map((source) => ({ ...source, isOptional: false })),
  );
  for (const { kind, fields } of conjunctsOf(part(scope.node.fields, 'where_clause')?.this)) {
    const tested = kind === 'is_null' && fields.not !== true ? toNode(fields.this) : undefined;
    const column = tested?.kind === 'column' ? resolveColumn(scope, tested) : undefined;
    if (column?.source.isOptional === true && column.fact?.isNullable !== true) {
      dependencies.add([], [rowId(column.source.alias)]);
    }
  }
  return dependencies;
}

function findDependencies(scope: SelectScope, sources: readonly Source[]): Dependencies {
  const dependencies = new Dependencies();
  for (const source of sources) addSource(scope, source, dependencies);
  for (const condition of conjunctsOf(part(scope.node.fields, 'where_clause')?.this)) {
    addEquality(scope, condition, dependencies);
  }
  if (isGrouped(scope)) dependencies.add(idsOf(scope, groupKeysOf(scope)), [GROUP]);
  for (const { node } of scope.outputs) addRowNumber(scope, node, dependencies);
  return dependencies;
}

/** Returns the columns and window functions in an expression whose values are not determined. */
export function findUndetermined(scope: SelectScope, node: Node, determined: Determined): Node[] {
  const id = idOf(scope, node);
  if (id !== undefined && determined.has(id)) return [];
  if (node.kind === 'column') return id === undefined ? [] : [node];
  if (isAggregate(node)) return determined.has(GROUP) ? [] : [node];
  // The value of a window function depends on other rows. The value is determined only together with the whole row of the SELECT.
  if (node.kind === 'window_function') {
    return rowIdsOf(scope).every((row) => determined.has(row)) ? [] : [node];
  }
  return childrenOf(scope, withoutKeywords(node.kind, node.fields), determined);
}

function childrenOf(scope: SelectScope, tree: unknown, determined: Determined): Node[] {
  if (Array.isArray(tree)) return tree.flatMap((item) => childrenOf(scope, item, determined));
  if (!isFields(tree)) return [];
  return Object.entries(tree).flatMap(([kind, fields]) => {
    if (!isFields(fields)) return childrenOf(scope, fields, determined);
    if (isQuery(kind)) return findOuterColumns(scope, { [kind]: fields }, determined);
    const node = { kind, fields };
    const isExpression = kind === 'column' ? isFields(fields.name) : kind === 'window_function' || isAggregate(node);
    return isExpression ? findUndetermined(scope, node, determined) : findInside(scope, node, determined);
  });
}

/** Searches the parts of an expression, unless the whole expression is determined, for example as a key of GROUP BY. */
function findInside(scope: SelectScope, node: Node, determined: Determined): Node[] {
  if (determined.has(`@${comparisonKey(node)}`)) return [];
  return childrenOf(scope, withoutKeywords(node.kind, node.fields), determined);
}

/** Finds undetermined columns of this SELECT in a subquery. */
function findOuterColumns(scope: SelectScope, tree: unknown, determined: Determined): Node[] {
  return columnsIn(tree).flatMap(({ node }) => {
    const column = resolveUse(scope, { node, isNested: true });
    return column === undefined || determined.has(`${column.source.alias}.${column.name}`) ? [] : [node];
  });
}

function addSource(scope: SelectScope, source: Source, dependencies: Dependencies): void {
  const { alias, relation, isOptional, on, using } = source;
  const others = columnIdsIn(scope, on).filter((id) => !id.startsWith(`${alias}.`));
  const qualified = (names: readonly string[]) => names.map((name) => `${alias}.${name}`);
  for (const { from, to } of relation.dependencies) {
    // A source of one row depends on nothing. But if it is optional, the columns in ON determine whether its row matches.
    dependencies.add(from.length === 0 && isOptional ? others : qualified(from), qualified(to));
  }
  for (const name of using) {
    const owner = scope.sources.find((one) => one.alias !== alias && one.relation.columns?.has(name) !== false);
    if (owner === undefined) continue;
    dependencies.add([`${owner.alias}.${name}`], [`${alias}.${name}`]);
    if (!isOptional) dependencies.add([`${alias}.${name}`], [`${owner.alias}.${name}`]);
  }
  for (const condition of conjunctsOf(on)) {
    if (!isOptional) addEquality(scope, condition, dependencies);
    else addOptionalEquality(scope, { alias, others }, condition, dependencies);
  }
}

/** Adds the dependencies of `a = b`: if a side is a column, the columns of the other side determine it. */
function addEquality(scope: SelectScope, condition: Node, dependencies: Dependencies): void {
  if (condition.kind !== 'eq') return;
  const { left, right } = condition.fields;
  for (const [one, other] of [
    [left, right],
    [right, left],
  ]) {
    const id = columnId(scope, one);
    if (id !== undefined) dependencies.add(columnIdsIn(scope, other), [id]);
  }
}

function addOptionalEquality(
  scope: SelectScope,
  { alias, others }: { readonly alias: string; readonly others: readonly string[] },
  { kind, fields }: Node,
  dependencies: Dependencies,
): void {
  if (kind !== 'eq') return;
  for (const [one, other] of [
    [fields.left, fields.right],
    [fields.right, fields.left],
  ]) {
    const id = columnId(scope, one);
    const isOther = columnIdsIn(scope, other).every((used) => !used.startsWith(`${alias}.`));
    if (id?.startsWith(`${alias}.`) === true && isOther) dependencies.add(others, [id]);
  }
}

/** Adds the dependency of ROW_NUMBER() OVER (PARTITION BY a): `a` and the number together identify the row. */
function addRowNumber(scope: SelectScope, node: Node, dependencies: Dependencies): void {
  if (node.kind !== 'window_function' || !isFields(node.fields.this) || !('row_number' in node.fields.this)) return;
  const over = part(node.fields, 'over') ?? {};
  const partition = children({ kind: 'over', fields: over }, 'partition_by');
  dependencies.add([...idsOf(scope, partition), `@${comparisonKey(node)}`], rowIdsOf(scope));
}

function columnId(scope: SelectScope, tree: unknown): string | undefined {
  if (!isFields(tree)) return undefined;
  const node = withoutParentheses(toNode(tree));
  return node.kind === 'column' ? idOf(scope, node) : undefined;
}

function columnIdsIn(scope: SelectScope, tree: unknown): string[] {
  return columnsIn(tree).flatMap((use) => {
    const column = resolveUse(scope, use);
    return column === undefined ? [] : [`${column.source.alias}.${column.name}`];
  });
}
