/**
 * Where the author's text has what a message about it quotes, such as `Unknown column 'l.knd'`; undefined where it has none of that.
 * A message may quote a part of the statement, a name with its database, or a function without its arguments.
 */
export function quotedPlace(sql: string, message: string): number | undefined {
  // DuckDB names the table before the column that it lacks.
  const column = /column named "([^"]+)"/.exec(message)?.[1];
  const all = [...message.matchAll(QUOTED)].map(([, ...groups]) => groups.find((group) => group !== undefined) ?? '');
  for (const quoted of column === undefined ? all : [column, ...all]) {
    for (const text of [quoted, quoted.split('.').slice(1).join('.'), quoted.split('.').at(-1) ?? '']) {
      const word = text.trim().split(/\s/)[0]?.replace(/\(.*$/, '') ?? '';
      const found = word === '' ? -1 : sql.search(new RegExp(`(?<![\\w])${escaped(word)}(?![\\w])`, 'i'));
      if (found >= 0) return found;
    }
  }
  return undefined;
}

/** Quoted text, a name in capitals as translations name functions, and names that databases do not quote. */
const QUOTED = /'([^']+)'|"([^"]+)"|`([^`]+)`|(?:with name|FUNCTION|function|named) ([\w.]+)|\b([A-Z_]{3,}\d*)\b/g;

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
