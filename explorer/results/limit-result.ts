import type { QuestionResult } from '../questions/question.js';

/** The maximum number of rows of a stored result. */
const MAX_ROWS = 1_000;
/** The maximum size of the rows of a stored result, as characters of JSON. */
const MAX_CHARACTERS = 1_000_000;

/** Shortens a result to the limits of stored results, and marks it as truncated. */
export function limitResult(result: QuestionResult): QuestionResult {
  let characters = 0;
  const end = result.rows.slice(0, MAX_ROWS).findIndex((row) => {
    characters += JSON.stringify(row).length + 1;
    return characters > MAX_CHARACTERS;
  });
  const rows = result.rows.slice(0, end < 0 ? MAX_ROWS : end);
  if (rows.length === result.rows.length) return result;
  const count = `${result.truncated ? 'at least ' : ''}${result.rows.length}`;
  const notice = `The result has ${count} rows; the first ${rows.length} are stored.`;
  return { ...result, rows, truncated: true, notices: [...result.notices, notice] };
}
