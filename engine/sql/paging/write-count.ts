import { sqlTokens } from '../reading/statement.js';
import { findClauses } from './lexemes-of-query.js';

/** Writes the query for the number of rows of a query. */
export function writeCount(sql: string): string {
  const tokens = sqlTokens(sql);
  const order = tokens[findClauses(tokens)?.order ?? -1]?.start;
  const body = order === undefined ? sql : sql.slice(0, order).trimEnd();
  // ORDER BY is removed unless it contains a placeholder, because a statement must use all its placeholders.
  const counted = order === undefined || sql.slice(order).includes(':p') ? sql : body;
  return `SELECT COUNT(*) AS total\nFROM (\n${counted}\n) AS counted`;
}
