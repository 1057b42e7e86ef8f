import { ROW, rowId } from '../../sql/analysis/dependencies.js';
import { dependenciesOfMatches, groupKeysOf, idsOf } from '../../sql/analysis/determination.js';
import { columnsThatReject } from '../../sql/analysis/required-columns.js';
import type { ScopeNodes } from '../../sql/analysis/scope-nodes.js';
import { resolveColumn, resolveUse, type SelectScope } from '../../sql/analysis/select-scope.js';
import {
  type ColumnUse,
  columnsIn,
  conjunctsOf,
  qualifierOf,
  writeColumnName,
} from '../../sql/analysis/tree-search.js';
import { listOf, nodeOf, part, toTree } from '../../sql/reading/tree.js';
import { probablySingleRows } from './single-match.js';
import type { Finding, LintedText } from './sql-rule.js';

/** Finds conditions in WHERE that are never true for rows without a match in a LEFT JOIN. */
export function findOptionalFilters(scope: SelectScope): Finding[] {
  return conjunctsOf(part(scope.node.fields, 'where_clause')?.this).flatMap((condition) => {
    const columns = columnsThatReject(condition, (column) => {
      const { source, name } = resolveColumn(scope, column) ?? {};
      const isMerged =
        qualifierOf(column) === undefined && scope.sources.some(({ using }) => using.includes(name ?? ''));
      return source?.isOptional === true && !isMerged ? source.alias : undefined;
    });
    return [...columns].slice(0, 1).map(([alias, column]): Finding => {
      return {
        rule: 'left-join-filtered',
        at: toTree(column),
        message: `The LEFT JOIN has no effect: this condition removes the rows without a row of ${alias}, where ${writeColumnName(column)} is NULL`,
        fix: 'move the condition to ON, or write JOIN instead of LEFT JOIN',
      };
    });
  });
}

/** Finds SUMs of a column whose rows a join repeats, because several rows of another table match one row of its table. */
export function findRepeatedSums(scope: SelectScope, _: LintedText, nodes: ScopeNodes): Finding[] {
  if (!scope.isUnderstood || scope.sources.length < 2) return [];
  if (!scope.sources.every(({ relation }) => relation.isKeyed)) return [];
  // Only matched rows of a LEFT JOIN count: in unmatched rows, the columns of the joined table are NULL, so they do not change a sum.
  const dependencies = dependenciesOfMatches(scope);
  const keys = [...idsOf(scope, groupKeysOf(scope)), ...probablySingleRows(scope)];
  return nodes.aggregates('sum', 'count', 'avg').flatMap((sum) => {
    if (sum.fields.distinct === true) return [];
    const columns = columnsIn(sum.fields.this);
    const used = columns.flatMap((use) => resolveUse(scope, use)?.source ?? []);
    const [first] = valueColumnsIn(sum.fields.this);
    if (first === undefined || used.length !== columns.length) return [];
    if (sum.kind === 'count' && !isKey(scope, first)) return [];
    const determined = dependencies.closure([...keys, ...used.map(({ alias }) => rowId(alias))]);
    const other = scope.sources.find(({ alias }) => !determined.has(rowId(alias)));
    if (other === undefined) return [];
    const name = writeColumnName(first.node);
    return [
      {
        rule: 'repeated-sum',
        at: toTree(first.node),
        message: `${name} can count several times: several rows of ${other.alias} can belong to one row of ${used[0]?.alias}`,
        fix: `compute it in a derived table without ${other.alias}, and join its result`,
      },
    ];
  });
}

/** Whether a column is a key, so that COUNT of it probably means the number of rows of its table. */
function isKey(scope: SelectScope, use: ColumnUse): boolean {
  const column = resolveUse(scope, use);
  const keys = column?.source.relation.dependencies.filter(({ to }) => to.includes(ROW)) ?? [];
  return keys.some(({ from }) => from.length === 1 && from[0] === column?.name);
}

/** Returns the columns whose values an aggregate adds up or counts. `SUM(c.kind = 'a')` counts rows, so a condition has no such column. */
function valueColumnsIn(tree: unknown): ColumnUse[] {
  const { kind, fields } = nodeOf(tree);
  if (CONDITIONS.has(kind)) return [];
  if (kind === 'paren') return valueColumnsIn(fields.this);
  if (kind === 'if_func') return [fields.true_value, fields.false_value].flatMap(valueColumnsIn);
  if (kind !== 'case') return columnsIn(tree);
  return [...listOf(fields.whens).map((when) => listOf(when)[1]), fields.else_].flatMap(valueColumnsIn);
}

const CONDITIONS: ReadonlySet<string> = new Set(
  'eq neq lt lte gt gte null_safe_eq and or xor not in between like regexp_like is_null is_true is_false exists'.split(
    ' ',
  ),
);
