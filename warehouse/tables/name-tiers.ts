/**
 * The least stars or followers of a name in each tier, highest first. The best of many names that begin alike are in a high
 * tier, of which few do; those of few names are found in the lowest, which has all names.
 */
export const NAME_TIERS = [1000, 30, 0] as const;

/** The tiers as a table of one column, `tier`. */
export const NAME_TIERS_SQL = `(${NAME_TIERS.map((tier) => `SELECT ${tier} AS tier`).join(' UNION ALL ')})`;
