import { hasAggregates } from '../duckdb/grouping.js';
import { integerValue } from '../duckdb/tree/literals.js';
import { type Fields, isFields, type Node, part, toNode } from '../reading/tree.js';
import { type Dependency, ROW } from './dependencies.js';
import { dependenciesOf, findUndetermined, keyIdsOf, rowIdsOf } from './determination.js';
import { requiredColumns } from './required-columns.js';
import { isWildcard, type Output, type Relation, resolveColumn, type SelectScope } from './select-scope.js';
import type { ColumnFact, TableFact } from './table-facts.js';
import { qualifierOf } from './tree-search.js';
import { type MarkerTypes, typeOf } from './value-type.js';

/** A relation about whose rows nothing is known. */
export const UNKNOWN_RELATION: Relation = { columns: undefined, dependencies: [], areKeysKnown: false, isKeyed: false };

export function relationOfTable(fact: TableFact | undefined): Relation {
  if (fact === undefined) return UNKNOWN_RELATION;
  return {
    columns: fact.columns,
    dependencies: fact.keys.map((from) => ({ from, to: [ROW] })),
    areKeysKnown: true,
    isKeyed: fact.keys.length > 0,
  };
}

/** Returns the facts about the rows of a SELECT: the types of its columns, and which columns determine others. */
export function relationOfSelect(scope: SelectScope, markers: MarkerTypes): Relation {
  const outputs = expandOutputs(scope);
  if (outputs === undefined || !scope.isUnderstood) return UNKNOWN_RELATION;
  const required = requiredColumns(scope);
  const factOf = (node: Node) => factOfOutput(scope, node, required, markers);
  const columns = new Map(outputs.map(({ name, node }): [string, ColumnFact] => [name, factOf(node)]));
  if (hasOneRow(scope)) {
    return { columns, dependencies: [{ from: [], to: [ROW] }], areKeysKnown: true, isKeyed: true };
  }
  const dependencies = findDependencies(scope, outputs);
  if (scope.node.fields.distinct === true) dependencies.push({ from: [...columns.keys()], to: [ROW] });
  // Without a known key, the rows may still be unique for a reason that the analysis does not find, such as a condition.
  const hasKey = dependencies.some(({ to }) => to.includes(ROW));
  const isPart = isPartOfTable(scope);
  const isKeyed = hasKey || (isPart && scope.sources.every(({ relation }) => relation.isKeyed));
  return { columns, dependencies, areKeysKnown: hasKey || isPart, isKeyed };
}

/** Whether a SELECT returns columns of all rows of one table with known keys. */
function isPartOfTable({ node, sources }: SelectScope): boolean {
  const [source, second] = sources;
  const isChanged = ['where_clause', 'group_by', 'having', 'limit'].some((clause) => part(node.fields, clause));
  return source?.relation.areKeysKnown === true && second === undefined && !isChanged && !hasAggregates(node);
}

/** Returns the facts about the rows of UNION and other set operations: the names of their columns, and with DISTINCT their key. */
export function relationOfSetOperation({ columns }: Relation, isDistinct: boolean): Relation {
  const names = columns && [...columns.keys()];
  const facts = names && new Map(names.map((name): [string, ColumnFact] => [name, UNKNOWN_COLUMN]));
  const dependencies = isDistinct && names !== undefined ? [{ from: names, to: [ROW] }] : [];
  return { columns: facts, dependencies, areKeysKnown: columns !== undefined, isKeyed: dependencies.length > 0 };
}

/** Whether a SELECT returns at most one row: aggregates without GROUP BY, no FROM, or LIMIT 1. */
export function hasOneRow({ node, sources }: SelectScope): boolean {
  if (sources.length === 0) return true;
  if (part(node.fields, 'group_by') === undefined && hasAggregates(node)) return true;
  return limitOf(node.fields) === 1;
}

/** Returns the number of a LIMIT; undefined without a LIMIT, or if the LIMIT is a parameter. */
export function limitOf(fields: Fields): number | undefined {
  const limit = part(fields, 'limit');
  if (limit === undefined) return undefined;
  return integerValue(toNode(isFields(limit.this) ? limit.this : limit));
}

export interface NamedOutput {
  readonly name: string;
  readonly node: Node;
}

/** Replaces `*` and `t.*` by columns, and drops outputs without a name. Returns undefined if the columns of a table are unknown. */
export function expandOutputs(scope: SelectScope): NamedOutput[] | undefined {
  const lists = scope.outputs.map((output) => expandOutput(scope, output));
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}

function expandOutput(scope: SelectScope, { name, node }: Output): NamedOutput[] | undefined {
  if (!isWildcard(node)) return name === undefined ? [] : [{ name, node }];
  const alias = isFields(node.fields.table) ? qualifierOf(node) : undefined;
  const sources = scope.sources.filter((source) => alias === undefined || source.alias === alias);
  const lists = sources.map(({ alias: table, relation }) => {
    const names = relation.columns && [...relation.columns.keys()];
    return names?.map((column) => ({ name: column, node: columnNode(table, column) }));
  });
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}

function columnNode(table: string, name: string): Node {
  return { kind: 'column', fields: { name: { name }, table: { name: table } } };
}

function factOfOutput(scope: SelectScope, node: Node, required: ReadonlySet<string>, markers: MarkerTypes): ColumnFact {
  const type = typeOf(scope, node, markers);
  const column = node.kind === 'column' ? resolveColumn(scope, node) : undefined;
  if (column === undefined) return { type, isNullable: false };
  const canBeNull = column.source.isOptional || column.fact?.isNullable === true;
  return { ...column.fact, type, isNullable: canBeNull && !required.has(`${column.source.alias}.${column.name}`) };
}

const UNKNOWN_COLUMN: ColumnFact = { type: 'unknown', isNullable: false };

/** Finds the dependencies between the output columns: a minimal key, and the dependencies of the sources. */
function findDependencies(scope: SelectScope, outputs: readonly NamedOutput[]): Dependency[] {
  const inside = dependenciesOf(scope);
  const named = outputs.flatMap(({ name, node }) => {
    return keyIdsOf(scope, [node]).map((id) => ({ name, id }));
  });
  const rows = rowIdsOf(scope);
  const isKey = (candidates: readonly { readonly id: string }[]) => {
    const determined = inside.closure(candidates.map(({ id }) => id));
    return rows.every((row) => determined.has(row));
  };
  const found: Dependency[] = isKey(named) ? [{ from: smallestKey(named, isKey), to: [ROW] }] : [];
  for (const { from } of inside.all) {
    const names = from.map((id) => named.find((one) => one.id === id)?.name);
    if (!names.every((name) => name !== undefined)) continue;
    const determined = inside.closure(from);
    const to = outputs.filter(({ node }) => findUndetermined(scope, node, determined).length === 0);
    found.push({ from: names, to: to.map(({ name }) => name) });
  }
  return found;
}

function smallestKey<Item extends { readonly name: string }>(
  items: readonly Item[],
  isKey: (items: readonly Item[]) => boolean,
): string[] {
  let key = items;
  for (const item of items) {
    const rest = key.filter((one) => one !== item);
    if (isKey(rest)) key = rest;
  }
  return [...new Set(key.map(({ name }) => name))];
}
