/** Quotes a name for DuckDB. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Writes a text literal for DuckDB, in which a backslash has no meaning. DuckDB's parser stops at NUL, so callers must reject it. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
