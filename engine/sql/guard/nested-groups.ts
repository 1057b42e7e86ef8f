import { hasAggregates } from '../duckdb/grouping.js';
import { type Fields, isFields, listOf, nameIn, nameOf, part, parts } from '../reading/tree.js';

/**
 * The maximum depth of grouped SELECTs inside each other, also through WITH. DuckDB plans a query in a time that doubles or quadruples at each
 * level, and does not stop while it plans.
 */
export const MAX_NESTED_GROUPS = 8;

/** Returns the depth of grouped SELECTs inside each other. `named` contains the depths of the tables of WITH. */
export function depthOfGroups(tree: unknown, named: ReadonlyMap<string, number> = new Map()): number {
  if (typeof tree !== 'object' || tree === null) return 0;
  const { with: clauses, ...others } = tree as Fields;
  const known = isFields(clauses) ? addTables(clauses, named) : named;
  return Math.max(0, ...Object.entries(others).map(([kind, part]) => depthOfPart(kind, part, known)));
}

function depthOfPart(kind: string, part: unknown, named: ReadonlyMap<string, number>): number {
  if (kind === 'table' && isFields(part)) return named.get(nameIn(part.name)?.toLowerCase() ?? '') ?? 0;
  const isCounted = kind === 'select' && isFields(part) && isGrouped(part);
  return depthOfGroups(part, named) + (isCounted ? 1 : 0);
}

/** Adds the depths of the tables of a WITH. A table can read those before it. */
function addTables(clauses: Fields, named: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const known = new Map(named);
  for (const cte of parts(clauses, 'ctes')) known.set(nameOf(cte.alias).toLowerCase(), depthOfGroups(cte.this, known));
  return known;
}

function isGrouped(select: Fields): boolean {
  const orders = part(select, 'order_by') ?? {};
  const expressions = [...listOf(select.expressions), ...listOf(orders.expressions)];
  return (
    part(select, 'group_by') !== undefined || hasAggregates({ kind: 'select', fields: { ...select, expressions } })
  );
}
