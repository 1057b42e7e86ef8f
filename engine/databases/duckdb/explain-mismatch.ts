/**
 * Explains an error of DuckDB about types or columns that a MySQL server would accept, in terms of the author's SQL.
 * Returns undefined for other errors. docs/sql-dialect.md lists these differences.
 */
export function explainMismatch(message: string): string | undefined {
  for (const [pattern, write] of EXPLANATIONS) {
    const match = pattern.exec(message);
    if (match !== null) return write(...match.slice(1).map(toMysqlType));
  }
  return undefined;
}

const CAST = 'write CAST(x AS CHAR) around each value, or CASTs to another common type';

const EXPLANATIONS: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  [
    /Cannot mix values of type (\w+)\S* and (\w+)\S* in (CASE|COALESCE)/,
    (one, other, kind) =>
      `${kind === 'CASE' ? 'IF or CASE' : 'IFNULL or COALESCE'} has values of the types ${one} and ${other}: ${CAST}`,
  ],
  [
    /Cannot combine types of (\w+)\S* and (\w+)\S* -/,
    (one, other) => `an expression combines values of the types ${one} and ${other}: ${CAST}`,
  ],
  [
    /Unimplemented type for cast \((\w+)\S* -> (\w+)\S*\)/,
    (one, other) => `a UNION, a comparison or a CAST combines the types ${one} and ${other}: ${CAST}`,
  ],
  [
    /Subquery returns (\d+) columns - expected 1/,
    (columns) => `a subquery with ${columns} columns is used as one value: select one column`,
  ],
  [
    /Aggregate with only constant parameters has to be bound in the root subquery/,
    () => 'an aggregate of the outer SELECT is compared with the rows of a subquery: compute it in a derived table',
  ],
];

/** Converts the name of a DuckDB type to that of MySQL. DuckDB's types for literals end with `_LITERAL`. */
function toMysqlType(type: string): string {
  const name = type.replace(/_LITERAL$/, '');
  return { STRING: 'VARCHAR', TIMESTAMP: 'DATETIME', HUGEINT: 'DECIMAL' }[name] ?? name;
}
