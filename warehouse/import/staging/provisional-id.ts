/**
 * A DuckDB expression for the provisional id of a repository or account, for events that only have a name: 52 bits of the MD5 of the
 * name, negative, because real ids are positive. It is the same in all files. NULL without a name.
 */
export function provisionalIdSql(name: string): string {
  return `CASE WHEN ${name} <> '' THEN -('0x' || substr(md5(lower(${name})), 1, 13))::BIGINT END`;
}
