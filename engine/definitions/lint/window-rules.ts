import { dependenciesOf, idsOf, rowIdsOf } from '../../sql/analysis/determination.js';
import type { SelectScope } from '../../sql/analysis/select-scope.js';
import { nodesIn } from '../../sql/analysis/tree-search.js';
import { inlineWindows } from '../../sql/duckdb/functions/windows.js';
import { children, type Node, part, parts, toNode } from '../../sql/reading/tree.js';
import type { Finding } from './sql-rule.js';

/** Finds window functions whose result is not what their author probably expects. */
export function findWindows(scope: SelectScope): Finding[] {
  const { expressions, order_by: order } = inlineWindows(scope.node).fields;
  return nodesIn([expressions, order], WINDOW).flatMap((node) => {
    const called = Object.keys(part(node.fields, 'this') ?? {})[0];
    if (called === 'last_value') return findLastValue(node);
    return called === 'row_number' ? findTies(scope, node) : [];
  });
}

const WINDOW: ReadonlySet<string> = new Set(['window_function']);

function findLastValue({ fields }: Node): Finding[] {
  const over = part(fields, 'over') ?? {};
  if (parts(over, 'order_by').length === 0 || part(over, 'frame') !== undefined) return [];
  return [
    {
      rule: 'last-value-frame',
      at: fields.this,
      message:
        'LAST_VALUE with ORDER BY reads only the rows up to the current row, so it returns the value of the current row',
      fix: 'add ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING, or write FIRST_VALUE with the reverse order',
    },
  ];
}

/** Finds ROW_NUMBER() with an ORDER BY in which rows of one partition can be equal. */
function findTies(scope: SelectScope, { fields }: Node): Finding[] {
  const over = part(fields, 'over') ?? {};
  const order = parts(over, 'order_by');
  const areKnown = scope.isUnderstood && scope.sources.every(({ relation }) => relation.areKeysKnown);
  if (order.length === 0 || !areKnown) return [];
  const keys = [...children({ kind: 'over', fields: over }, 'partition_by'), ...order.map((key) => toNode(key.this))];
  const determined = dependenciesOf(scope).closure(idsOf(scope, keys));
  if (rowIdsOf(scope).every((row) => determined.has(row))) return [];
  return [
    {
      rule: 'unstable-row-number',
      at: order.at(-1),
      message: 'Rows can be equal in the ORDER BY of ROW_NUMBER, so equal requests can number them differently',
      fix: 'add columns that identify a row at the end of this ORDER BY, or write RANK() to give equal rows the same number',
    },
  ];
}
