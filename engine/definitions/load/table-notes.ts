import { didYouMean } from '../../sql/did-you-mean.js';
import { type Endpoint, queriesOf } from '../endpoint/endpoint.js';
import type { Problem } from '../problem.js';

/**
 * Finds tables that are probably misspelled, because `known` contains only a similar name. Notes are not problems,
 * because a definition can read other tables that exist in the database.
 */
export function findTableNotes(endpoint: Endpoint, known: readonly string[]): Problem[] {
  const hints = new Map(
    [...endpoint.tables].map((table) => [table, known.includes(table) ? '' : didYouMean(table, known)]),
  );
  return [...hints].flatMap(([table, hint]) => {
    const query = queriesOf(endpoint).find(({ tables }) => tables.has(table));
    if (hint === '' || query === undefined) return [];
    return [query.problem(`the table ${table} is not a table of this program${hint}`, `'${table}'`)];
  });
}
