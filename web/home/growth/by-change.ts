/** The order of collections on the start page: the one with the largest change first. */
export const BY_CHANGE = { sort: 'growth_pop' } as const;
