/**
 * Returns the offset in the author's text of the part that a database message quotes, such as `Unknown column 'l.knd'`. Returns
 * undefined if the text contains no quoted part. A message may quote a part of the statement, a name with its database, or a
 * function without its arguments.
 */
export function findQuotedPlace(sql: string, message: string): number | undefined {
  // A message never quotes a tag of the template, such as `{% case x %}`.
  const code = sql.replaceAll(/\{%.*?%\}/gs, (tag) => ' '.repeat(tag.length));
  // DuckDB's message quotes the table before the missing column, so the column is read separately.
  const column = /column named "([^"]+)"/.exec(message)?.[1];
  const all = [...message.matchAll(QUOTED)].map(([, ...groups]) => groups.find((group) => group !== undefined) ?? '');
  for (const quoted of column === undefined ? all : [column, ...all]) {
    for (const text of [quoted, quoted.split('.').slice(1).join('.'), quoted.split('.').at(-1) ?? '']) {
      const word = text.trim().split(/\s/)[0]?.replace(/\(.*$/, '') ?? '';
      const found = word === '' ? -1 : code.search(new RegExp(`(?<![\\w])${escapePattern(word)}(?![\\w])`, 'i'));
      if (found >= 0) return found;
    }
  }
  return undefined;
}

/** Matches quoted text, names that databases do not quote, and names in capital letters, which translation errors use for functions. */
const QUOTED = /'([^']+)'|"([^"]+)"|`([^`]+)`|(?:with name|FUNCTION|function|named) ([\w.]+)|\b([A-Z_]{3,}\d*)\b/g;

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
