import { named } from '../../databases/duckdb/translate/column-names.js';
import { child, children, type Node, nameOf } from '../../databases/duckdb/translate/tree.js';
import { refuse } from './refusal.js';
import { outputName } from './writer.js';

/** Databases differ in what a name means that two columns of a derived table have. What `*` stands for is not looked at. */
export function requireDistinctNames(query: Node): void {
  const seen = new Set<string>();
  for (const name of outputNames(query)) {
    const key = name.toLowerCase();
    if (seen.has(key)) refuse(`two columns of a derived table are called ${name}`, name);
    seen.add(key);
  }
}

/** Those of a UNION and its kin are those of its left side. */
function outputNames(query: Node): string[] {
  if (query.kind === 'subquery') return outputNames(child(query, 'this'));
  if (query.kind !== 'select') return 'left' in query.fields ? outputNames(child(query, 'left')) : [];
  return children(named(query), 'expressions').flatMap(({ kind, fields }) => {
    if (kind === 'alias') return [outputName(fields.alias)];
    return kind === 'column' ? [nameOf(fields.name)] : [];
  });
}
