/** Returns the notice for rows from a copy of the data. Empty if the rows are not from a copy. */
export function copyNotices(copiedAt: Date | undefined): string[] {
  if (copiedAt === undefined) return [];
  return [`The rows come from a copy made at ${copiedAt.toISOString()}; they do not contain later changes.`];
}
