/**
 * The minimum stars or followers of the names in each tier, highest tier first. A search for a frequent prefix finds the best names in a
 * high tier, which has only few names with the prefix. A search for a rare prefix finds its names in the lowest tier, which contains all
 * names.
 */
export const NAME_TIERS = [1000, 30, 0] as const;

/** The tier of the names of deleted repositories. */
export const DELETED_TIER = -1;

/** The tiers of a search as a table with one column, `tier`. */
export const NAME_TIERS_SQL = tiersSql(NAME_TIERS);
/** The same, with the tier of deleted repositories. */
export const ALL_TIERS_SQL = tiersSql([...NAME_TIERS, DELETED_TIER]);

function tiersSql(tiers: readonly number[]): string {
  return `(${tiers.map((tier) => `SELECT ${tier} AS tier`).join(' UNION ALL ')})`;
}
