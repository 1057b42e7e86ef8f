import { operandsOf, type QueryAnalysis, selectOf, unwrap } from '../../sql/analysis/analyze-query.js';
import { ROW } from '../../sql/analysis/dependencies.js';
import { relationOfSelect } from '../../sql/analysis/relations.js';
import type { ScopeNodes } from '../../sql/analysis/scope-nodes.js';
import { resolveColumn, type SelectScope } from '../../sql/analysis/select-scope.js';
import {
  aggregatesIn,
  columnNameOf,
  nodesIn,
  withoutParentheses,
  writeColumnName,
} from '../../sql/analysis/tree-search.js';
import { children, type Node, nodeOf, optionalChild, part, toNode, toTree } from '../../sql/reading/tree.js';
import type { Finding, LintedText } from './sql-rule.js';

/** Finds aggregates whose result is not what their author probably expects. */
export function findAggregates(scope: SelectScope, text: LintedText, nodes: ScopeNodes): Finding[] {
  return [
    ...nodes.aggregates('avg').flatMap((node) => findNestedAverage(scope, node, text.analysis)),
    ...nodes.aggregates('sum', 'avg').flatMap((node) => findUnion(scope, node, text)),
    ...nodes.of('int_div').flatMap(findTruncated),
    ...nodes.aggregates('group_concat').flatMap(findUnordered),
  ];
}

function findNestedAverage(scope: SelectScope, { fields }: Node, analysis: QueryAnalysis): Finding[] {
  const averaged = nodeOf(fields.this);
  if (fields.distinct === true || !isAverage(scope, averaged, analysis)) return [];
  return [
    {
      rule: 'average-of-averages',
      at: fields.this,
      message: 'An average of averages counts a group of one row as much as a group of a thousand rows',
      fix: 'return the SUM and the COUNT of each group, and divide the sum of the sums by the sum of the counts',
    },
  ];
}

/** Whether a value is an average or a ratio of the rows of a group in a derived table. */
function isAverage(scope: SelectScope, node: Node, analysis: QueryAnalysis): boolean {
  const inner = nodeOf(node.fields.this);
  if (node.kind === 'column') {
    const found = outputOf(scope, node, analysis);
    return found !== undefined && (isGroupAverage(found.node) || isAverage(found.scope, found.node, analysis));
  }
  if (node.kind === 'div') {
    return [node.fields.left, node.fields.right].every((side) => isTotal(scope, nodeOf(side), analysis));
  }
  return PASSING.has(node.kind) && isAverage(scope, inner, analysis);
}

const PASSING: ReadonlySet<string> = new Set(['paren', 'coalesce', 'cast']);

/** Whether an output of a grouped SELECT is AVG(…), or a quotient of aggregates, possibly rounded. */
function isGroupAverage(node: Node): boolean {
  const [first] = node.kind === 'function' ? children(node, 'args') : children(node, 'expressions');
  if (first !== undefined && ROUNDING.has(String(node.fields.name ?? node.kind).toUpperCase()))
    return isGroupAverage(first);
  if (node.kind === 'paren') return isGroupAverage(toNode(node.fields.this));
  if (node.kind === 'mul') return [node.fields.left, node.fields.right].some((side) => isGroupAverage(nodeOf(side)));
  const isQuotient = node.kind === 'div' && [node.fields.left, node.fields.right].every(hasAggregate);
  return isQuotient || node.kind === 'avg';
}

const ROUNDING: ReadonlySet<string> = new Set(['ROUND', 'COALESCE']);

function hasAggregate(tree: unknown): boolean {
  return aggregatesIn(tree, TOTALS).length > 0;
}

const TOTALS: ReadonlySet<string> = new Set(['sum', 'count']);

/** Whether a column is an output SUM(…) or COUNT(…) of a derived table. */
function isTotal(scope: SelectScope, node: Node, analysis: QueryAnalysis): boolean {
  const output = node.kind === 'column' ? outputOf(scope, node, analysis) : undefined;
  return output !== undefined && TOTALS.has(output.node.kind);
}

/** Returns the expression of a derived table with GROUP BY, or that passes a column on, to which a column refers. */
function outputOf(
  scope: SelectScope,
  column: Node,
  analysis: QueryAnalysis,
): { readonly scope: SelectScope; readonly node: Node } | undefined {
  const resolved = resolveColumn(scope, column);
  const inner = resolved?.source.query && selectOf(analysis, resolved.source.query);
  const output = inner?.outputs.find(({ name }) => name === resolved?.name);
  if (inner === undefined || output === undefined) return undefined;
  const isUsable = part(inner.node.fields, 'group_by') !== undefined || output.node.kind === 'column';
  return isUsable ? { scope: inner, node: output.node } : undefined;
}

/** Finds SUM and AVG of the rows of a UNION without ALL, if one of its SELECTs can return equal rows. */
function findUnion(scope: SelectScope, { fields }: Node, { analysis, markers }: LintedText): Finding[] {
  const summed = withoutParentheses(nodeOf(fields.this));
  const source = summed.kind === 'column' ? resolveColumn(scope, summed)?.source : undefined;
  const union = source?.query && unwrap(source.query);
  if (fields.distinct === true || union?.kind !== 'union' || union.fields.all === true) return [];
  const selects = operandsOf(union).flatMap((query) => selectOf(analysis, query) ?? []);
  const position = selects[0]?.outputs.findIndex(({ name }) => name === columnNameOf(summed)) ?? -1;
  const isCounter = selects.every(({ outputs }) => outputs[position]?.node.kind === 'literal');
  const areKnown = selects.every(
    ({ isUnderstood, sources }) => isUnderstood && sources.every((one) => one.relation.isKeyed),
  );
  if (isCounter || !areKnown || (!selects.some((select) => canRepeatRows(select, markers)) && !canBeEqual(selects)))
    return [];
  return [
    {
      rule: 'union-drops-rows',
      at: toTree(summed),
      message: `UNION removes equal rows before ${writeColumnName(summed)} is added up, so equal values count once`,
      fix: 'write UNION ALL',
    },
  ];
}

/** Whether a SELECT returns no key of its rows. */
function canRepeatRows(select: SelectScope, markers: LintedText['markers']): boolean {
  const { columns, dependencies } = relationOfSelect(select, markers);
  return columns !== undefined && !dependencies.some(({ to }) => to.includes(ROW));
}

/** Whether rows of different tables can be equal, because no column is another constant in each SELECT. */
function canBeEqual(selects: readonly SelectScope[]): boolean {
  const [first] = selects;
  const tables = selects.map(({ sources }) => sources.map(({ table }) => table).join());
  const isTag = (index: number) => {
    const values = selects.map(({ outputs }) => outputs[index]?.node).filter((node) => node?.kind === 'literal');
    return new Set(values.map((node) => node?.fields.value)).size === selects.length;
  };
  return new Set(tables).size > 1 && first?.outputs.some((_, index) => isTag(index)) === false;
}

/** Finds `SUM(a) DIV COUNT(*)`. */
function findTruncated({ fields }: Node): Finding[] {
  if (![fields.this, fields.expression].every((side) => nodesIn(side, TOTALS).length > 0)) return [];
  return [
    {
      rule: 'truncated-ratio',
      at: 'DIV',
      message: 'DIV drops the digits after the decimal point of this ratio',
      fix: 'write /, or FLOOR(a / b) if only whole numbers are wanted',
    },
  ];
}

function findUnordered(node: Node): Finding[] {
  if (children(node, 'order_by').length > 0) return [];
  const value = optionalChild(node, 'this');
  return [
    {
      rule: 'unordered-list',
      at: value === undefined ? 'GROUP_CONCAT' : toTree(value),
      message:
        'GROUP_CONCAT without ORDER BY joins the values in any order, so equal requests can return different texts',
      fix: 'write ORDER BY in GROUP_CONCAT',
    },
  ];
}
