/**
 * The minimum stars or followers of the names in each tier, highest tier first. A prefix that many names share finds its best names
 * in a high tier, which only has few of them. A rare prefix finds its names in the lowest tier, which has all names.
 */
export const NAME_TIERS = [1000, 30, 0] as const;

/** The tiers as a table with one column, `tier`. */
export const NAME_TIERS_SQL = `(${NAME_TIERS.map((tier) => `SELECT ${tier} AS tier`).join(' UNION ALL ')})`;
