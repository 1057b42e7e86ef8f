import { type QueryAnalysis, selectOf } from '../../sql/analysis/analyze-query.js';
import { dependenciesOf, rowIdsOf } from '../../sql/analysis/determination.js';
import { relationOfSelect } from '../../sql/analysis/relations.js';
import type { ScopeNodes } from '../../sql/analysis/scope-nodes.js';
import { resolveColumn, type SelectScope } from '../../sql/analysis/select-scope.js';
import { columnsIn, qualifierOf, queriesIn, writeColumnName } from '../../sql/analysis/tree-search.js';
import { type Node, part, toTree } from '../../sql/reading/tree.js';
import { negatedList } from './condition-rules.js';
import type { Finding, LintedText } from './sql-rule.js';

/** Finds subqueries that return other rows than their author probably expects. */
export function findSubqueries(scope: SelectScope, text: LintedText, nodes: ScopeNodes): Finding[] {
  return [
    ...nodes.of('in', 'not', 'all').flatMap((node) => findNotIn(node, text)),
    ...nodes.of('in', 'all', 'any').flatMap((node) => findOuterColumn(scope, node, text)),
    ...findUnorderedLimit(scope, text),
  ];
}

/** Returns the SELECT of `x IN (SELECT …)`, `x <> ALL (SELECT …)` or `x = ANY (SELECT …)`. */
function listedSelect({ fields }: Node, analysis: QueryAnalysis): SelectScope | undefined {
  const [query] = queriesIn({ query: fields.query, subquery: fields.subquery });
  return query && selectOf(analysis, query);
}

/** Finds NOT IN with a subquery that can return NULL. */
function findNotIn(node: Node, { analysis, markers }: LintedText): Finding[] {
  const list = negatedList(node);
  const scope = list && listedSelect(list, analysis);
  const [output] = scope?.outputs ?? [];
  if (list === undefined || scope === undefined || output?.name === undefined) return [];
  if (relationOfSelect(scope, markers).columns?.get(output.name)?.isNullable !== true) return [];
  return [
    {
      rule: 'not-in-nullable',
      at: list.fields.this,
      message: `NOT IN is never true if ${output.name} is NULL in one row of the query, so the result would be empty`,
      fix: `add WHERE ${output.name} IS NOT NULL to the query, or write NOT EXISTS`,
    },
  ];
}

/** Finds `id IN (SELECT order_id FROM customers)`, if only the enclosing query has a column `order_id`. */
function findOuterColumn(scope: SelectScope, list: Node, { analysis }: LintedText): Finding[] {
  const inner = listedSelect(list, analysis);
  const [output] = inner?.outputs ?? [];
  const column = output?.node;
  if (inner === undefined || column?.kind !== 'column' || qualifierOf(column) !== undefined) return [];
  const [source] = inner.sources;
  const isElsewhere = resolveColumn(inner, column) === undefined && resolveColumn(scope, column)?.fact !== undefined;
  if (source === undefined || !isElsewhere) return [];
  if (!inner.sources.every(({ relation }) => relation.columns !== undefined)) return [];
  const name = writeColumnName(column);
  return [
    {
      rule: 'outer-column-in-subquery',
      at: toTree(column),
      message: `${source.table ?? source.alias} has no column ${name}, so the subquery returns the value of the enclosing query for every row`,
      fix: `name a column of ${source.table ?? source.alias}, such as ${source.alias}.${[...(source.relation.columns?.keys() ?? [])][0]}`,
    },
  ];
}

/** Finds LIMIT without ORDER BY in a subquery. */
function findUnorderedLimit(scope: SelectScope, { analysis }: LintedText): Finding[] {
  const { fields } = scope.node;
  const isSubquery = fields !== analysis.root.fields && !scope.isExistence;
  if (!isSubquery || part(fields, 'limit') === undefined || part(fields, 'order_by') !== undefined) return [];
  const determined = dependenciesOf(scope).closure([]);
  const isOneRow = rowIdsOf(scope).every((row) => determined.has(row));
  if (columnsIn(fields.expressions).length === 0 || isOneRow) return [];
  return [
    {
      rule: 'limit-without-order',
      at: fields.expressions,
      message: 'LIMIT without ORDER BY returns any rows of the subquery, and other rows in the next request',
      fix: 'add ORDER BY with columns that identify a row before LIMIT',
    },
  ];
}
