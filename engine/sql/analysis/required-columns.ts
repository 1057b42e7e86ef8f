import { children, type Node, nodeOf, optionalChild, part, toNode } from '../reading/tree.js';
import { idOf } from './determination.js';
import type { SelectScope } from './select-scope.js';
import { conjunctsOf } from './tree-search.js';

/** Columns by a key. */
type Columns = ReadonlyMap<string, Node>;

/** Returns the key of a column, such as the alias of its table; undefined for a column that is ignored. */
type KeyOf = (column: Node) => string | undefined;

/**
 * Returns columns that make a condition FALSE or NULL if they are NULL, one for each key. If several columns have the same key, all of them
 * are NULL together. IS NOT NULL has no such column, because it states this on purpose.
 */
export function columnsThatReject(condition: Node, keyOf: KeyOf): Columns {
  const { kind, fields } = condition;
  const inner = optionalChild(condition, 'this');
  if (kind === 'paren' && inner !== undefined) return columnsThatReject(inner, keyOf);
  if (kind === 'and' || kind === 'or') {
    const [left, right] = [toNode(fields.left), toNode(fields.right)].map((side) => columnsThatReject(side, keyOf));
    return kind === 'and' ? new Map([...(right ?? []), ...(left ?? [])]) : intersect(left, right);
  }
  if (kind === 'is_true' && inner !== undefined) return fields.not === true ? NONE : columnsThatReject(inner, keyOf);
  if (kind === 'is_false' && inner !== undefined) return fields.not === true ? NONE : columnsThatNull(inner, keyOf);
  return columnsThatNull(condition, keyOf);
}

const NONE: Columns = new Map();

/** Returns columns that make an expression NULL if they are NULL. */
function columnsThatNull(node: Node, keyOf: KeyOf): Columns {
  const { kind, fields } = node;
  if (kind === 'column') {
    const key = keyOf(node);
    return key === undefined ? NONE : new Map([[key, node]]);
  }
  if (kind === 'and' || kind === 'or') {
    const [left, right] = [toNode(fields.left), toNode(fields.right)].map((side) => columnsThatNull(side, keyOf));
    return intersect(left, right);
  }
  const operands = operandsOf(node).map((operand) => columnsThatNull(operand, keyOf));
  return new Map(operands.toReversed().flatMap((columns) => [...columns]));
}

function operandsOf(node: Node): readonly Node[] {
  const fields = STRICT[node.kind];
  if (fields !== undefined) return fields.flatMap((field) => optionalChild(node, field) ?? []);
  if (node.kind !== 'function' || !STRICT_FUNCTIONS.has(String(node.fields.name).toUpperCase())) return [];
  return children(node, 'args');
}

function intersect(one: Columns = NONE, other: Columns = NONE): Columns {
  return new Map([...one].filter(([key]) => other.has(key)));
}

const BOTH = ['left', 'right'];
const THIS = ['this'];

/** The fields with the operands of each kind of node whose value is NULL if one of these operands is NULL. */
const STRICT: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries('eq neq lt lte gt gte like add sub mul div mod'.split(' ').map((kind) => [kind, BOTH])),
  ...Object.fromEntries(
    'paren not in between neg bitwise_not cast abs ceil lower upper trim length substring year quarter month day hour minute second day_of_week day_of_year'
      .split(' ')
      .map((kind) => [kind, THIS]),
  ),
  int_div: ['this', 'expression'],
  regexp_like: THIS,
  floor: THIS,
};

/** Functions whose result is NULL if one argument is NULL. */
const STRICT_FUNCTIONS: ReadonlySet<string> = new Set(
  'CONCAT CONVERT DATE DATEDIFF DATE_FORMAT LEFT OCTET_LENGTH REPLACE RIGHT ROUND TIME WEEK WEEKDAY YEARWEEK'.split(
    ' ',
  ),
);

/** Returns the ids of the columns that are never NULL in the rows of a SELECT, because WHERE or a JOIN removes rows where they are NULL. */
export function requiredColumns(scope: SelectScope, conditions = conditionsOf(scope)): ReadonlySet<string> {
  const columns = conditions.flatMap((condition) => {
    const tested =
      condition.kind === 'is_null' && condition.fields.not === true ? nodeOf(condition.fields.this) : undefined;
    const known =
      tested?.kind === 'column' ? [tested] : [...columnsThatReject(condition, (node) => idOf(scope, node)).values()];
    return known.flatMap((column) => idOf(scope, column) ?? []);
  });
  return new Set(columns);
}

/** Returns the conditions that are true for every row of a SELECT: those of WHERE, and of ON without those of LEFT JOIN. */
export function conditionsOf({ node, sources }: SelectScope): Node[] {
  const joined = sources.filter(({ isOptional }) => !isOptional).flatMap(({ on }) => conjunctsOf(on));
  return [...conjunctsOf(part(node.fields, 'where_clause')?.this), ...joined];
}
