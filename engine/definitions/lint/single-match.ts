import { rowId } from '../../sql/analysis/dependencies.js';
import { groupKeysOf } from '../../sql/analysis/determination.js';
import { resolveColumn, resolveUse, type SelectScope, type Source } from '../../sql/analysis/select-scope.js';
import { columnNameOf, columnsIn, conjunctsOf, withoutParentheses } from '../../sql/analysis/tree-search.js';
import { isFields, type Node, part, toNode } from '../../sql/reading/tree.js';

/** Returns the ids of the rows that are probably single in each group of rows that match each other. */
export function probablySingleRows(scope: SelectScope): string[] {
  const keys = groupKeysOf(scope).map((key) => (key.kind === 'column' ? resolveColumn(scope, key) : undefined));
  // GROUP BY c.name means a group for each row of c, even if the name is not a key.
  const named = keys.flatMap((key) => (key !== undefined && NAME.test(key.name) ? key.source : []));
  const single = scope.sources.filter((source) => named.includes(source) || isProbablySingle(scope, source));
  return single.map(({ alias }) => rowId(alias));
}

const NAME = /(^|_)(name|title|label|code)$/;

/**
 * Whether conditions probably select at most one row of a source for each row of the other sources, although no key states it: a range such
 * as `p.day BETWEEN s.valid_from AND s.valid_to`, the end of a period that is NULL, a flag such as
 * `is_current = 1`, or a name such as `c.name = 'Tea'`.
 */
function isProbablySingle(scope: SelectScope, source: Source): boolean {
  const clauses = [part(scope.node.fields, 'where_clause')?.this, ...scope.sources.map(({ on }) => on)];
  return clauses.flatMap(conjunctsOf).some((condition) => {
    const columns = columnsIn({ [condition.kind]: condition.fields }).map((use) => resolveUse(scope, use));
    if (!columns.some((column) => column?.source === source)) return false;
    const isOfSeveral = columns.some((column) => column !== undefined && column.source !== source);
    return isOfSeveral ? !isColumnEquality(condition) : isOfCurrent(scope, condition);
  });
}

/** Whether a condition is `a.x = b.y`. */
function isColumnEquality({ kind, fields }: Node): boolean {
  return kind === 'eq' && [fields.left, fields.right].every((side) => isFields(side) && isColumn(toNode(side)));
}

function isColumn(node: Node): boolean {
  return withoutParentheses(node).kind === 'column';
}

function isOfCurrent(scope: SelectScope, { kind, fields }: Node): boolean {
  const operands = [fields.left, fields.right, fields.this]
    .filter(isFields)
    .map((side) => withoutParentheses(toNode(side)));
  const column = operands.find((operand) => operand.kind === 'column' && resolveColumn(scope, operand) !== undefined);
  const name = column === undefined ? '' : columnNameOf(column);
  if (kind === 'is_null') return fields.not !== true && END.test(name);
  return (kind === 'eq' && NAME.test(name)) || (FLAGS.has(kind) && CURRENT.test(name));
}

const FLAGS: ReadonlySet<string> = new Set(['eq', 'is_true', 'column']);
const END = /(^|_)(to|until|end|ends|ended|expires|expired|through|thru)(_|$)/;
const CURRENT = /(^|_)(current|primary|default|latest|newest|main|preferred|first|last)(_|$)/;
