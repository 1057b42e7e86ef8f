import {
  dependenciesOf,
  findUndetermined,
  GROUP,
  groupKeysOf,
  idsOf,
  isGrouped,
  outputNamed,
} from '../../sql/analysis/determination.js';
import type { SelectScope } from '../../sql/analysis/select-scope.js';
import { writeColumnName } from '../../sql/analysis/tree-search.js';
import { children, type Node, part, parts, toNode, toTree } from '../../sql/reading/tree.js';
import type { Finding } from './sql-rule.js';

/**
 * Finds columns that can have several values in one group. Without ONLY_FULL_GROUP_BY, a database returns any one of
 * the values. The sessions of this program do not set it, and the translation for DuckDB behaves the same.
 */
export function findUngroupedColumns(scope: SelectScope): Finding[] {
  const group = part(scope.node.fields, 'group_by');
  if (!isGrouped(scope) || !scope.isUnderstood || hasRollup(scope)) return [];
  const keys = groupKeysOf(scope);
  // A name in GROUP BY can refer to a column or to an alias.
  const written = children({ kind: 'group by', fields: group ?? {} }, 'expressions');
  const determined = dependenciesOf(scope).closure([...idsOf(scope, [...keys, ...written]), GROUP]);
  const late = new Set(lateExpressions(scope).flatMap((node) => findUndetermined(scope, node, determined)));
  const columns = [...scope.outputs.flatMap(({ node }) => findUndetermined(scope, node, determined)), ...late].filter(
    (node) => node.kind === 'column' && !(late.has(node) && outputNamed(scope, node) !== undefined),
  );
  const [first] = columns;
  if (first === undefined) return [];
  const names = [...new Set(columns.map(writeColumnName))];
  const list = names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
  const rows = group === undefined ? 'The aggregates make one row of all rows' : 'A group has several rows';
  const value = names.length === 1 ? `${list} is the value` : `${list} are the values`;
  const place = group === undefined ? `add GROUP BY ${list}` : `add ${list} to GROUP BY`;
  return [
    {
      rule: 'ungrouped-column',
      at: toTree(first),
      message: `${rows}, and ${value} of any one of them`,
      fix: `${place}, or write an aggregate such as MAX(${names[0]}), or ANY_VALUE(${names[0]}) if all values are equal`,
    },
  ];
}

/** Returns the expressions of HAVING and ORDER BY, which can use aliases of the select list. */
function lateExpressions({ node }: SelectScope): Node[] {
  const having = part(node.fields, 'having');
  const orders = parts(part(node.fields, 'order_by') ?? {}, 'expressions').map(({ this: tree }) => tree);
  return [...(having === undefined ? [] : [having.this]), ...orders].map(toNode);
}

/** Whether the SELECT has WITH ROLLUP, which adds rows whose keys are NULL. */
function hasRollup({ node }: SelectScope): boolean {
  const group = part(node.fields, 'group_by') ?? {};
  return children({ kind: 'group by', fields: group }, 'expressions').some(({ kind }) => kind === 'rollup');
}
