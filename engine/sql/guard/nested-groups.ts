import { hasAggregates } from '../duckdb/grouping.js';
import { isFields, listOf, nameIn, nameOf, nodeOf, parts } from '../reading/tree.js';

/**
 * The maximum depth of grouped SELECTs inside each other, also through WITH. DuckDB plans a query in a time that doubles or quadruples at each
 * level, and does not stop while it plans.
 */
export const MAX_NESTED_GROUPS = 8;

/** Returns the depth of grouped SELECTs inside each other. `named` contains the depths of the tables of WITH. */
export function depthOfGroups(tree: unknown, named: ReadonlyMap<string, number> = new Map()): number {
  if (Array.isArray(tree)) return tree.reduce((depth: number, item) => Math.max(depth, depthOfGroups(item, named)), 0);
  if (!isFields(tree)) return 0;
  const known = new Map(named);
  const clauses = isFields(tree.with) ? parts(tree.with, 'ctes') : [];
  for (const cte of clauses) known.set(nameOf(cte.alias).toLowerCase(), depthOfGroups(cte.this, known));
  const depths = Object.entries(tree).map(([kind, part]) => {
    if (kind === 'with' || !isFields(part)) return kind === 'with' ? 0 : depthOfGroups(part, known);
    if (kind === 'table') return known.get(nameIn(part.name)?.toLowerCase() ?? '') ?? 0;
    const expressions = [
      ...listOf(part.expressions),
      ...parts(nodeOf({ order_by: part.order_by }).fields, 'expressions'),
    ];
    const isGrouped =
      kind === 'select' &&
      ((part.group_by ?? undefined) !== undefined || hasAggregates({ kind, fields: { ...part, expressions } }));
    return depthOfGroups(part, known) + (isGrouped ? 1 : 0);
  });
  return Math.max(0, ...depths);
}
