import { relationOfSelect } from '../../sql/analysis/relations.js';
import type { SelectScope } from '../../sql/analysis/select-scope.js';
import { conjunctsOf, nodesIn, queriesIn, withoutParentheses } from '../../sql/analysis/tree-search.js';
import { typeOf } from '../../sql/analysis/value-type.js';
import { type Fields, isFields, type Node, part, parts, toNode, toTree } from '../../sql/reading/tree.js';
import type { Finding, LintedText } from './sql-rule.js';

/** Finds conditions that mean something else than their author probably expects. */
export function findConditions(scope: SelectScope, text: LintedText): Finding[] {
  const { fields } = scope.node;
  const conditions = [
    part(fields, 'where_clause'),
    part(fields, 'having'),
    ...parts(fields, 'joins').map(({ on }) => on),
  ];
  return [
    ...conditions.flatMap((condition) => findMixed(condition).slice(0, 1)),
    ...nodesIn(fieldsWithoutFrom(fields), OR)
      .flatMap((node) => findConcatenation(scope, node, text))
      .slice(0, 1),
    ...nodesIn(fieldsWithoutFrom(fields), COMPARISONS).flatMap(findNullComparison),
    ...nodesIn(fieldsWithoutFrom(fields), NEGATABLE).flatMap((node) => findNotIn(node, text)),
  ];
}

function fieldsWithoutFrom({ from: _, with: __, ...others }: Fields): unknown {
  return others;
}

/** Finds an OR with an operand that is an AND without parentheses: `a AND b OR c`. */
function findMixed(condition: unknown): Finding[] {
  const mixed = nodesIn(condition, OR).find(({ fields }) => [fields.left, fields.right].some(isAnd));
  if (mixed === undefined) return [];
  return [
    {
      rule: 'and-or-without-parentheses',
      at: toTree(mixed),
      message: 'AND binds before OR, so a OR b AND c means a OR (b AND c)',
      fix: 'write parentheses around the conditions that belong together',
    },
  ];
}

const OR: ReadonlySet<string> = new Set(['or']);

function isAnd(tree: unknown): boolean {
  return isFields(tree) && 'and' in tree;
}

/** Finds `a || 'x'`, which concatenates texts in other databases. */
function findConcatenation(scope: SelectScope, { fields }: Node, { markers }: LintedText): Finding[] {
  const sides = [fields.left, fields.right].filter(isFields).map((side) => withoutParentheses(toNode(side)));
  if (!sides.some((side) => typeOf(scope, side, markers) === 'text')) return [];
  return [
    {
      rule: 'or-instead-of-concat',
      at: fields,
      message: 'OR and || of a text is a condition in MySQL: the result is 1 or 0',
      fix: 'write CONCAT(a, b) to join texts, or compare the text with a value',
    },
  ];
}

function findNullComparison({ kind, fields }: Node): Finding[] {
  const sides = [fields.left, fields.right].filter(isFields);
  if (!sides.some((side) => withoutParentheses(toNode(side)).kind === 'null')) return [];
  return [
    {
      rule: 'compared-with-null',
      at: fields,
      message: 'A comparison with NULL is never true',
      fix: kind === 'neq' ? 'write IS NOT NULL' : 'write IS NULL',
    },
  ];
}

const COMPARISONS: ReadonlySet<string> = new Set(['eq', 'neq', 'lt', 'lte', 'gt', 'gte']);
const NEGATABLE: ReadonlySet<string> = new Set(['in', 'not']);

/** Finds NOT IN with a subquery that can return NULL. */
function findNotIn({ kind, fields }: Node, { analysis, markers }: LintedText): Finding[] {
  const inner = kind === 'not' && isFields(fields.this) ? withoutParentheses(toNode(fields.this)) : undefined;
  const list = inner?.kind === 'in' ? inner.fields : kind === 'in' && fields.not === true ? fields : undefined;
  const [query] = list === undefined ? [] : queriesIn({ query: list.query });
  const scope = query && analysis.selects.find(({ node }) => node.fields === query.fields);
  const [output] = scope?.outputs ?? [];
  if (list === undefined || scope === undefined || output?.name === undefined) return [];
  const isNullable = relationOfSelect(scope, markers).columns?.get(output.name)?.isNullable === true;
  if (!isNullable || conjunctsOf(part(scope.node.fields, 'where_clause')?.this).some(isNotNull)) return [];
  return [
    {
      rule: 'not-in-nullable',
      at: list.this,
      message: `NOT IN is never true if ${output.name} is NULL in one row of the query, so the result would be empty`,
      fix: `add WHERE ${output.name} IS NOT NULL to the query, or write NOT EXISTS`,
    },
  ];
}

export function isNotNull({ kind, fields }: Node): boolean {
  return kind === 'is_null' && fields.not === true;
}
