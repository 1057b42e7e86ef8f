import { groupKeysOf, idOf, idsOf } from '../../sql/analysis/determination.js';
import { conditionsOf, requiredColumns } from '../../sql/analysis/required-columns.js';
import type { ScopeNodes } from '../../sql/analysis/scope-nodes.js';
import { resolveColumn, type SelectScope } from '../../sql/analysis/select-scope.js';
import { conjunctsOf, nodesIn, withoutParentheses, writeColumnName } from '../../sql/analysis/tree-search.js';
import { typeOf } from '../../sql/analysis/value-type.js';
import { comparisonKey } from '../../sql/duckdb/grouping.js';
import { children, isFields, listOf, type Node, nodeOf, part, parts, toNode, toTree } from '../../sql/reading/tree.js';
import { COMPARISONS } from './comparison-rules.js';
import type { Finding, LintedText } from './sql-rule.js';

/** Finds conditions that mean something else than their author probably expects. */
export function findConditions(scope: SelectScope, text: LintedText, nodes: ScopeNodes): Finding[] {
  const { fields } = scope.node;
  const either = nodes.of('or');
  const conditions = [
    part(fields, 'where_clause'),
    part(fields, 'having'),
    ...parts(fields, 'joins').map(({ on }) => on),
  ];
  return [
    ...(either.length === 0 ? [] : conditions.flatMap((condition) => findMixed(condition).slice(0, 1))),
    ...either.flatMap((node) => findConcatenation(scope, node, text)).slice(0, 1),
    ...nodes.of('in', 'not').flatMap(findNullInList),
    ...nodes.of(...COMPARISONS).flatMap((node) => [...findNullComparison(node), ...findSelfComparison(scope, node)]),
    ...conjunctsOf(part(fields, 'where_clause')?.this).flatMap((node) => findDroppedNulls(scope, node)),
  ];
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

/** Finds `x NOT IN ('a', NULL)`. */
function findNullInList(node: Node): Finding[] {
  const list = negatedList(node);
  if (list === undefined || !children(list, 'expressions').some(({ kind }) => kind === 'null')) return [];
  return [
    {
      rule: 'compared-with-null',
      at: list.fields.this,
      message: 'NOT IN with NULL in its list is never true',
      fix: 'remove NULL from the list, and add IS NOT NULL if needed',
    },
  ];
}

/** Returns the IN of `x NOT IN (…)`, `NOT x IN (…)` or `x <> ALL (…)`. */
export function negatedList(node: Node): Node | undefined {
  const { kind, fields } = node;
  if (kind === 'all') return fields.op === 'Neq' ? node : undefined;
  if (kind === 'in') return fields.not === true ? node : undefined;
  const inner = isFields(fields.this) ? withoutParentheses(toNode(fields.this)) : undefined;
  return inner?.kind === 'in' && inner.fields.not !== true ? inner : undefined;
}

/** Finds `a.x = a.x`. */
function findSelfComparison(scope: SelectScope, condition: Node): Finding[] {
  const column = comparedWithItself(scope, condition);
  if (column === undefined) return [];
  return [
    {
      rule: 'compared-with-itself',
      at: toTree(column),
      message: `Both sides of the comparison are the same column ${writeColumnName(column)}, so it has the same result for every row without NULL`,
      fix: 'compare with the column of the other table, and write the alias of its table before it',
    },
  ];
}

/** Returns the column that both sides of a comparison are. */
export function comparedWithItself(scope: SelectScope, { kind, fields }: Node): Node | undefined {
  if (!COMPARISONS.includes(kind)) return undefined;
  const sides = [fields.left, fields.right].filter(isFields).map((side) => withoutParentheses(toNode(side)));
  if (!sides.every((side) => side.kind === 'column')) return undefined;
  const [left, right] = sides.map((side) => idOf(scope, side) ?? comparisonKey(side));
  return left === right ? sides[0] : undefined;
}

/** Finds `x <> 'a'` for a column that can be NULL, if no other condition mentions NULL, and if x does not name the groups of the result. */
function findDroppedNulls(scope: SelectScope, condition: Node): Finding[] {
  const column = excludedColumn(condition);
  const resolved = column && resolveColumn(scope, column);
  if (column === undefined || resolved?.fact?.isNullable !== true || resolved.source.isOptional) return [];
  const others = conditionsOf(scope).filter((other) => excludedColumn(other) === undefined);
  const id = `${resolved.source.alias}.${resolved.name}`;
  if (requiredColumns(scope, others).has(id) || idsOf(scope, groupKeysOf(scope)).includes(id)) return [];
  const name = writeColumnName(column);
  return [
    {
      rule: 'null-rows-dropped',
      at: toTree(column),
      message: `This condition also removes the rows where ${name} is NULL, because a comparison with NULL is not true`,
      fix: `add OR ${name} IS NULL in parentheses, or AND ${name} IS NOT NULL if these rows are not wanted`,
    },
  ];
}

/** Returns the column of a condition that excludes constants: `x <> 'a'`, `x NOT IN ('a')`, `x NOT LIKE 'a%'` or `NOT x = 'a'`. */
function excludedColumn({ kind, fields }: Node): Node | undefined {
  const inner = kind === 'not' && isFields(fields.this) ? withoutParentheses(toNode(fields.this)) : undefined;
  const excluded = inner ?? { kind, fields };
  const isExcluded =
    inner === undefined ? kind === 'neq' || (kind === 'in' && fields.not === true) : EXCLUDED.has(inner.kind);
  if (!isExcluded || isFields(excluded.fields.query)) return undefined;
  const { left, right, this: tested, pattern, expressions } = excluded.fields;
  const operands = [left, right, tested, pattern].filter(isFields).map((side) => withoutParentheses(toNode(side)));
  const [column, ...rest] = operands.sort(
    (one, other) => Number(other.kind === 'column') - Number(one.kind === 'column'),
  );
  const constants = [...rest, ...listOf(expressions).map(nodeOf)];
  const isGuard = constants.some(({ fields: { value } }) => GUARD.test(String(value)));
  const isPlain = constants.length > 0 && constants.every((constant) => CONSTANTS.has(constant.kind));
  return column?.kind === 'column' && isPlain && !isGuard ? column : undefined;
}

const EXCLUDED: ReadonlySet<string> = new Set(['eq', 'in', 'like', 'regexp_like']);
const CONSTANTS: ReadonlySet<string> = new Set(['literal', 'parameter']);
/** Matches values such as that in `cost <> 0`, which excludes missing values on purpose, as NULL. */
const GUARD = /^[0 :.-]*$/;
