/** A comparison that never matches rows without a value, because the database stores NULL for them. */
export interface NullComparison {
  /** Its offset in the SQL. */
  readonly at: number;
  readonly text: string;
  readonly column: string;
}

/**
 * Finds comparisons of columns that other databases of the same data fill with an empty text where this one has NULL: `= ''`, an IN
 * with `''`, and all negative comparisons.
 */
export function findNullComparisons(sql: string, columns: readonly string[]): NullComparison[] {
  if (columns.length === 0) return [];
  const name = `(?<![\\w\`$'"])(?:\\w+\\.)?\`?(?<column>${columns.join('|')})\`?`;
  const empty = `''|""`;
  const comparison = `=\\s*(?:${empty})|(?:<>|!=)\\s*[^\\s=]+|NOT\\s+(?:IN|LIKE)\\b|IN\\s*\\([^()]*(?:${empty})[^()]*\\)`;
  return [
    ...sql
      .replace(COMMENTS, (comment) => ' '.repeat(comment.length))
      .matchAll(new RegExp(`${name}\\s*(?:${comparison})`, 'gi')),
  ].map(({ 0: text, index: at, groups }) => ({ at, text: text.replace(/\s+/g, ' '), column: groups?.column ?? '' }));
}

const COMMENTS = /--[^\n]*|\/\*.*?\*\//gs;
