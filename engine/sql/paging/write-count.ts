import { sqlTokens } from '../reading/statement.js';
import { findClauses } from './lexemes-of-query.js';

/** Writes the query for the number of rows of a query. */
export function writeCount(sql: string): string {
  const tokens = sqlTokens(sql);
  const order = tokens[findClauses(tokens)?.order ?? -1]?.start;
  const body = order === undefined ? sql : sql.slice(0, order).trimEnd();
  // A statement must use all its markers, so an ORDER BY with a marker stays.
  const counted = order === undefined || sql.slice(order).includes(':p') ? sql : body;
  return `SELECT COUNT(*) AS total\nFROM (\n${counted}\n) AS counted`;
}
