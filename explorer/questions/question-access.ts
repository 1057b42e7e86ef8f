import type { StateTables } from '../../accounts/state-store.js';
import type { Status } from './question.js';

/** Thrown if no question has this id. */
export class QuestionNotFoundError extends Error {
  override readonly name = 'QuestionNotFoundError';

  constructor(id: string) {
    super(`There is no question ${id.slice(0, MAX_SHOWN_LENGTH)}.`);
  }
}

/** Returns the text if it can be the id of a question, a UUID in lower case. Otherwise throws `QuestionNotFoundError`. */
export function requireQuestionId(text: string): string {
  if (UUID.test(text)) return text;
  throw new QuestionNotFoundError(text);
}

/** Locks the row of a question, so that its dependent rows can be changed. Throws `QuestionNotFoundError`. */
export async function lockQuestion(
  tables: StateTables,
  id: string,
): Promise<{ readonly status: Status; readonly recommended: boolean }> {
  const [row] = await tables.rows('SELECT status, recommended FROM explorer_questions WHERE id = :p1', [
    requireQuestionId(id),
  ]);
  if (row === undefined) throw new QuestionNotFoundError(id);
  const [status, recommended] = row;
  return { status: String(status) as Status, recommended: Number(recommended) === 1 };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MAX_SHOWN_LENGTH = 60;
