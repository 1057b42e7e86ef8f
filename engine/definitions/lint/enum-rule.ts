import type { ScopeNodes } from '../../sql/analysis/scope-nodes.js';
import { resolveColumn, type SelectScope } from '../../sql/analysis/select-scope.js';
import { withoutParentheses, writeColumnName } from '../../sql/analysis/tree-search.js';
import { didYouMean } from '../../sql/did-you-mean.js';
import { stringValue } from '../../sql/duckdb/tree/literals.js';
import { isFields, listOf, type Node, optionalChild, toNode, toTree } from '../../sql/reading/tree.js';
import { COMPARISONS_AND_LISTS, pairsOf } from './comparison-rules.js';
import type { Finding, LintedText } from './sql-rule.js';

/** Finds comparisons of an ENUM column with a text that the ENUM does not have. */
export function findEnumValues(scope: SelectScope, _: LintedText, nodes: ScopeNodes): Finding[] {
  const compared = nodes.of(...COMPARISONS_AND_LISTS).flatMap(pairsOf);
  const pairs = [...compared.map(({ left, right }) => [left, right] as const), ...nodes.of('case').flatMap(choicesOf)];
  return pairs.flatMap(([one, other]) => {
    const [left, right] = [withoutParentheses(one), withoutParentheses(other)];
    return left.kind === 'column' ? findUnknown(scope, left, right) : findUnknown(scope, right, left);
  });
}

/** Returns the operand of `CASE x WHEN 'a'` with each value of WHEN. */
function choicesOf(node: Node): (readonly [Node, Node])[] {
  const operand = optionalChild(node, 'operand');
  if (operand === undefined) return [];
  const values = listOf(node.fields.whens).map((when) => listOf(when)[0]);
  return values.filter(isFields).map((value) => [operand, toNode(value)] as const);
}

function findUnknown(scope: SelectScope, column: Node, constant: Node): Finding[] {
  const values = column.kind === 'column' ? resolveColumn(scope, column)?.fact?.values : undefined;
  const text = stringValue(constant);
  if (values === undefined || text === undefined || text === '') return [];
  // Databases ignore the case, and some of them blanks at the end.
  if (values.some((value) => value.toLowerCase() === text.trimEnd().toLowerCase())) return [];
  const list = values.map((value) => `'${value}'`);
  const shown = list.length > 8 ? `${list.slice(0, 8).join(', ')} and ${list.length - 8} more` : list.join(', ');
  return [
    {
      rule: 'unknown-enum-value',
      at: toTree(column),
      message: `${writeColumnName(column)} never has the value '${text}'${didYouMean(text, values)}`,
      fix: `compare with one of its values: ${shown}`,
    },
  ];
}
