/**
 * The id, in DuckDB's SQL, of a repository or person whose name is all that an event carries: the negative of 52 bits of the
 * name's MD5, the same in every file. No real id is negative. NULL without a name.
 */
export function provisionalIdSql(name: string): string {
  return `CASE WHEN ${name} <> '' THEN -('0x' || substr(md5(lower(${name})), 1, 13))::BIGINT END`;
}
