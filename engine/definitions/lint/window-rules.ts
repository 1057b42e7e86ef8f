import { selectOf } from '../../sql/analysis/analyze-query.js';
import { dependenciesOf, findUndetermined, idsOf, rowIdsOf } from '../../sql/analysis/determination.js';
import { conditionsOf } from '../../sql/analysis/required-columns.js';
import type { ScopeNodes } from '../../sql/analysis/scope-nodes.js';
import { resolveUse, type SelectScope } from '../../sql/analysis/select-scope.js';
import { columnsIn, nodesIn } from '../../sql/analysis/tree-search.js';
import { inlineWindows } from '../../sql/duckdb/functions/windows.js';
import { children, type Fields, type Node, part, parts, toNode, toTree } from '../../sql/reading/tree.js';
import type { Finding, LintedText } from './sql-rule.js';

/** Finds LAST_VALUE without a frame. */
export function findLastValues(scope: SelectScope, _: LintedText, nodes: ScopeNodes): Finding[] {
  if (nodes.of('last_value').length === 0) return [];
  const { expressions, order_by: order } = inlineWindows(scope.node).fields;
  return nodesIn([expressions, order], WINDOW).flatMap(({ fields }) => {
    const over = part(fields, 'over') ?? {};
    const called = part(fields, 'this') ?? {};
    if (!('last_value' in called) || parts(over, 'order_by').length === 0 || part(over, 'frame') !== undefined)
      return [];
    return [
      {
        rule: 'last-value-frame',
        at: called,
        message:
          'LAST_VALUE with ORDER BY reads only the rows up to the current row, so it returns the value of the current row',
        fix: 'add ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING, or write FIRST_VALUE with the reverse order',
      },
    ];
  });
}

const WINDOW: ReadonlySet<string> = new Set(['window_function']);

/** Finds conditions that select rows by a ROW_NUMBER() whose ORDER BY does not distinguish the rows. */
export function findChosenRows(scope: SelectScope, { analysis }: LintedText): Finding[] {
  const tested = columnsIn(conditionsOf(scope).map(toTree)).map((use) => resolveUse(scope, use));
  return scope.sources.flatMap((source) => {
    const inner = source.query && selectOf(analysis, source.query);
    if (inner === undefined) return [];
    const names = inner.outputs.map(({ name }) => name);
    const isTested = (name: string | undefined) => tested.some((one) => one?.source === source && one.name === name);
    const windows = inlineWindows(inner.node);
    return children(windows, 'expressions').flatMap((node, index) => {
      const called = node.kind === 'alias' ? toNode(node.fields.this) : node;
      return isTested(names[index]) ? findTies(inner, called) : [];
    });
  });
}

/** Finds ROW_NUMBER() with an ORDER BY in which rows of one partition with different values can be equal. */
function findTies(scope: SelectScope, { kind, fields }: Node): Finding[] {
  const over: Fields = part(fields, 'over') ?? {};
  const order = parts(over, 'order_by');
  const isNumber = kind === 'window_function' && 'row_number' in (part(fields, 'this') ?? {});
  const areKnown = scope.isUnderstood && scope.sources.every(({ relation }) => relation.isKeyed);
  if (!isNumber || order.length === 0 || !areKnown) return [];
  const keys = [...children({ kind: 'over', fields: over }, 'partition_by'), ...order.map((key) => toNode(key.this))];
  const determined = dependenciesOf(scope).closure(idsOf(scope, keys));
  if (rowIdsOf(scope).every((row) => determined.has(row))) return [];
  const values = scope.outputs.filter(({ node }) => node.kind !== 'window_function');
  if (values.every(({ node }) => findUndetermined(scope, node, determined).length === 0)) return [];
  return [
    {
      rule: 'unstable-row-number',
      at: order.at(-1),
      message: 'Rows can be equal in the ORDER BY of ROW_NUMBER, so equal requests can select different rows',
      fix: 'add columns that identify a row at the end of this ORDER BY, or write RANK() to give equal rows the same number',
    },
  ];
}
