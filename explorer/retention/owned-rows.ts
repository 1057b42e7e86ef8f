import type { DeleteOwnedRows } from '../../accounts/users.js';
import { BATCH_SIZE, deleteQuestions } from './old-questions.js';

/**
 * Deletes the rows of the explorer that belong to a user: all questions, including recommended ones, with their dependent rows, the user's
 * feedback about other questions, and the used quota.
 */
export const deleteOwnedRows: DeleteOwnedRows = async (tables, userId) => {
  const rows = await tables.rows(`SELECT id FROM explorer_questions WHERE user_id = :p1 LIMIT ${BATCH_SIZE}`, [userId]);
  await deleteQuestions(
    tables,
    rows.map(([id]) => String(id)),
  );
  if (rows.length === BATCH_SIZE) return true;
  for (const table of ['explorer_feedback', 'explorer_sql_quotas']) {
    await tables.run(`DELETE FROM ${table} WHERE user_id = :p1`, [userId]);
  }
  return false;
};
