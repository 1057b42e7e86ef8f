/** Returns the notice for rows that come from a copy of the data; empty for other rows. */
export function copyNotices(copiedAt: Date | undefined): string[] {
  if (copiedAt === undefined) return [];
  return [`The rows come from a copy made at ${copiedAt.toISOString()}; they do not contain later changes.`];
}
