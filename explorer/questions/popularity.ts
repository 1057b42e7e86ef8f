import type { StateTables } from '../../accounts/state-store.js';
import type { Question } from './question.js';

/** Counts one more answer to a question. Recommendations are sorted by this count. */
export async function countAsked(tables: StateTables, { id, hash }: Pick<Question, 'id' | 'hash'>): Promise<void> {
  const [row] = await tables.rows('SELECT asked FROM explorer_popular_questions WHERE hash = :p1', [hash]);
  const statement =
    row === undefined
      ? 'INSERT INTO explorer_popular_questions (hash, question_id, asked) VALUES (:p1, :p2, 1)'
      : 'UPDATE explorer_popular_questions SET question_id = :p2, asked = asked + 1 WHERE hash = :p1';
  await tables.run(statement, [hash, id]);
}
