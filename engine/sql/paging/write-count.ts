import { findClauses, readLexemes } from './lexemes-of-query.js';

/** Writes the query for the number of rows of a query. */
export function writeCount(sql: string): string {
  const lexemes = readLexemes(sql);
  const order = lexemes[findClauses(lexemes)?.order ?? -1]?.start;
  const body = order === undefined ? sql : sql.slice(0, order).trimEnd();
  // A statement must use all its markers, so an ORDER BY with a marker stays.
  const counted = order === undefined || sql.slice(order).includes(':p') ? sql : body;
  return `SELECT COUNT(*) AS total\nFROM (\n${counted}\n) AS counted`;
}
