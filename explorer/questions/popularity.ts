import type { StateTables } from '../../accounts/state-store.js';
import type { Question } from './question.js';

/** Counts a user whose question was answered, once per question and user. Recommendations are sorted by this count. */
export async function countAsked(
  tables: StateTables,
  { id, hash, userId }: Pick<Question, 'id' | 'hash' | 'userId'>,
): Promise<void> {
  const earlier = await tables.rows(EARLIER, [hash, userId, id]);
  if (earlier.length > 0) return;
  const [row] = await tables.rows('SELECT asked FROM explorer_popular_questions WHERE hash = :p1', [hash]);
  const statement =
    row === undefined
      ? 'INSERT INTO explorer_popular_questions (hash, question_id, asked) VALUES (:p1, :p2, 1)'
      : 'UPDATE explorer_popular_questions SET question_id = :p2, asked = asked + 1 WHERE hash = :p1';
  await tables.run(statement, [hash, id]);
}

const EARLIER = `
  SELECT id FROM explorer_questions
  WHERE hash = :p1 AND user_id = :p2 AND id <> :p3 AND status = 'success' LIMIT 1`;
