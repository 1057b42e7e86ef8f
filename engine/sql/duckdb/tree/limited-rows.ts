import { child, type Node, part } from '../../reading/tree.js';
import type { Translator } from './translator.js';

/**
 * Writes a query whose rows another query reads, such as a derived table. If the query has a LIMIT, DuckDB 1.5 applies filters of joins of
 * the other query before the LIMIT, so that wrong rows remain. It does not apply them before a window function, so the rows get a
 * number and a condition that is always true.
 */
export function writeRows(query: Node, to: Translator): string {
  const text = to.query(query);
  return hasLimit(query) ? `SELECT * FROM (${text}) AS limited QUALIFY row_number() OVER () > 0` : text;
}

/** Whether the rows of a query depend on a LIMIT or OFFSET that is not in a nested query of FROM. */
function hasLimit(query: Node): boolean {
  if (part(query.fields, 'limit') !== undefined || part(query.fields, 'offset') !== undefined) return true;
  if (query.kind === 'subquery') return hasLimit(child(query, 'this'));
  return SET_OPERATIONS.has(query.kind) && (hasLimit(child(query, 'left')) || hasLimit(child(query, 'right')));
}

const SET_OPERATIONS: ReadonlySet<string> = new Set(['union', 'intersect', 'except']);
