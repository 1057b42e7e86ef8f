/** The number of concurrent queries if `DATABASE_CONNECTIONS` is not set. */
export const DEFAULT_CONNECTIONS = { embedded: 4, server: 10 } as const;
