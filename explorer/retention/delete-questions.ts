import type { StateTables } from '../../accounts/state-store.js';

/** The maximum number of questions that one transaction deletes, so that requests do not have to wait long. */
export const BATCH_SIZE = 200;

/** Deletes questions with their results, feedback, tags, and the popularity counts that refer to them. */
export async function deleteQuestions(tables: StateTables, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const list = ids.map((_, index) => `:p${index + 1}`).join(', ');
  for (const [table, column] of DEPENDENT) {
    await tables.run(`DELETE FROM ${table} WHERE ${column} IN (${list})`, ids);
  }
  await tables.run(`DELETE FROM explorer_questions WHERE id IN (${list})`, ids);
}

/** The tables with rows that depend on a question, and the columns with its id. */
const DEPENDENT = [
  ['explorer_feedback', 'question_id'],
  ['explorer_question_tags', 'question_id'],
  ['explorer_popular_questions', 'question_id'],
] as const;
