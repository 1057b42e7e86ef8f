import type { StateStore, StateTables } from '../../accounts/state-store.js';
import { sqlTime } from '../../engine/index.js';

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

/**
 * Deletes the questions that were asked before a moment, with all dependent rows, and the counters of quotas and model tokens of earlier
 * days. Recommended questions are kept. Deletes in batches, and stops after the current batch when the signal aborts. Resolves to the
 * number of deleted questions.
 */
export async function deleteOldQuestions(state: StateStore, before: Date, signal?: AbortSignal): Promise<number> {
  let [total, deleted] = [0, 0];
  do {
    deleted = await state.transaction(async (tables) => {
      const old = await tables.rows(OLDEST, [sqlTime(before)]);
      await deleteQuestions(
        tables,
        old.map(([id]) => String(id)),
      );
      return old.length;
    });
    total += deleted;
  } while (deleted === BATCH_SIZE && signal?.aborted !== true);
  await state.transaction(async (tables) => {
    for (const table of ['explorer_sql_quotas', 'explorer_model_tokens']) {
      await tables.run(`DELETE FROM ${table} WHERE day < :p1`, [sqlTime(before).slice(0, 10)]);
    }
  });
  return total;
}

const OLDEST = `
  SELECT id FROM explorer_questions WHERE created_at < :p1 AND recommended = 0 ORDER BY created_at, id LIMIT ${BATCH_SIZE}`;
