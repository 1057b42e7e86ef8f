import { readInBatches, readStateRows } from '../../accounts/state-reads.js';
import type { DeleteOwnedRows } from '../../accounts/users.js';
import { type Cell, type Database, sqlTime } from '../../engine/index.js';
import { isoTime } from '../../warehouse/rules/times.js';
import { type Feedback, toFeedback } from '../questions/feedback.js';
import type { Question } from '../questions/question.js';
import { QUESTION_COLUMNS, readQuestionRow } from '../questions/question-row.js';
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

/** The uses of question to SQL by a user on a UTC day, `YYYY-MM-DD`. */
export interface QuotaDay {
  readonly day: string;
  readonly used: number;
}

/** Yields the questions of a user with their answers, oldest first. */
export function readOwnedQuestions(database: Database, userId: number, signal: AbortSignal): AsyncGenerator<Question> {
  const convert = ([, ...row]: readonly Cell[]) => readQuestionRow(row).question;
  return readInBatches(QUESTION_BATCH, convert, (last = []) => {
    const [time, id = ''] = last;
    const after = time === undefined ? FIRST_TIME : sqlTime(new Date(isoTime(time)));
    return readStateRows(database, QUESTIONS, [userId, after, String(id)], signal);
  });
}

/** Yields the feedback of a user about answers, by the id of the question. */
export function readOwnedFeedback(database: Database, userId: number, signal: AbortSignal): AsyncGenerator<Feedback> {
  return readInBatches(FEEDBACK_BATCH, toFeedback, (last) =>
    readStateRows(database, FEEDBACK, [userId, String(last?.[0] ?? '')], signal),
  );
}

/** Yields the stored uses of question to SQL by a user, by day. */
export function readOwnedQuotas(database: Database, userId: number, signal: AbortSignal): AsyncGenerator<QuotaDay> {
  const convert = ([day, used]: readonly Cell[]) => ({ day: String(day).slice(0, 10), used: Number(used) });
  return readInBatches(QUOTA_BATCH, convert, (last) =>
    readStateRows(database, QUOTAS, [userId, last === undefined ? '1000-01-01' : convert(last).day], signal),
  );
}

/** The number of questions in memory. The result of a question can have a million characters. */
const QUESTION_BATCH = 20;
const [FEEDBACK_BATCH, QUOTA_BATCH] = [500, 500];
const FIRST_TIME = '1000-01-01 00:00:00';

const QUESTIONS = `
  SELECT created_at, ${QUESTION_COLUMNS} FROM explorer_questions
  WHERE user_id = :p1 AND created_at >= :p2 AND (created_at > :p2 OR id > :p3)
  ORDER BY created_at, id LIMIT ${QUESTION_BATCH}`;
const FEEDBACK = `
  SELECT question_id, user_id, satisfied, content, created_at FROM explorer_feedback
  WHERE user_id = :p1 AND question_id > :p2 ORDER BY question_id LIMIT ${FEEDBACK_BATCH}`;
const QUOTAS = `
  SELECT day, used FROM explorer_sql_quotas WHERE user_id = :p1 AND day > :p2 ORDER BY day LIMIT ${QUOTA_BATCH}`;
