/**
 * A DuckDB expression for the provisional id of a repository or account, for events that only have a name: 52 bits of the MD5 hash of the
 * name, as a negative number, because real ids are positive. The same name always gets the same id. NULL if there is no name.
 */
export function provisionalIdSql(name: string): string {
  return `CASE WHEN ${name} <> '' THEN -('0x' || substr(md5(lower(${name})), 1, 13))::BIGINT END`;
}
